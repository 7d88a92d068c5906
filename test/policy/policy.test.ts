import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { PolicyError, policyFromJson } from '../../src/policy/index.ts';
import { policyJsonSchema } from '../../src/policy/policy/json-schema.ts';
import { parsePolicy } from '../../src/policy/policy/parse.ts';
import { awoooi, file, tenantBasic } from './support.ts';

const MINIMAL = `name: x
title: X
markers:
  one: { projectId: one }
classes:
  A: { title: a, projectId: one, marker: one }
  B: { title: b, projectId: one, marker: one }
  C: { title: c, projectId: null, marker: one }
priorities:
  - { id: P0, title: now }
`;

function faults(text: string): string[] {
  try {
    parsePolicy(text, 'p.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(PolicyError);
    return (error as PolicyError).problems.map((p) => `${p.line}:${p.column} ${p.message}; ${p.remedy}`);
  }
  return [];
}

describe('bundled policies', () => {
  test('ADR-123: the four platform loops, batches, milestones, acceptance of both documents, alerts', () => {
    expect(awoooi.named.filter((n) => n.class === 'A').map((n) => [n.name, n.line, n.phase])).toEqual([
      ['run_ai_slo_watchdog_loop', 623, null],
      ['_run_model_version_tracker_loop', 701, null],
      ['run_contract_outbox_relay', null, 'Phase 2'],
      ['run_stale_run_reaper', null, 'Phase 2'],
    ]);
    expect(Object.keys(awoooi.batches)).toEqual(['P0', 'P1', 'PR-10']);
    expect(awoooi.priorities.map((p) => p.id)).toEqual(['P0', 'P1', 'P2', 'P3']);
    expect(awoooi.milestones.map((m) => [m.test.kind, m.expected])).toEqual([
      ['class-tagged', 4],
      ['class-tagged', 27],
      ['legacy-zero', null],
      ['class-empty', null],
      ['label-removed', null],
    ]);
    expect(awoooi.acceptance.map((a) => a.document)).toEqual([...Array(5).fill('INV-8'), ...Array(5).fill('ADR-123')]);
    expect(awoooi.alerts).toMatchObject({ factor: 3, floorSeconds: 300, documentedThresholdSeconds: 300 });
    expect(awoooi.markers.platform_internal?.projectId).toBe('__platform__');
    expect(awoooi.markers.legacy_awoooi_default).toMatchObject({ projectId: 'awoooi', legacy: true, class: null });
  });

  test('survive JSON, so that a build can ship them parsed', () => {
    for (const policy of [awoooi, tenantBasic]) {
      expect(policyFromJson(JSON.parse(JSON.stringify(policy)), policy.source)).toEqual(policy);
    }
  });

  test('are valid by the published schema, which is up to date', () => {
    const published = JSON.parse(file('schemas/policy.schema.json'));
    expect(published).toEqual(policyJsonSchema());
    const ajv = new Ajv({ strict: false });
    ajv.addFormat('regex', true);
    const validate = ajv.compile(published);
    for (const name of ['awoooi', 'tenant-basic']) {
      validate(parse(file(`rules/policies/${name}.yaml`)));
      expect(validate.errors).toBeNull();
    }
    expect(validate({ ...parse(MINIMAL), markrs: {} })).toBe(false);
  });
});

describe('parsePolicy', () => {
  test('fills in what may be left out', () => {
    const policy = parsePolicy(MINIMAL, 'p.yaml');
    expect(policy).toMatchObject({ source: 'p.yaml', contextVariable: 'project_id_ctx_var', named: [], batches: {} });
    expect(policy.markers.one).toMatchObject({ legacy: false, class: null, aliases: [] });
    expect(policy.markers.constructor).toBeUndefined();
    expect(parsePolicy(`\ufeff${MINIMAL.replaceAll('\n', '\r\n')}`, 'p.yaml')).toEqual(policy);
  });

  test('what stands where nothing is said', () => {
    const { name: _n, title: _t, markers, classes: _c, source: _s, ...rest } = parsePolicy(MINIMAL, 'p.yaml');
    expect(markers.one).toEqual({ projectId: 'one', class: null, legacy: false, aliases: [], description: '' });
    expect(rest).toEqual({
      named: [],
      suggestions: [],
      priorities: [{ id: 'P0', title: 'now', phase: '', traceId: false }],
      batches: {},
      milestones: [],
      acceptance: [],
      contextVariable: 'project_id_ctx_var',
      traceVariable: 'trace_id_ctx_var',
      traceGenerator: 'generate_trace_id',
      helper: '_run_with_context',
      platformSession: { tenant: [], platform: '', module: null },
      legacyLabel: { variable: 'LOOP_PROJECT_ID', env: 'LOOP_PROJECT_ID', value: '' },
      heartbeat: {
        metric: 'background_loop_last_run_timestamp_seconds',
        variable: 'LOOP_LAST_RUN',
        labels: ['loop_name', 'project_id'],
        documentation: 'Unix timestamp of last successful loop execution',
      },
      alerts: { factor: 3, floorSeconds: 300, documentedThresholdSeconds: null, severityByPriority: {}, runbook: null },
    });
  });

  test.each<[string, string, string]>([
    ['an unknown key', MINIMAL.replace('title: X', 'titel: X'), '2:1 unknown key `titel`; did you mean `title`?'],
    ['a key that is nowhere near', `${MINIMAL}zzzzzz: 1\n`, '11:1 unknown key `zzzzzz`; known here:'],
    [
      'a nested one',
      MINIMAL.replace('{ projectId: one }', '{ projectid: one }'),
      '4:10 unknown key `markers.one.projectid`; did you mean `projectId`?',
    ],
    ['a missing key', MINIMAL.replace('id: P0, ', ''), '10:5 priorities.0: `id` is missing; add `id:`'],
    ['a wrong kind', MINIMAL.replace('title: X', 'title: [1]'), '2:8 title: text expected, a list found'],
    ['a number for text', MINIMAL.replace('title: X', 'title: 1'), '2:8 title: text expected, number `1` found'],
    [
      'a marker that is not defined',
      MINIMAL.replace('title: b, projectId: one, marker: one', 'title: b, projectId: one, marker: on'),
      '7:42 classes.B.marker: no marker `on` is defined; did you mean `one`?',
    ],
    [
      'a bad regular expression',
      `${MINIMAL}suggestions:\n  - { when: { name: "(" }, because: x }\n`,
      '12:21 suggestions.0.when.name: no regular expression',
    ],
    [
      'a bad class',
      `${MINIMAL}named:\n  - { name: x, class: D }\n`,
      '12:23 named.0.class: string `D` is none of A, B, C',
    ],
    [
      'an unknown test',
      `${MINIMAL}milestones:\n  - { id: m, title: m, test: { kind: legacy-zer } }\n`,
      '12:38 milestones.0.test.kind: string `legacy-zer` is none of class-tagged, legacy-zero, class-empty, label-removed; did you mean `legacy-zero`?',
    ],
    ['a duplicate key', `${MINIMAL}name: y\n`, '11:1 Map keys must be unique; keep one of the two keys'],
    ['an id twice', `${MINIMAL}  - { id: P0, title: again }\n`, '11:11 priorities.1.id: `P0` is there twice'],
    ['__proto__', `${MINIMAL}__proto__: { polluted: 1 }\n`, '11:1 unknown key `__proto__`'],
    ['broken YAML', `${MINIMAL}a: [1\n`, '12:1 '],
    ['a tag', MINIMAL.replace('title: X', 'title: !!js/function X'), '2:8 '],
    ['text alone', 'hello', '1:1 the policy: a mapping expected, string `hello` found'],
    ['nothing', '', '1:1 the policy: a mapping expected, nothing found'],
  ])('%s', (_what, text, expected) => {
    expect(
      faults(text).find((f) => f.startsWith(expected)),
      faults(text).join('\n'),
    ).toBeDefined();
  });

  test('every fault at once, in order', () => {
    expect(faults('name: 1\nmarkers: 2\n')).toHaveLength(5);
  });

  test('a policy of a megabyte is read, a longer one refused', () => {
    const padded = (length: number) => `${MINIMAL}#`.padEnd(length, 'x');
    expect(faults(padded(1_000_000))).toEqual([]);
    expect(faults(padded(1_000_001))).toEqual(['1:1 a policy of more than a megabyte; split or shorten it']);
  });

  test('an alias bomb is refused, a plain alias is not', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]`),
    ];
    expect(faults(bomb.join('\n'))[0]).toContain('write the values out');
    const alias = MINIMAL.replace('A: {', 'A: &a {').replace(/B: .*/, 'B: *a');
    expect(faults(alias)).toEqual([]);
  });

  test('nothing of a policy reaches the prototype of others', () => {
    faults(`${MINIMAL}__proto__: { polluted: 1 }\n`);
    const policy = parsePolicy(MINIMAL.replace('one: {', '__proto__: { projectId: p }\n  one: {'), 'p.yaml');
    expect(({} as { projectId?: string }).projectId).toBeUndefined();
    expect(Object.keys(policy.markers)).toEqual(['__proto__', 'one']);
  });
});
