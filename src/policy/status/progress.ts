/** What a burn-down counts: as many as `statusReport` tells of the same analysis, and nothing else worked out. */

import type { Analysis, Catalogue, Decision, Entry, Policy } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { primary } from '../catalogue/primary.ts';
import { type Candidate, type Hints, hintOf } from '../reconcile/candidates.ts';
import { decide, isRequired } from '../reconcile/classify.ts';
import { matchRows } from '../reconcile/match.ts';
import { grouped, isLegacy, tagOf } from './loops.ts';

export interface Progress {
  loops: number;
  untagged: number;
  legacy: number;
  /** The lines on which spawns stand had a say, or may have one. */
  byLine: boolean;
}

/** A matched spawn; the policy is asked about it only where the counts depend on its answer. */
class Spawn {
  readonly site: Candidate['site'];
  readonly target: Candidate['target'];
  /** The row that lists it. */
  readonly entry: Entry | null;
  readonly required: boolean;
  private decided: Decision | null = null;

  /** `row`: what it is judged by, which lists it unless the row is `open`. */
  constructor(
    private readonly candidate: Candidate,
    private readonly row: Entry | null,
    open: boolean,
    private readonly judge: (candidate: Candidate, row: Entry | null) => Decision,
  ) {
    this.site = candidate.site;
    this.target = candidate.target;
    this.entry = open ? null : row;
    this.required = isRequired(candidate, row);
  }

  get marker(): string | null {
    return this.row?.marker ?? this.decision.marker;
  }

  get projectId(): string | null {
    return this.decision.projectId;
  }

  private get decision(): Decision {
    this.decided ??= this.judge(this.candidate, this.row);
    return this.decided;
  }
}

export function progressOf(analysis: Analysis, catalogue: Catalogue | null, policy: Policy, hints: Hints): Progress {
  const { candidates, undecided, stale } = matchRows(analysis, catalogue, hints);
  const filling = new Map(undecided.map((u) => [u.candidate, u.entry]));
  const judge = (c: Candidate, row: Entry | null): Decision => decide(policy, c, row, hintOf(hints, c.site));
  const spawns = candidates.map((c) => {
    const open = filling.get(c);
    return new Spawn(c, open ?? c.entry, open !== undefined, judge);
  });
  const loops = grouped(spawns).map((group) => standing(group, catalogue, policy));
  const named = candidates.every((c) => !c.entry || c.matchedBy === 'name' || c.matchedBy === 'hint');
  const unlisted = spawns.filter(({ entry }) => entry === null || entry.struck).length;
  return {
    loops: loops.length,
    untagged: loops.filter((l) => l.untagged).length,
    legacy: loops.filter((l) => l.legacy).length,
    byLine: !named || stale.length > 0 || undecided.length > 1 || unlisted > 1,
  };
}

function standing(
  spawns: readonly Spawn[],
  catalogue: Catalogue | null,
  policy: Policy,
): { untagged: boolean; legacy: boolean } {
  const [first] = spawns;
  const entry = first?.entry ?? null;
  const speaks = entry && catalogue ? primary(spawns, entry, catalogue) : first;
  // which of several ids is in force depends on the one that is expected
  const tag = first ? tagInForce(first) : null;
  const { untagged, actual } =
    spawns.length > 1
      ? { untagged: tagOf(spawns).tag === 'untagged', actual: tagOf(spawns).actual }
      : { untagged: tag === null, actual: tag?.projectId ?? null };
  return { untagged, legacy: isLegacy(policy, speaks?.marker ?? null, actual) };
}
