import { tail } from '../../model/identifier.ts';
import type { BatchRule, Decision, Entry, LoopClass, Policy, SuggestionRule } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { type Candidate, type Hint, isBackground, isWaitedFor } from './candidates.ts';

/** A looked-up key of a record that came from a file: never something of the prototype. */
export function lookup<T>(record: Record<string, T>, key: string | null | undefined): T | undefined {
  return key != null && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Of the policies that were read: a few dozen, asked of each loop. */
const patterns = new Map<string, RegExp>();

function pattern(text: string): RegExp {
  const known = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, known);
  return known;
}

/** Where the loop is defined, or, if that is not known, started. */
function moduleOf({ target, site }: Candidate): string {
  const definition = target?.qualifiedName ?? site.module;
  return definition.includes('.') ? definition.slice(0, definition.lastIndexOf('.')) : definition;
}

function applies(rule: SuggestionRule, candidate: Candidate): boolean {
  const { when } = rule;
  const facts = candidate.target?.facts;
  // facts may be derived when they are read: only those that a rule speaks of
  const period = (): number | null => facts?.periodSeconds ?? facts?.nominalPeriodSeconds ?? null;
  const isBelow = (least: number): boolean => (period() ?? Number.NEGATIVE_INFINITY) < least;
  const isAbove = (most: number): boolean => (period() ?? Number.POSITIVE_INFINITY) > most;
  if (when.name !== undefined && !pattern(when.name).test(tail(candidate.name ?? ''))) return false;
  if (when.module !== undefined && !pattern(when.module).test(moduleOf(candidate))) return false;
  if (when.lifecycle !== undefined && facts?.lifecycle !== when.lifecycle) return false;
  if (when.minPeriodSeconds !== undefined && isBelow(when.minPeriodSeconds)) return false;
  if (when.maxPeriodSeconds !== undefined && isAbove(when.maxPeriodSeconds)) return false;
  const { touches } = when;
  if (touches === undefined) return true;
  const called = facts?.calls.flatMap((c) => [c.name, c.qualifiedName ?? '']) ?? [];
  return touches.some((text) => called.some((c) => c.includes(text)));
}

/** The policy's own word on a loop that it names. */
function namedBy(policy: Policy, candidate: Pick<Candidate, 'name' | 'target'>, entry: Entry | null) {
  const names = [entry?.name, candidate.name, candidate.target?.qualifiedName].flatMap((n) => (n ? [n, tail(n)] : []));
  return policy.named.find((loop) => names.includes(loop.name)) ?? null;
}

/** Does a batch of the policy take a decision? Without filters it takes every one that wants a tag. */
export function inBatch(batch: BatchRule, decision: Pick<Decision, 'priority' | 'class' | 'required'>): boolean {
  if (!decision.required) return false;
  if (batch.priorities && !(decision.priority !== null && batch.priorities.includes(decision.priority))) return false;
  return !batch.classes || (decision.class !== null && batch.classes.includes(decision.class));
}

interface Verdict {
  class: LoopClass | null;
  marker: string | null;
  priority: string | null;
  reasons: string[];
}

function classOf(
  policy: Policy,
  candidate: Candidate,
  entry: Entry | null,
  hint: Hint,
  reasons: string[],
): LoopClass | null {
  if (hint.class) {
    reasons.push(`class ${hint.class}: a comment at the spawn says so`);
    return hint.class;
  }
  const named = namedBy(policy, candidate, entry);
  if (named) {
    reasons.push(`class ${named.class}: ${policy.name} names \`${named.name}\`${named.note ? ` (${named.note})` : ''}`);
    return named.class;
  }
  const byMarker = lookup(policy.markers, entry?.marker)?.class ?? null;
  if (byMarker) {
    reasons.push(`class ${byMarker}: its row is marked \`${entry?.marker}\``);
    return byMarker;
  }
  const tag = tagInForce(candidate)?.projectId ?? null;
  const owners = (['A', 'B', 'C'] as const).filter((c) => tag !== null && policy.classes[c].projectId === tag);
  if (!entry?.marker && owners.length === 1 && owners[0]) {
    reasons.push(`class ${owners[0]}: it already runs as \`${tag}\``);
    return owners[0];
  }
  const rule = policy.suggestions.find((r) => r.class !== undefined && applies(r, candidate));
  if (rule?.class) reasons.push(`class ${rule.class}: ${rule.because}`);
  return rule?.class ?? null;
}

