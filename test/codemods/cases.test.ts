/**
 * Every `rules/codemods/<id>/cases/<name>`: `before.py` becomes `after.py`, the result parses and compiles, a second run
 * changes nothing, and a revert gives `before.py` back byte for byte.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { planRevert } from '../../src/engine/migrate/revert.ts';
import { verifyPlan } from '../../src/engine/migrate/verify.ts';
import { decodePython } from '../../src/syntax/text.ts';
import { CONTEXT_HELPER } from '../support/context-helper.ts';
import { compileAll } from './support/compile.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project } from './support/project.ts';

const ROOT = join(import.meta.dirname, '../../rules/codemods');

const DB = 'def get_db_session(): ...\n\n\ndef get_platform_db_session(): ...\n';
const PROJECT = {
  'src/core/context.py': CONTEXT,
  'src/core/db.py': DB,
  'src/core/background.py': CONTEXT_HELPER,
  'app/ctx.py': CONTEXT_HELPER,
};

interface CaseOptions extends Partial<ProjectOptions> {
  /** False when the way back is not byte for byte, by nature of the case. */
  revert?: boolean;
  class?: 'A' | 'B' | 'C';
}

const cases = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name: id }) => {
    const folder = join(ROOT, id, 'cases');
    return existsSync(folder) ? readdirSync(folder).map((name) => ({ id, name, folder: join(folder, name) })) : [];
  });

/** For one python3 that compiles all of them. */
const results: { name: string; before: Uint8Array; after: Uint8Array }[] = [];

describe.each(cases)('$id: $name', ({ id, name, folder }) => {
  const before = readFileSync(join(folder, 'before.py'));
  const {
    revert,
    class: loopClass,
    ...given
  } = JSON.parse(readFileSync(join(folder, 'options.json'), 'utf8')) as CaseOptions;
  const method = id === 'heartbeat' ? 'loop-body' : id;
  const options: ProjectOptions = {
    codemods,
    paths: ['case.py'],
    method,
    heartbeat: id === 'heartbeat',
    decisionOf: () => ({ class: loopClass ?? null }),
    ...given,
  };
  const files: Files = { ...PROJECT, 'case.py': before };
  const input = project(files, options);
  const plan = planMigration(input);
  const after = applied(files, plan);
  const result = Buffer.from(after['case.py']!);
  results.push({ name: `${id}: ${name}`, before, after: result });

  it('gives after.py', () => {
    const path = join(folder, 'after.py');
    if (process.env.UPDATE_CASES) {
      writeFileSync(path, result);
      const reasons = plan.skipped.map(({ site, code, reason }) => `${site.range.line}: ${code}: ${reason}`);
      writeFileSync(join(folder, 'left-alone.txt'), reasons.map((line) => `${line}\n`).join(''));
    }
    expect(decodePython(result).text).toBe(decodePython(readFileSync(path)).text);
    expect(Buffer.compare(result, readFileSync(path))).toBe(0);
  });

  it('says why it leaves sites alone', () => {
    const reasons = plan.skipped.map(({ site, code, reason }) => `${site.range.line}: ${code}: ${reason}\n`).join('');
    expect(reasons).toBe(readFileSync(join(folder, 'left-alone.txt'), 'utf8'));
  });

  it('verifies, and a second run changes nothing', () => {
    const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
      project({ ...files, ...Object.fromEntries(overlay) }, options);
    expect(verifyPlan(plan, input, { reanalyse })).toEqual([]);
    expect(planMigration(project(after, options)).files).toEqual([]);
  });

  it.skipIf(revert === false)('can be taken back byte for byte', () => {
    const back = project(after, options);
    const undo = planRevert({
      ...back,
      decisions: back.decisions.filter(({ site }) => plan.sites.length > 0 && site.range.file === 'case.py'),
    });
    expect(verifyPlan(undo, back)).toEqual([]);
    if (plan.skipped.some(({ code }) => code === 'tagged')) return;
    const restored = applied(after, undo);
    for (const file of undo.deletedFiles ?? []) delete restored[file];
    expect(Buffer.from(restored['case.py']!).toString('latin1')).toBe(before.toString('latin1'));
    for (const file of Object.keys(restored)) expect(Buffer.from(restored[file]!)).toEqual(Buffer.from(files[file]!));
  });
});

it('each result compiles, unless its input does not either', () => {
  expect(results).toHaveLength(cases.length);
  const said = compileAll(results.flatMap(({ before, after }) => [before, after]));
  if (said === null) return console.warn('SKIPPED: no python3 to compile the results');
  const broken = results.flatMap(({ name }, i) =>
    said[2 * i] === '' && said[2 * i + 1] ? [name, said[2 * i + 1]] : [],
  );
  expect(broken).toEqual([]);
});
