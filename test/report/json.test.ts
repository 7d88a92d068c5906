import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { formats, inventoryJson } from '../../src/report/index.ts';
import { analysis, decision, entry, facts, reconciliation, site, tag, target } from '../support/builders.ts';
import { CHECKS, INVENTORIES, ODD, options } from './samples.ts';

const json = formats.find((f) => f.name === 'json')!;
const schemaOf = (name: string) =>
  new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8')),
  );

describe('check --format json', () => {
  const validate = schemaOf('check');
  it.each(Object.keys(CHECKS))('%s follows the schema', (name) => {
    validate(JSON.parse(json.check!(CHECKS[name]!, options())));
    expect(validate.errors ?? []).toEqual([]);
  });
  it('has the keys of the contract, in its order', () => {
    const read = JSON.parse(json.check!(CHECKS.one!, options()));
    expect(Object.keys(read)).toEqual(['schema', 'findings', 'summary', 'errors']);
    expect(Object.entries(read.findings[0])).toEqual([
      ['rule', 'untagged-loop'],
      ['code', 'LT001'],
      ['severity', 'error'],
      ['message', '`run_x` is spawned without a project id'],
      ['file', 'apps/api/src/main.py'],
      ['line', 499],
      ['column', 9],
      ['endLine', 499],
      ['endColumn', 40],
      ['site', 'src.main:lifespan:run_x'],
      ['fixable', true],
    ]);
  });
  it('loses nothing by escaping', () => {
    expect(JSON.parse(json.check!(CHECKS.odd!, options())).findings[0].message).toBe(`\`${ODD}\` is odd`);
  });
});

describe('inventory --format json', () => {
  const validate = schemaOf('inventory');
  it.each(Object.keys(INVENTORIES))('%s follows the schema', (name) => {
    validate(JSON.parse(json.inventory!(INVENTORIES[name]!, options())));
    expect(validate.errors ?? []).toEqual([]);
  });

  const tagged = target('run_evolver_loop', {
    qualifiedName: 'src.jobs.evolver.run_evolver_loop',
    file: 'apps/api/src/jobs/evolver.py',
    line: 12,
    facts: facts({ periodSeconds: 3600, periodSource: 'apps/api/src/jobs/evolver.py:20 60 * 60' }),
    tag: tag('awoooi'),
  });
  const spawn = site('run_evolver_loop', 499, { targets: [tagged] });
  const mention = { file: 'a.py', line: 705, column: 7, kind: 'comment' as const, text: 't', detail: 'why' };
  const found = analysis([spawn], { mentions: [mention, { ...mention, kind: 'reference', spawns: 'run_y' }] });

  it('has the shape of the contract, key by key', () => {
    const row = entry(18, 'run_evolver_loop', { line: 499 });
    const judged = reconciliation([decision(spawn, { entry: row, marker: 'legacy_awoooi_default', priority: 'P2' })]);
    const read = JSON.parse(inventoryJson(found, judged, { root: '.' }));
    expect(Object.keys(read)).toEqual(['schema', 'root', 'summary', 'sites', 'mentions', 'scheduled', 'errors']);
    expect(read.summary).toEqual({
      files: 1,
      parsed: 1,
      sites: 1,
      loops: 1,
      oneShot: 0,
      unknown: 0,
      tagged: 1,
      untagged: 0,
      grepLines: 1,
    });
    expect(read.sites[0]).toEqual({
      id: 'src.main:lifespan:run_evolver_loop',
      file: 'apps/api/src/main.py',
      line: 499,
      column: 9,
      endLine: 499,
      endColumn: 48,
      api: 'asyncio.create_task',
      enclosing: 'lifespan',
      argument: 'run_evolver_loop()',
      targets: [
        {
          name: 'run_evolver_loop',
          qualifiedName: 'src.jobs.evolver.run_evolver_loop',
          file: 'apps/api/src/jobs/evolver.py',
          line: 12,
          lifecycle: 'loop',
          periodSeconds: 3600,
          periodSource: 'apps/api/src/jobs/evolver.py:20 60 * 60',
          tag: { projectId: 'awoooi', via: 'wrapper' },
          traceId: false,
          heartbeat: false,
          catalog: { number: 18, marker: 'legacy_awoooi_default', priority: 'P2', line: 499 },
          class: 'B',
          projectId: 'awoooi',
        },
      ],
      unresolved: null,
      certainty: 'proven',
    });
    expect(read.mentions).toEqual([
      { file: 'a.py', line: 705, column: 7, kind: 'comment', text: 't' },
      { file: 'a.py', line: 705, column: 7, kind: 'reference', text: 't', spawns: 'run_y' },
    ]);
  });

  it('says nothing of a catalogue without one, and null for a loop that none names', () => {
    const [bare] = JSON.parse(inventoryJson(found, null, { root: '.' })).sites[0].targets;
    expect(bare).not.toHaveProperty('catalog');
    expect(bare).not.toHaveProperty('class');
    const [unlisted] = JSON.parse(inventoryJson(found, reconciliation([]), { root: '.' })).sites[0].targets;
    expect(unlisted).toMatchObject({ catalog: null, class: null, projectId: null });
  });

  it('counts coroutines, and a site without any as unknown', () => {
    const two = site('f', 3, {
      targets: [target('a', { tag: tag('x') }), target('b', { facts: facts({ lifecycle: 'one-shot' }) })],
    });
    const none = site('g', 4, { targets: [], unresolved: 'a parameter' });
    expect(JSON.parse(inventoryJson(analysis([two, none]), null, { root: '.' })).summary).toMatchObject({
      sites: 2,
      loops: 1,
      oneShot: 1,
      unknown: 1,
      tagged: 1,
      untagged: 2,
    });
  });

  it('sorts sites by file, line and column', () => {
    const lines = JSON.parse(inventoryJson(analysis([site('b', 9), site('a', 3)]), null, { root: '.' })).sites;
    expect(lines.map((s: { line: number }) => s.line)).toEqual([3, 9]);
  });
});
