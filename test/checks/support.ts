import { checks } from '../../rules/checks/index.ts';
import { runChecks, selectChecks } from '../../src/engine/check.ts';
import type { CheckInput } from '../../src/engine/contracts.ts';
import type { Decision, Finding, LoopFacts, SiteShape, Target } from '../../src/model/index.ts';
import { checkInput, decision, facts, reconciliation, site, target } from '../support/builders.ts';

/** Findings of one rule. */
export function run(rule: string, over: Parameters<typeof checkInput>[0]): Finding[] {
  const { active, problems } = selectChecks(checks, { select: [rule] });
  if (problems.length > 0) throw new Error(problems[0]!.message);
  return runChecks(active, checkInput(over), { known: checks }).findings;
}

/** Findings of one rule on decisions alone. */
export function runOn(rule: string, decisions: Decision[], over: Partial<CheckInput> = {}): Finding[] {
  return run(rule, { reconciliation: reconciliation(decisions), ...over });
}

/** `12 error message`, to compare at a glance. */
export function lines(findings: Finding[]): string[] {
  return findings.map((f) => `${f.range.file}:${f.range.line} ${f.severity} ${f.message}`);
}

interface LoopOptions {
  line?: number;
  target?: Partial<Target>;
  facts?: Partial<LoopFacts>;
  shape?: Partial<SiteShape>;
  site?: Parameters<typeof site>[2];
  decision?: Partial<Decision>;
}

/** A decision on one spawned loop, with only what matters to the test said. */
export function loop(name: string, options: LoopOptions = {}): Decision {
  const coroutine = target(name, { facts: facts(options.facts), ...options.target });
  const base = site(name, options.line ?? 10, { targets: [coroutine], ...options.site });
  return decision({ ...base, shape: { ...base.shape, ...options.shape } }, options.decision);
}