function judge(policy: Policy, candidate: Candidate, entry: Entry | null, hint: Hint): Verdict {
  const reasons: string[] = [];
  const loopClass = classOf(policy, candidate, entry, hint, reasons);
  const suggested = (field: 'marker' | 'priority') =>
    policy.suggestions.find(
      (r) => r[field] !== undefined && (r.class ?? loopClass) === loopClass && applies(r, candidate),
    );
  let marker = entry?.marker ?? null;
  if (marker === null) {
    marker = suggested('marker')?.marker ?? (loopClass ? policy.classes[loopClass].marker : null);
    if (marker !== null) reasons.push(`marker \`${marker}\`: suggested for class ${loopClass}`);
  } else reasons.push(`marker \`${marker}\`: row ${entry?.number ?? `on line ${entry?.row}`}`);
  const decided = entry !== null && (entry.priority !== null || isNotApplicable(entry));
  let priority = entry?.priority ?? null;
  if (!decided) {
    const named = namedBy(policy, candidate, entry)?.priority;
    const rule = named === undefined ? suggested('priority') : undefined;
    priority = named ?? rule?.priority ?? null;
    if (priority) reasons.push(`priority ${priority}: ${rule?.because ?? `${policy.name} says so`}`);
  } else if (priority) reasons.push(`priority ${priority}: row ${entry?.number ?? `on line ${entry?.row}`}`);
  return { class: loopClass, marker, priority, reasons };
}

/** `N/A（已完成）`: decided that there is none, unlike TBD or an empty cell. */
export function isNotApplicable(entry: Entry): boolean {
  return /^(?:n\/?a|none|無|无|done|已完成|[-—–]+$)(?!\w)/i.test(entry.priorityText.normalize('NFKC').trim());
}

function whyNot({ site, target }: Candidate): string {
  if (isWaitedFor(site, target))
    return 'needs no tag of its own: what starts it opens its group, and waits until all in it has ended';
  const { path, calledFrom = [] } = site.shape;
  if (path === 'request' || calledFrom.includes('request'))
    return 'needs no tag: it is started on a request and ends with its work';
  if (calledFrom.includes('task')) return 'needs no tag of its own: it works for the task that starts it';
  return 'needs no tag of its own: it ends by itself, and what starts it holds on to it';
}

/** Does it want an id of its own: because a row lists it, or because it works in the background? */
export function isRequired(candidate: Candidate, entry: Entry | null): boolean {
  return (entry !== null && !entry.struck) || isBackground(candidate);
}

/** Judges one matched spawn by the policy. */
export function decide(policy: Policy, candidate: Candidate, entry: Entry | null, hint: Hint): Decision {
  const { site, target, matchedBy } = candidate;
  const verdict = judge(policy, candidate, entry, hint);
  const required = isRequired(candidate, entry);
  if (!required) verdict.reasons.push(whyNot(candidate));
  const carried =
    hint.projectId ??
    lookup(policy.markers, verdict.marker)?.projectId ??
    (verdict.class ? policy.classes[verdict.class].projectId : null);
  const decision: Decision = {
    site,
    target,
    entry,
    matchedBy: entry ? matchedBy : null,
    ...verdict,
    projectId: required ? carried : null,
    required,
    batch: null,
  };
  const batch = Object.entries(policy.batches).find(([, rule]) => inBatch(rule, decision));
  return { ...decision, batch: batch?.[0] ?? null };
}
