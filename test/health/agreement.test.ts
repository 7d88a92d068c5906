import { describe, expect, it } from 'vitest';
import { buildAlerts, checkRulesFile, renderPrometheusRule, renderRules } from '../../src/health/index.ts';
import { readConditions } from '../../src/health/promql/conditions.ts';
import { parsePromql } from '../../src/health/promql/parser.ts';
import { awoooiDecisions, entry, policy } from './awoooi.ts';

const plan = { ...buildAlerts(awoooiDecisions(), policy()), notes: [] };
const M = plan.metric;
const ruleFile = (...rules: string[]) =>
  `groups:\n  - name: g\n    rules:\n${rules.map((r) => `      - ${r}\n`).join('')}`;
const alert = (expr: string, rest = '') => `{ alert: A, expr: '${expr}'${rest} }`;
const codes = (text: string) => checkRulesFile(text, plan).map((p) => p.code);
const about = (text: string, code: string) => checkRulesFile(text, plan).filter((p) => p.code === code);

describe('the generated rules', () => {
  it('agree with their own plan', () => {
    expect(checkRulesFile(renderRules(plan), plan)).toEqual([]);
    expect(checkRulesFile(renderPrometheusRule(plan), plan)).toEqual([]);
  });

  it('carry what code and catalogue disagree on', () => {
    const decisions = awoooiDecisions();
    decisions[4]!.entry = entry(5, 'run_incident_analysis_sweeper', 373, 3600);
    const noted = buildAlerts(decisions, policy());
    const found = checkRulesFile(renderRules(noted), noted);
    expect(found.filter((p) => p.message.includes('period mismatch'))).toHaveLength(1);
    expect(found.filter((p) => p.message.includes('no heartbeat'))).toHaveLength(28);
  });
});

describe("ADR-123's single rule", () => {
  const text = `groups:
  - name: loops
    rules:
      # Prometheus alert
      - alert: BackgroundLoopStale
        expr: time() - ${M} > 300
        labels:
          severity: warning
`;

  it('rings for ever on 16 loops and flaps on six', () => {
    const short = about(text, 'threshold-too-short')[0]!;
    expect(short.loops).toHaveLength(16);
    expect(short).toMatchObject({ line: 5, column: 9, severity: 'error', rule: 'BackgroundLoopStale' });
    expect(about(text, 'threshold-at-period')[0]!.loops).toHaveLength(6);
  });

  it('rings at boot, judges each worker, misses what never starts, and plays P0 down', () => {
    expect(codes(text)).toEqual([
      'label-differs',
      'threshold-too-short',
      'threshold-at-period',
      'boot-guard-missing',
      'per-worker',
      'loop-without-absent',
    ]);
    expect(about(text, 'label-differs')[0]!.message).toContain('"critical" for approval_timeout_resolver');
  });
});

describe('loops and rules', () => {
  it('names loops without a rule and rules without a loop', () => {
    const text = ruleFile(
      alert(`time() - max by (loop_name) (${M}{loop_name=~"evolver_loop|run_alert_processor"} > 0) > 9000`),
    );
    expect(about(text, 'rule-without-loop')[0]!.loops).toEqual(['run_alert_processor']);
    expect(about(text, 'loop-without-rule')[0]!.loops).toHaveLength(27);
  });

  it('knows rows that vanished, and one-shots', () => {
    const gone = { ...plan, gone: [{ loopName: 'old', functionName: 'run_old', number: 40 }] };
    const text = ruleFile(
      alert(`time() - ${M}{loop_name="old"} > 9`),
      alert(`time() - ${M}{loop_name="backfill_redis_to_pg"} > 9`),
    );
    const found = checkRulesFile(text, gone);
    expect(found.find((p) => p.code === 'rule-without-loop')!.message).toContain('gone from the code');
    expect(found.find((p) => p.code === 'rule-for-one-shot')!.severity).toBe('error');
  });

  it('wants an absent of its own for each loop', () => {
    const all = alert(`time() - max by (loop_name) (${M} > 0) > 999999`);
    const missing = (expr: string) => about(ruleFile(all, alert(expr)), 'loop-without-absent')[0]!.loops.length;
    expect(missing(`absent(${M})`)).toBe(28);
    expect(missing(`absent(${M}{loop_name="evolver_loop"})`)).toBe(27);
  });

  it('notices labels that differ', () => {
    const text = ruleFile(
      alert(
        `time() - max by (loop_name) (${M}{loop_name="evolver_loop",project_id="ewoooc"} > 0) > 9000`,
        ', labels: { catalog_number: "17" }',
      ),
    );
    expect(about(text, 'label-differs').map((p) => p.message)).toEqual([
      expect.stringContaining('project_id="ewoooc" does not fit evolver_loop (awoooi)'),
      expect.stringContaining('label catalog_number is "17", policy and catalogue give "18" for evolver_loop'),
    ]);
  });
});

