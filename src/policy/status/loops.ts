import type { Catalogue, Decision, LoopStatus, Policy, Reconciliation } from '../../model/index.ts';
import { byFile } from '../../model/order.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { primary } from '../catalogue/primary.ts';
import { lookup } from '../reconcile/classify.ts';

/** Decisions of one loop: those of one row, else those that start the same function. */
export function grouped<D extends Pick<Decision, 'site' | 'target' | 'entry' | 'required'>>(
  decisions: readonly D[],
): D[][] {
  const groups = new Map<unknown, D[]>();
  for (const decision of decisions) {
    if (!decision.required) continue;
    const key = decision.entry ?? decision.target?.qualifiedName ?? decision.target?.name ?? decision.site.id;
    groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups.values()];
}

/** The least tagged of a loop's spawns says how far it is. */
export function tagOf(
  decisions: readonly Pick<Decision, 'site' | 'target' | 'projectId'>[],
): Pick<LoopStatus, 'tag' | 'actual' | 'expected'> {
  const order = ['untagged', 'wrong', 'dynamic', 'tagged'] as const;
  const states = decisions.map((d) => {
    const tag = tagInForce(d);
    const expected = d.projectId;
    if (!tag) return { tag: 'untagged' as const, actual: null, expected };
    if (tag.projectId === null) return { tag: 'dynamic' as const, actual: null, expected };
    const right = expected === null || tag.projectId === expected;
    return { tag: right ? ('tagged' as const) : ('wrong' as const), actual: tag.projectId, expected };
  });
  states.sort((a, b) => order.indexOf(a.tag) - order.indexOf(b.tag));
  return states[0] ?? { tag: 'untagged', actual: null, expected: null };
}

/** Is it on the transitional marker, or does it carry the transitional id? */
export function isLegacy(policy: Policy, marker: string | null, actual: string | null): boolean {
  const label = policy.legacyLabel.value;
  return lookup(policy.markers, marker)?.legacy === true || (label !== '' && actual === label);
}

function missingOf(loop: LoopStatus, policy: Policy, hasCatalogue: boolean): LoopStatus['missing'] {
  const missing: LoopStatus['missing'] = [];
  if (hasCatalogue && loop.number === null) missing.push('row');
  if (loop.tag === 'untagged') missing.push('project-id');
  if (loop.tag === 'wrong') missing.push('wrong-project-id');
  const wantsTrace = policy.priorities.find((p) => p.id === loop.priority)?.traceId === true;
  if (wantsTrace && !loop.traceId) missing.push('trace-id');
  if (loop.lifecycle !== 'one-shot' && !loop.heartbeat) missing.push('heartbeat');
  return missing;
}

/** Every background loop of the code and how far it is. */
export function loopsOf(reconciliation: Reconciliation, catalogue: Catalogue | null, policy: Policy): LoopStatus[] {
  const loops = grouped(reconciliation.decisions).flatMap((decisions): LoopStatus[] => {
    const [first] = decisions;
    const entry = first?.entry ?? null;
    const decision = entry && catalogue ? primary(decisions, entry, catalogue) : first;
    if (!first || !decision) return [];
    const { site, target } = decision;
    const listed = entry !== null && !entry.struck;
    const tag = tagOf(decisions);
    const facts = target?.facts;
    const loop: LoopStatus = {
      number: listed ? entry.number : null,
      name: (listed ? entry.name : null) ?? target?.name ?? (site.argument.split('\n')[0] || site.api),
      file: site.range.file,
      line: site.range.line,
      sites: decisions.map((d) => d.site.id),
      class: decision.class,
      priority: decision.priority,
      marker: decision.marker,
      batch: decision.batch,
      ...tag,
      legacy: isLegacy(policy, decision.marker, tag.actual),
      lifecycle: facts?.lifecycle ?? 'unknown',
      periodSeconds: facts?.periodSeconds ?? facts?.nominalPeriodSeconds ?? null,
      traceId: decisions.every((d) => d.target?.traceId === true),
      heartbeat: facts?.heartbeat?.inLoop === true,
      missing: [],
      reasons: decision.reasons,
    };
    // A row without a number column still is a row.
    const missing = missingOf(loop, policy, catalogue !== null).filter((m) => m !== 'row' || !listed);
    return [{ ...loop, missing }];
  });
  const last = Number.MAX_SAFE_INTEGER;
  return loops.sort((a, b) => (a.number ?? last) - (b.number ?? last) || byFile(a, b) || a.line - b.line);
}
