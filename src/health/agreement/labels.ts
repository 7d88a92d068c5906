import type { AlertPlan, LoopAlert } from '../model.ts';
import type { Matcher } from '../promql/parser.ts';
import { ruleLabels } from '../rule-parts.ts';
import { admits, covers } from './coverage.ts';
import type { AgreementProblem } from './model.ts';
import { named, problem } from './problem.ts';
import type { ReadRule } from './read-rules.ts';

/** Labels of a rule, and matchers of its expression, that contradict the catalogue. */
export function labelProblems(rule: ReadRule, matchers: readonly Matcher[], plan: AlertPlan): AgreementProblem[] {
  const loops = plan.loops.filter((loop) => covers(matchers, plan, loop, false));
  return [...wrongProject(rule, matchers, plan, loops), ...wrongLabels(rule, plan, loops)];
}

/** A matcher on the project id that shuts out the loop's own series: the rule can never ring. */
function wrongProject(rule: ReadRule, matchers: readonly Matcher[], plan: AlertPlan, loops: readonly LoopAlert[]) {
  return matchers
    .filter((matcher) => matcher.label === plan.projectLabel && matcher.op !== '!=' && matcher.op !== '!~')
    .flatMap((matcher) => {
      // A rule for one project among several is no contradiction as long as it names no loop of another.
      const byName = matchers.some((m) => m.label === plan.loopLabel);
      const shut = loops.filter((loop) => loop.projectId !== null && !admits(matcher, loop.projectId));
      if (shut.length === 0 || !byName) return [];
      const message = `${matcher.label}${matcher.op}"${matcher.value}" does not fit ${named(shut, (l) => `${l.loopName} (${l.projectId})`)}`;
      return [differs(rule, message, shut)];
    });
}

function wrongLabels(rule: ReadRule, plan: AlertPlan, loops: readonly LoopAlert[]): AgreementProblem[] {
  return Object.entries(rule.labels).flatMap(([key, value]) => {
    if (value.includes('{{')) return [];
    const wrong = loops.filter((loop) => {
      const wanted = expectedLabels(plan, loop)[key];
      return wanted !== undefined && wanted !== value;
    });
    if (wrong.length === 0) return [];
    const list = named(wrong, (l) => `"${expectedLabels(plan, l)[key]}" for ${l.loopName}`);
    return [differs(rule, `label ${key} is "${value}", policy and catalogue give ${list}`, wrong)];
  });
}

function expectedLabels(plan: AlertPlan, loop: LoopAlert): Record<string, string> {
  const project = plan.projectLabel === null || loop.projectId === null ? {} : { [plan.projectLabel]: loop.projectId };
  return { ...ruleLabels(plan, loop), ...project };
}

function differs(rule: ReadRule, message: string, loops: readonly LoopAlert[]): AgreementProblem {
  const remedy = 'correct the label, or the catalogue when the rule is right';
  return problem('label-differs', 'warning', message, remedy, { rule, loops: loops.map((l) => l.loopName) });
}
