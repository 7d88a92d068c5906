import type { Analysis, Catalogue, Decision, Policy, Reconciliation } from '../../model/index.ts';
import { type Candidate, type Hints, hintOf } from './candidates.ts';
import { decide } from './classify.ts';
import { matchRows } from './match.ts';
import type { Outlook } from './unseen.ts';
import { verdictOf } from './verdict.ts';

/**
 * Matches what the code starts with the rows of the catalogue, and judges each by the policy.
 *
 * @param hints what comments at the sites say, by `file:line`
 * @param outlook what is there besides; it says what became of loops that are not among the spawns
 */
export function reconcile(
  analysis: Analysis,
  catalogue: Catalogue | null,
  policy: Policy,
  hints: Hints = new Map(),
  outlook?: Outlook,
): Reconciliation {
  const matching = matchRows(analysis, catalogue, hints, outlook);
  const decisionOf = new Map<Candidate, Decision>();
  const filling = new Map(matching.undecided.map((u) => [u.candidate, u.entry]));
  for (const candidate of matching.candidates) {
    // An undecided row is judged by, where it says something, but names no loop yet.
    const open = filling.get(candidate) ?? null;
    const decision = decide(policy, candidate, open ?? candidate.entry, hintOf(hints, candidate.site));
    decisionOf.set(candidate, open ? { ...decision, entry: null, matchedBy: null } : decision);
  }
  const undecided = matching.undecided.map(({ entry, candidate }) => {
    const decision = candidate ? (decisionOf.get(candidate) ?? null) : null;
    return { entry, decision };
  });
  const decisions = [...decisionOf.values()];
  // One of the rows that are left may speak of it.
  const perhaps = new Set(matching.dynamic.map(({ site }) => site));
  const reconciliation: Reconciliation = {
    decisions,
    stale: matching.stale,
    unseen: matching.unseen,
    dynamic: matching.dynamic,
    unlisted: decisions.filter((d) => (d.entry === null && !perhaps.has(d.site)) || d.entry?.struck),
    undecided,
    verdict: '',
  };
  return { ...reconciliation, verdict: verdictOf(analysis, catalogue, reconciliation) };
}
