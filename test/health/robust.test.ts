import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  agreementJson,
  agreementText,
  buildAlerts,
  checkRulesFile,
  reconcileRuntime,
  renderRules,
  runtimeJson,
  runtimeText,
} from '../../src/health/index.ts';
import { PromqlError } from '../../src/health/promql/lexer.ts';
import { parsePromql } from '../../src/health/promql/parser.ts';
import { quote, selector } from '../../src/health/promql/write.ts';
import { awoooiDecisions, policy } from './awoooi.ts';

const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd');

const plan = buildAlerts(awoooiDecisions(), policy());
const pieces = fc.array(
  fc.constantFrom(
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    ',',
    ' ',
    'time()',
    '-',
    '>',
    '300',
    'max',
    'by',
    plan.metric,
    '=~',
    '"a',
    '"',
    'on',
    '5m',
    '@',
    ':',
    'offset',
    'and',
    '#',
  ),
  { maxLength: 25 },
);

describe('whatever comes in', () => {
  it('an expression parses or is refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          pieces.map((p) => p.join(' ')),
        ),
        (source) => {
          try {
            parsePromql(source);
          } catch (error) {
            expect(error).toBeInstanceOf(PromqlError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a rules file is judged', () => {
    const rules = renderRules(plan);
    const broken = fc
      .tuple(fc.nat(rules.length), fc.nat(40), fc.string())
      .map(([at, cut, put]) => rules.slice(0, at) + put + rules.slice(at + cut, at + 3000));
    fc.assert(
      fc.property(fc.oneof(fc.string(), broken), (text) => Array.isArray(checkRulesFile(text, plan))),
      { numRuns: 40 },
    );
  });

  it('a dump is read', () => {
    const line = fc.oneof(fc.string(), fc.json(), fc.constant('12 0xabc  Task-1   a -> b   0x0'));
    fc.assert(
      fc.property(
        fc.array(line),
        (lines) => typeof runtimeText(reconcileRuntime(lines, awoooiDecisions())) === 'string',
      ),
      { numRuns: 200 },
    );
  });

  it('a quoted label value comes back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(parsePromql(selector('m', [['l', '=', value]]))).toEqual({
          kind: 'selector',
          metric: 'm',
          matchers: [{ label: 'l', op: '=', value: wellFormed(value) }],
        });
        expect(parsePromql(quote(value))).toEqual({ kind: 'string', value: wellFormed(value) });
      }),
    );
  });
});

describe('reports', () => {
  it('say where and what to do', () => {
    const problems = checkRulesFile(
      `groups:\n- name: g\n  rules:\n  - {alert: "A\u202e", expr: "time() - ${plan.metric} > 300"}\n`,
      plan,
    );
    const text = agreementText(problems, 'rules.yaml');
    expect(text).toContain('rules.yaml:4:5: error threshold-too-short: A\\u{202e}: threshold 5m is shorter');
    expect(text).toContain('and 11 more (16 loops)');
    expect(text).toContain(
      'apps/api/src/main.py:490: warning code-catalogue: run_approval_timeout_resolver: no heartbeat',
    );
    expect(JSON.parse(agreementJson(problems, 'rules.yaml')).problems).toHaveLength(problems.length);
    expect(agreementText([], 'rules.yaml')).toBe('Code, catalogue and rules agree.\n');
  });

  it('say what never started', () => {
    const report = reconcileRuntime('{"qualname": "stray", "file": "x.py", "line": 3}', awoooiDecisions());
    const text = runtimeText(report);
    expect(text).toContain('Never started:\n  #4 resend_stale_ready_tokens apps/api/src/main.py:362');
    expect(text).toContain('Running, unknown to the analysis:\n  stray x.py:3');
    expect(text).toContain('1 tasks, 0 of 31 catalogued loops run.');
    expect(JSON.parse(runtimeJson(report)).schema).toBe('looptag/runtime@1');
  });
});