describe('expressions', () => {
  it.each([
    [`time() - ${M} > 300`, 300, 'each', false],
    [`time() - max by (loop_name) (${M} > 0) > 5 * 60`, 300, 'newest', true],
    [`(time() - max(${M}) without (pid)) / 60 > 10`, 600, 'other', false],
    [`${M} < time() - 300`, 300, 'each', false],
    [`300 <= time() - ${M}`, 300, 'each', false],
    [`min by (loop_name) (time() - ${M}) > 90`, 90, 'newest', false],
    [`max by (loop_name) (time() - ${M}) > 90`, 90, 'oldest', false],
    [`time() - ${M} > 300 and ${M} > 0`, 300, 'each', true],
    [`(time() - ${M} > 300) unless on (loop_name) ${M} == 0`, 300, 'each', true],
    [`-(${M} - time()) > bool 2 ^ 3 * 10`, null, 'each', false],
    [`time() - {"${M}", loop_name!=''} > 1h`, 3600, 'each', false],
    [`time() - max_over_time(${M}[1h:1m] offset 5m) > 1e2 # a comment`, 100, 'each', false],
    [`loop:age:seconds > 120`, 120, 'newest', true],
  ])('%s', (source, thresholdSeconds, workers, guarded) => {
    const records = new Map([['loop:age:seconds', parsePromql(`time() - max by (loop_name) (${M} > 0)`)]]);
    const { conditions, mentions } = readConditions(parsePromql(source), M, records);
    expect(mentions).toBe(true);
    if (thresholdSeconds === null) expect(conditions).toEqual([]);
    else {
      const fixed = workers === 'other' ? expect.anything() : workers;
      expect(conditions).toEqual([
        { kind: 'stale', thresholdSeconds, use: { matchers: expect.any(Array), workers: fixed, guarded } },
      ]);
    }
  });

  it('does not follow a record in circles', () => {
    const records = new Map([
      ['a', parsePromql('b + 1')],
      ['b', parsePromql('a + 1')],
    ]);
    expect(readConditions(parsePromql('a > 1'), M, records)).toEqual({ conditions: [], mentions: false });
  });

  it('says what it could not judge', () => {
    const text = ruleFile(alert(`changes(${M}[10m]) == 0`), alert(`time() - ${M} > > 3`), alert('up == 0'));
    expect(about(text, 'expr-unreadable').map((p) => p.message)).toEqual([
      expect.stringContaining('not understood'),
      expect.stringContaining('unexpected >'),
    ]);
  });

  it.each(['', '(', 'time(', 'a{b', 'a[5m', '{', '"x', 'a by', `${'('.repeat(5000)}1`])('refuses %s', (source) => {
    expect(() => parsePromql(source)).toThrow();
  });
});

describe('files', () => {
  it('reports YAML errors with their line and still judges the rest', () => {
    const text = `${ruleFile(alert(`time() - ${M} > 300`))}  bad: [1, 2\nx: }\n`;
    const yaml = about(text, 'yaml-error');
    expect(yaml.length).toBeGreaterThan(0);
    expect(yaml[0]!.line).toBeGreaterThanOrEqual(4);
    expect(codes(text)).toContain('threshold-too-short');
  });

  it('reads several documents and lists of resources', () => {
    const text = `kind: List\nitems:\n- kind: PrometheusRule\n  spec: {groups: [{name: g, rules: [${alert(`time() - ${M} > 1`)}]}]}\n---\ngroups:\n- {name: h, rules: [${alert(`time() - ${M} > 2`)}]}\n`;
    expect(about(text, 'threshold-too-short').map((p) => p.line)).toEqual([4, 7]);
  });

  it.each(['', 'just text', '[]', 'a: 1'])('says that there are no rules in %j', (text) => {
    expect(codes(text)).toEqual(['no-rules', 'loop-without-rule']);
  });

  it('reports a rule that is none', () => {
    expect(about(ruleFile('{ expr: up }', '{ alert: B }'), 'yaml-error')).toHaveLength(2);
  });
});
