import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  buildAlerts,
  renderDashboard,
  renderPrometheusRule,
  renderPromtoolTests,
  renderRules,
} from '../../src/health/index.ts';
import { duration, quote, selector, templateText } from '../../src/health/promql/write.ts';
import { humanize, sampleNotation } from '../../src/health/promtool.ts';
import { facts, site, target } from '../support/builders.ts';
import { awoooiDecisions, decision, entry, policy } from './awoooi.ts';

const rulesIn = (text: string) =>
  (parse(text) as { groups: { rules: { expr: string; annotations: { summary: string } }[] }[] }).groups.flatMap(
    (g) => g.rules,
  );

function one(name: string, over: Parameters<typeof facts>[0], more: Parameters<typeof decision>[2] = {}) {
  const own = target(name, { facts: facts(over) });
  return decision(name, 5, { site: site(name, 5, { targets: [own] }), target: own, ...more });
}

describe('the plan of the 31 loops', () => {
  const plan = buildAlerts(awoooiDecisions(), policy());

  it('watches every loop and no one-shot', () => {
    expect(plan.loops).toHaveLength(28);
    expect(plan.skipped.map((s) => [s.number, s.code])).toEqual([1, 2, 3].map((n) => [n, 'one-shot']));
  });

  it('follows each period, never below the floor', () => {
    const threshold = (n: number) => plan.loops.find((l) => l.number === n)!.thresholdSeconds;
    expect([4, 5, 6, 8, 11, 15, 16].map(threshold)).toEqual([300, 600, 1200, 1800, 7200, 43_200, 172_800]);
    for (const loop of plan.loops) expect(loop.thresholdSeconds).toBeGreaterThan(loop.periodSeconds);
  });

  it('takes severity from the priority and the runbook from the policy', () => {
    const p0 = plan.loops.find((l) => l.number === 17)!;
    expect([p0.severity, p0.runbook]).toEqual(['critical', 'https://runbooks.example/loops#approval_timeout_resolver']);
    expect(plan.loops.find((l) => l.number === 27)!.severity).toBe('warning');
  });
});

describe('periods', () => {
  const only = (d: ReturnType<typeof one>, p = policy()) => buildAlerts([d], p);

  it('uses the catalogue when the code has none, and says so', () => {
    const d = one('run_backoff', { periodSeconds: null }, { entry: entry(9, 'run_backoff', 5, 600) });
    expect(only(d).loops[0]).toMatchObject({ periodSeconds: 600, periodOrigin: 'catalogue', thresholdSeconds: 1200 });
  });

  it('lists a loop without any period, demanding a frequency', () => {
    const plan = only(one('run_backoff', { periodSeconds: null, periodSource: 'the sleep grows' }));
    expect(plan.loops).toEqual([]);
    expect(plan.skipped[0]).toMatchObject({ code: 'unknown-period' });
    expect(plan.skipped[0]!.reason).toContain('the sleep grows');
  });

  it('takes the longest sleep of a jitter, and the schedule of a computed one', () => {
    const jitter = one('a', { periodSeconds: null, periodRange: { min: 240, max: 360 } });
    expect(only(jitter).loops[0]).toMatchObject({ periodSeconds: 360, periodOrigin: 'code-range' });
    const midnight = one('b', { periodSeconds: null, nominalPeriodSeconds: 86_400 });
    expect(only(midnight).loops[0]).toMatchObject({ periodSeconds: 86_400, periodOrigin: 'code-schedule' });
  });

  it('reports code against catalogue', () => {
    const d = one('run_const', { periodSeconds: 14_400 }, { entry: entry(2, 'run_const', 5, 60) });
    const plan = only(d);
    expect(plan.loops[0]!.periodSeconds).toBe(14_400);
    expect(plan.notes.find((n) => n.code === 'period-mismatch')!.message).toContain(
      'code 4h (14400 s), catalogue 1m (60 s)',
    );
  });

  it.each([
    [104, 100, false],
    [107, 100, true],
    [93, 100, true],
  ])('and lets a round take its time: code %i s, catalogue %i s', (periodSeconds, stated, isReported) => {
    const plan = only(one('run_it', { periodSeconds }, { entry: entry(2, 'run_it', 5, stated) }));
    expect(plan.notes.some((n) => n.code === 'period-mismatch')).toBe(isReported);
  });

  it('keeps the threshold above the period even with a factor of 1', () => {
    const plan = only(one('run_five', { periodSeconds: 300 }), policy({ factor: 1 }));
    expect(plan.loops[0]!.thresholdSeconds).toBe(600);
    expect(plan.notes.map((n) => n.code)).toContain('factor-too-small');
  });

  it('waits for a loop that rests before it starts', () => {
    const loop = only(one('run_late', { periodSeconds: 60, initialDelaySeconds: 900 })).loops[0]!;
    expect([loop.neverRanForSeconds, loop.absentForSeconds]).toEqual([1200, 1200]);
  });
});

