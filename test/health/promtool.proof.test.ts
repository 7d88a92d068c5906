import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  type AlertPlan,
  buildAlerts,
  renderDashboard,
  renderPrometheusRule,
  renderPromtoolTests,
  renderRules,
} from '../../src/health/index.ts';
import { facts, target } from '../support/builders.ts';
import { awoooiDecisions, decision, policy } from './awoooi.ts';
import { promtool, skipping } from './tools.ts';

const skip = skipping('promtool has not judged the rules', { prometheus: promtool });
const root = mkdtempSync(join(tmpdir(), 'looptag-promtool-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const plan = buildAlerts(awoooiDecisions(), policy());
let folders = 0;

/** Writes rules and tests of a plan; the rules may be tampered with. Returns a runner of promtool in that folder. */
function prepare(of: AlertPlan, tamper: (rules: string) => string = (rules) => rules) {
  const folder = mkdtempSync(join(root, `${folders++}-`));
  const rules = renderRules(of);
  const changed = tamper(rules);
  if (tamper.length > 0 && changed === rules && folders > 1 && tamper !== same) throw new Error('nothing was changed');
  writeFileSync(join(folder, 'looptag-rules.yaml'), changed);
  const tests = renderPromtoolTests(of);
  for (const { file, text } of tests) writeFileSync(join(folder, file), text);
  const run = (...args: string[]) => {
    const result = spawnSync(promtool!, args, { cwd: folder, encoding: 'utf8' });
    return { status: result.status, output: result.stdout + result.stderr };
  };
  return { run, folder, tests: tests.map(({ file }) => file) };
}

const same = (rules: string) => rules;

/** One loop each of two periods: enough to catch a wrong rule, and quick. */
const small = buildAlerts(
  awoooiDecisions().filter((d) => [5, 7, 17].includes(d.entry!.number!)),
  policy(),
);

describe.skipIf(skip)('promtool', () => {
  it('accepts the rules of the 31 loops', () => {
    const { run } = prepare(plan, same);
    const { status, output } = run('check', 'rules', 'looptag-rules.yaml');
    expect(output).toContain('SUCCESS: 84 rules found');
    expect(status).toBe(0);
  });

  it('passes the generated tests of the 31 loops', () => {
    const { run, tests } = prepare(plan, same);
    const { status, output } = run('test', 'rules', ...tests);
    expect(output).not.toContain('FAILED');
    expect(output.match(/SUCCESS/g)).toHaveLength(tests.length);
    expect(status).toBe(0);
  });

  it('accepts the rules inside the custom resource', () => {
    const { run, folder } = prepare(plan, same);
    const { spec } = parse(renderPrometheusRule(plan));
    writeFileSync(join(folder, 'spec.yaml'), stringify(spec));
    expect(run('check', 'rules', 'spec.yaml').status).toBe(0);
  });

  it('understands every expression of the dashboard', () => {
    const { run, folder } = prepare(plan, same);
    const panels: { targets?: { expr: string }[] }[] = JSON.parse(renderDashboard(plan)).panels;
    const exprs = panels.flatMap((panel) => panel.targets ?? []).map(({ expr }) => expr.replaceAll('$project', '.*'));
    expect(exprs.length).toBeGreaterThan(10);
    const rules = exprs.map((expr, i) => ({ record: `panel:${i}`, expr }));
    writeFileSync(join(folder, 'panels.yaml'), stringify({ groups: [{ name: 'panels', rules }] }));
    expect(run('check', 'rules', 'panels.yaml').output).toContain('SUCCESS');
  });

  it('passes for names that try to get out', () => {
    const names = ['run_"x"} or vector(1) #', 'run_{{ printf "%s" $labels }}', 'run_\\d+|掃描', "run_'\n- alert: x"];
    const decisions = names.map((name, i) => {
      const own = target(name, { file: `${i}.py`, facts: facts({ periodSeconds: 600 }) });
      return decision('x', i, { target: own, priority: 'P0 {{ .Value }}', projectId: '{{ 1 }}"' });
    });
    const { run, tests } = prepare(buildAlerts(decisions, policy()), same);
    expect(run('check', 'rules', 'looptag-rules.yaml').output).toContain('12 rules found');
    const { status, output } = run('test', 'rules', ...tests);
    expect([status, output]).toEqual([0, expect.not.stringContaining('FAILED')]);
  });

  it('passes for thresholds below a second step', () => {
    const quick = awoooiDecisions().map((d) => ({
      ...d,
      target: {
        ...d.target!,
        facts: facts({ ...d.target!.facts, periodSeconds: d.target!.facts.periodSeconds && 0.5 }),
      },
      entry: null,
    }));
    const { run, tests } = prepare(buildAlerts(quick.slice(0, 8), policy({ floorSeconds: 2, factor: 3 })), same);
    const { status, output } = run('test', 'rules', ...tests);
    expect([status, output]).toEqual([0, expect.not.stringContaining('FAILED')]);
  });

  it.each<[string, (rules: string) => string]>([
    ['without the guard against 0', (r) => r.replaceAll(' > 0)', ')')],
    ['with a threshold of one period', (r) => r.replaceAll('> 600', '> 300')],
    ['with a threshold too long', (r) => r.replaceAll('> 600', '> 900')],
    ['without max by', (r) => r.replaceAll('max by (loop_name, project_id) ', '')],
    ['with min by', (r) => r.replaceAll('max by', 'min by')],
    ['with one absent for all', (r) => r.replace(/absent\((\w+)\{.*?\}\)/g, 'absent($1)')],
    ['without patience at boot', (r) => r.replace(/(== 0\n\s+for: )\w+/g, '$11s')],
    ['with the severity of another priority', (r) => r.replaceAll('severity: critical', 'severity: warning')],
  ])('fails for rules %s', (_, tamper) => {
    const { run, tests } = prepare(small, tamper);
    expect(run('test', 'rules', ...tests).output).toContain('FAILED');
  });
});
