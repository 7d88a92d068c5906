/** A policy that says the least, whole, and what is said of names that are defined nowhere. */
import { describe, expect, test } from 'vitest';
import { PolicyError, policyFromJson } from '../../src/policy/index.ts';

const least = () => ({
  name: 'x',
  title: 'X',
  markers: { one: { projectId: 'one' } } as Record<string, unknown>,
  classes: {
    A: { title: 'a', projectId: 'one', marker: 'one' },
    B: { title: 'b', projectId: 'one', marker: 'one' },
    C: { title: 'c', projectId: null, marker: 'one' },
  } as Record<string, object>,
  priorities: [{ id: 'P0', title: 'now' }] as object[],
});

function faults(more: object): string[] {
  try {
    policyFromJson({ ...least(), ...more }, 'p.json');
  } catch (error) {
    const { problems, name, message, source } = error as PolicyError;
    expect([name, source]).toEqual(['PolicyError', 'p.json']);
    expect(message).toBe(problems.map((p) => `p.json:1:1: ${p.message}; ${p.remedy}`).join('\n'));
    return problems.map((p) => `${p.message}; ${p.remedy}`);
  }
  return [];
}

test('what is left out has its default', () => {
  expect(JSON.parse(JSON.stringify(policyFromJson({ ...least(), source: 'old', $schema: 'x' }, 'p.json')))).toEqual({
    source: 'p.json',
    name: 'x',
    title: 'X',
    markers: { one: { projectId: 'one', class: null, legacy: false, aliases: [], description: '' } },
    classes: least().classes,
    priorities: [{ id: 'P0', title: 'now', phase: '', traceId: false }],
    named: [],
    suggestions: [],
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

test('what may be said is kept', () => {
  const zh = { 'zh-TW': { title: '題', phase: '段', because: '因', description: '述', target: '標' } };
  const said = {
    ...least(),
    markers: { one: { projectId: null, class: 'A', legacy: true, aliases: ['uno'], description: 'd', ...zh } },
    named: [
      { name: 'run', class: 'A', line: 1, documentLine: 2, phase: 'later', note: 'n', priority: 'P0' },
      { name: 'walk', class: 'C' },
    ],
    suggestions: [
      {
        when: { name: 'a', module: 'b', lifecycle: 'loop', minPeriodSeconds: 0, maxPeriodSeconds: 9, touches: ['t'] },
        class: 'B',
        marker: 'one',
        priority: 'P0',
        because: 'why',
        ...zh,
      },
      { when: { lifecycle: 'one-shot' }, because: 'else' },
    ],
    priorities: [{ id: 'P0', title: 'now', phase: 'p', traceId: true, ...zh }],
    batches: { b: { title: 't', priorities: ['P0'], classes: ['A', 'B', 'C'], ...zh }, all: { title: 'all' } },
    milestones: [
      {
        id: '1',
        title: 't',
        target: 'x',
        due: '2026-01-01',
        expected: 4,
        test: { kind: 'class-tagged', class: 'A', projectId: 'p' },
        match: 'm',
      },
      { id: '2', title: 't', test: { kind: 'legacy-zero' } },
      { id: '3', title: 't', test: { kind: 'class-empty', class: 'C' } },
      { id: '4', title: 't', test: { kind: 'label-removed' } },
    ],
    acceptance: [
      ...['undecided-resolved', 'all-tagged', 'legacy-zero', 'heartbeat-all', 'logs-show-project', 'alert-tested'].map(
        (kind) => ({ id: kind, document: 'd', title: 't', test: { kind } }),
      ),
      {
        id: 'm',
        document: 'd',
        title: 't',
        test: { kind: 'marker-tagged', marker: 'one', projectId: 'p' },
        match: 'x',
      },
      { id: 't', document: 'd', title: 't', test: { kind: 'trace-id', name: 'n' } },
      { id: 'b', document: 'd', title: 't', test: { kind: 'project-and-trace', name: 'n' } },
    ],
    contextVariable: 'a',
    traceVariable: 'b',
    traceGenerator: 'c',
    helper: 'd',
    platformSession: { tenant: ['s'], platform: 'p', module: 'm' },
    legacyLabel: { variable: 'v', env: 'e', value: 'l' },
    heartbeat: { metric: 'm', variable: 'v', labels: [], documentation: 'd' },
    alerts: {
      factor: 1,
      floorSeconds: 0,
      documentedThresholdSeconds: 9,
      severityByPriority: { P0: 'page' },
      runbook: 'r',
    },
  };
  const got = JSON.parse(JSON.stringify(policyFromJson(said, 's')));
  expect(got).toEqual({
    ...said,
    source: 's',
    named: [said.named[0], { name: 'walk', class: 'C', line: null, phase: null, note: '' }],
    milestones: [
      said.milestones[0],
      ...said.milestones.slice(1).map((m) => ({ ...m, target: '', due: null, expected: null })),
    ],
  });
});

describe('what is defined nowhere', () => {
  const missing = (where: string, what: string, word: string, known: string) =>
    `${where}: no ${what} \`${word}\` is defined; ${known}`;
  test.each<[string, object, string[]]>([
    ['nothing', {}, []],
    [
      'the marker of a class',
      { classes: { ...least().classes, B: { title: 'b', projectId: null, marker: 'onne' } } },
      [missing('classes.B.marker', 'marker', 'onne', 'did you mean `one`?')],
    ],
    [
      'marker and priority of a suggestion',
      { suggestions: [{ when: {}, because: 'x', marker: 'far away', priority: 'urgent' }] },
      [
        missing('suggestions.0.marker', 'marker', 'far away', 'defined: one'),
        missing('suggestions.0.priority', 'priority', 'urgent', 'defined: P0'),
      ],
    ],
    [
      'the priority of a name',
      { named: [{ name: 'n', class: 'A', priority: 'P1' }] },
      [missing('named.0.priority', 'priority', 'P1', 'did you mean `P0`?')],
    ],
    [
      'the priority of a batch',
      { batches: { b: { title: 't', priorities: ['P0', 'P2'] } } },
      [missing('batches.b.priorities.1', 'priority', 'P2', 'did you mean `P0`?')],
    ],
    [
      'the priority of a severity',
      {
        alerts: {
          factor: 2,
          floorSeconds: 1,
          documentedThresholdSeconds: null,
          severityByPriority: { P3: 'x' },
          runbook: null,
        },
      },
      [missing('alerts.severityByPriority.P3', 'priority', 'P3', 'did you mean `P0`?')],
    ],
    [
      'the marker of an acceptance',
      {
        acceptance: [
          { id: 'a', document: 'd', title: 't', test: { kind: 'marker-tagged', marker: 'two', projectId: 'p' } },
        ],
      },
      [missing('acceptance.0.test.marker', 'marker', 'two', 'defined: one')],
    ],
    [
      'an id twice',
      {
        priorities: [
          { id: 'P0', title: 'a' },
          { id: 'P0', title: 'b' },
        ],
        milestones: [1, 2].map(() => ({ id: 'm', title: 't', test: { kind: 'legacy-zero' } })),
        acceptance: [1, 2].map(() => ({ id: 'a', document: 'd', title: 't', test: { kind: 'all-tagged' } })),
      },
      [
        'priorities.1.id: `P0` is there twice; give each its own id',
        'milestones.1.id: `m` is there twice; give each its own id',
        'acceptance.1.id: `a` is there twice; give each its own id',
      ],
    ],
  ])('%s', (_, more, expected) => {
    expect(faults(more)).toEqual(expected);
  });

  test('no policy at all', () => {
    expect(() => policyFromJson(null, 'p')).toThrow(PolicyError);
    expect(() => policyFromJson('x', 'p')).toThrow('p:1:1: the policy: a mapping expected, string `x` found');
  });
});