describe('heartbeats in the code', () => {
  const beat = {
    metric: 'awooop_background_loop_last_run_timestamp',
    variable: 'LOOP_LAST_RUN',
    file: 'a.py',
    line: 3,
    labelNames: ['loop_name', 'project_id'],
    labels: { loop_name: 'poller', project_id: 'awoooi' } as Record<string, string | null> | null,
    onSuccess: true,
    inLoop: true,
    definition: null,
  };
  const planWith = (heartbeat: typeof beat & { atStart?: boolean }) =>
    buildAlerts([one('run_poll', { periodSeconds: 3600, heartbeat })], policy());

  it('watches the label value that the code writes', () => {
    const plan = planWith(beat);
    expect(plan.loops[0]).toMatchObject({ loopName: 'poller', heartbeat: true });
    expect(plan.notes).toEqual([]);
  });

  it('reports a missing series early only when the loop beats at its start', () => {
    expect(planWith(beat).loops[0]!.absentForSeconds).toBe(7200);
    expect(planWith({ ...beat, atStart: true }).loops[0]!.absentForSeconds).toBe(300);
  });

  it.each([
    ['heartbeat-metric', { ...beat, metric: 'other_timestamp' }],
    ['heartbeat-labels', { ...beat, labels: null }],
    ['heartbeat-labels', { ...beat, labelNames: ['loop_name'] }],
    ['heartbeat-labels', { ...beat, labels: { loop_name: 'poller', project_id: 'ewoooc' } }],
    ['multiprocess-mode', { ...beat, definition: { file: 'm.py', line: 1, multiprocessMode: 'all' } }],
  ])('%s', (code, heartbeat) => {
    expect(planWith(heartbeat as typeof beat).notes.map((n) => n.code)).toEqual([code]);
  });

  it('tells two functions that share a label value', () => {
    const heartbeat = { ...beat, labels: { loop_name: 'poll', project_id: 'awoooi' } };
    const plan = buildAlerts(
      [one('run_poll', { heartbeat }), one('_poll', { heartbeat, periodSeconds: 900 })],
      policy(),
    );
    expect(plan.loops).toHaveLength(1);
    expect(plan.loops[0]!.periodSeconds).toBe(900);
    expect(plan.notes.map((n) => n.code)).toContain('same-loop-name');
  });
});

describe('rule files', () => {
  const plan = buildAlerts(awoooiDecisions(), policy());

  it('has three rules a loop, grouped by period', () => {
    const groups = (parse(renderRules(plan)) as { groups: { name: string; rules: unknown[] }[] }).groups;
    expect(groups.map((g) => [g.name.replace('background-loops-', ''), g.rules.length / 3])).toEqual([
      ['10s', 1],
      ['30s', 5],
      ['5m', 6],
      ['10m', 1],
      ['15m', 3],
      ['30m', 2],
      ['1h', 5],
      ['6h', 3],
      ['1d', 2],
    ]);
  });

  it('is the same in the custom resource', () => {
    const crd = parse(renderPrometheusRule(plan, { namespace: 'monitoring', labels: { release: 'kps' } }));
    expect(crd).toMatchObject({
      kind: 'PrometheusRule',
      metadata: { namespace: 'monitoring', labels: { release: 'kps' } },
    });
    expect(crd.spec).toEqual(parse(renderRules(plan)));
  });

  it('keeps hostile names inside their strings', () => {
    const name = 'x"} or vector(1) {{ printf "%s" $labels }}\nalert: 1';
    const d = one('run_x', { periodSeconds: 60 });
    d.target!.name = name;
    const hostile = buildAlerts([d], policy({ runbook: null }));
    const text = renderRules(hostile);
    const rules = rulesIn(text);
    expect(rules).toHaveLength(3);
    expect(rules[0]!.expr).toContain(`loop_name=${JSON.stringify(name)}`);
    expect(rules[0]!.annotations.summary).toContain('{{ "{{" }} printf');
    for (const { text: tests } of renderPromtoolTests(hostile)) expect(parse(tests).tests).toHaveLength(6);
    expect(() => JSON.parse(renderDashboard(hostile))).not.toThrow();
  });

  it('writes an empty plan', () => {
    const empty = buildAlerts([], policy());
    expect(parse(renderRules(empty))).toEqual({ groups: [] });
    expect(renderPromtoolTests(empty)).toEqual([]);
    expect(JSON.parse(renderDashboard(empty)).panels.length).toBeGreaterThan(0);
  });

  it('does not depend on the order of the decisions', () => {
    const turned = buildAlerts(awoooiDecisions().reverse(), policy());
    expect(renderRules(turned)).toBe(renderRules(plan));
    expect(renderDashboard(turned)).toBe(renderDashboard(plan));
  });
});

describe('notations', () => {
  it.each([
    [300, '5m'],
    [5400, '1h30m'],
    [90, '1m30s'],
    [86_400, '1d'],
    [1.5, '1s500ms'],
    [0, '0s'],
  ])('duration %d', (seconds, text) => expect(duration(seconds)).toBe(text));

  it.each([
    [360, '6m 0s'],
    [3.6, '3.6s'],
    [90_061, '1d 1h 1m 1s'],
    [7260, '2h 1m 0s'],
  ])('humanize %d', (seconds, text) => expect(humanize(seconds)).toBe(text));

  it('quotes', () => {
    expect(quote('a"\\\n\ud800')).toBe('"a\\"\\\\\\n\ufffd"');
    expect(selector('a-b', [['x', '=', 'y']])).toBe('{__name__="a-b", x="y"}');
    expect(templateText('{{{x}}')).toBe('{{ "{{" }}{x}}');
  });

  it('shortens runs of samples', () => {
    const gauge = { valueAt: (s: number) => (s < 60 ? null : Math.min(s, 240)) };
    expect(sampleNotation(gauge, 8, 60)).toBe('_ 60+60x3 240+0x2');
    expect(sampleNotation({ valueAt: (s) => Math.floor(s / 120) * 120 }, 5, 60)).toBe('0+0x1 120+0x1 240');
  });
});
