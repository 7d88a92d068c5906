import type { AlertPlan, LoopAlert } from '../model.ts';
import type { Matcher } from '../promql/parser.ts';

/**
 * Whether the matchers let a loop's series through. Labels that the gauge does not have itself (job, instance,
 * namespace) come from the scrape and are taken to fit. `project` false leaves the project id out of the question.
 */
export function covers(matchers: readonly Matcher[], plan: AlertPlan, loop: LoopAlert, project = true): boolean {
  return matchers.every((matcher) => {
    if (matcher.label === plan.loopLabel) return admits(matcher, loop.loopName);
    if (project && matcher.label === plan.projectLabel && loop.projectId !== null)
      return admits(matcher, loop.projectId);
    return true;
  });
}

export function admits({ op, value }: Matcher, text: string): boolean {
  if (op === '=') return value === text;
  if (op === '!=') return value !== text;
  const pattern = compile(value);
  return pattern === null ? true : pattern.test(text) === (op === '=~');
}

/** null: a regular expression that only Go's engine reads. It then admits everything rather than hide a loop. */
function compile(source: string): RegExp | null {
  try {
    return new RegExp(`^(?:${source})$`, 'su');
  } catch {
    return null;
  }
}

/** Loops that matchers name one by one: by `=`, or as plain alternatives of `=~`. */
export function namedLoops(matchers: readonly Matcher[], plan: AlertPlan): string[] {
  return matchers
    .filter((m) => m.label === plan.loopLabel)
    .flatMap(({ op, value }) => {
      if (op === '=') return [value];
      const bare = value.replace(/^\((?:\?:)?(.*)\)$/s, '$1');
      return op === '=~' && !/[\\^$.*+?()[\]{}]/.test(bare) ? bare.split('|') : [];
    });
}
