import { defineCheck } from '../../../src/engine/contracts.ts';
import { duration } from '../../../src/model/duration.ts';
import type { LoopFacts } from '../../../src/model/index.ts';
import { plural } from '../../../src/model/plural.ts';
import { aboutRow, nameOf, requiredLoops } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  short: (threshold: string, loops: string, slowest: string, period: string) =>
    `the documented alert threshold of ${threshold} is not longer than the period of ${loops}, such as ${slowest} (${period}): it fires while they are healthy`,
};

export default defineCheck({
  id: 'stale-threshold',
  code: 'LT027',
  severity: 'note',
  summary: "The policy's single alert threshold is too short for loops that run less often.",
  fixable: false,
  remedy:
    'use the rules that `looptag alerts` derives from each period, and set `documentedThresholdSeconds` to null in the policy',
  *run(input) {
    const { catalogue, policy } = input;
    const threshold = policy.alerts.documentedThresholdSeconds;
    if (!catalogue || threshold === null) return;
    const slow = [...requiredLoops(input)]
      .map(({ decision, target }) => ({ decision, entry: decision.entry, seconds: periodOf(target.facts) }))
      .filter(({ seconds }) => seconds >= threshold)
      .sort((a, b) => b.seconds - a.seconds);
    const listed = slow.find(({ entry }) => entry !== null);
    if (!listed?.entry) return;
    const name = quoted(nameOf(listed.decision));
    const message = MESSAGES.short(duration(threshold), plural(slow.length, 'loop'), name, duration(listed.seconds));
    // One finding: the threshold is at fault, not the loops.
    yield aboutRow(catalogue, listed.entry, 'frequency', message, { identity: `${catalogue.file}:alert-threshold` });
  },
});

/** 0 when it is unknown: nothing is claimed about such a loop. */
function periodOf({ periodSeconds, periodRange, nominalPeriodSeconds }: LoopFacts): number {
  return periodSeconds ?? periodRange?.max ?? nominalPeriodSeconds ?? 0;
}
