/** From decisions to sites: what each should carry, and why some are left alone. */

import type { Decision, Policy, SpawnSite, Tag, Target } from '../../model/index.ts';
import { byStart } from '../../model/order.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import type { CodemodDefinition } from '../contracts.ts';
import type { Names } from './names.ts';
import { placeKey } from './places.ts';
import type { MigrateInput, MigrateOptions, SkippedSite } from './types.ts';

/** One site with all that was decided for it. */
export interface SiteWork {
  site: SpawnSite;
  decisions: Decision[];
  target: Target | null;
  /** One id for every extent to wrap, or a single one for all. */
  projectIds: string[];
  trace: boolean;
}

/** Decisions by site, in the order of files and offsets. */
export function groupBySite(decisions: readonly Decision[]): Decision[][] {
  const groups = new Map<string, Decision[]>();
  for (const decision of decisions) {
    const key = placeKey(decision.site.range);
    groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups.values()].sort(([a], [b]) => byStart(a!.site.range, b!.site.range));
}

/** Without the sites that this run is to leave alone; those with a reason are listed. */
export function setAside(
  all: Decision[][],
  leave: MigrateInput['leave'],
): { groups: Decision[][]; left: SkippedSite[] } {
  const left: SkippedSite[] = [];
  const groups = all.filter(([decision]) => {
    const why = leave?.get(placeKey(decision!.site.range));
    if (why) left.push({ site: decision!.site, ...why });
    return why === undefined;
  });
  return { groups, left };
}

/** What a site is to carry, or why it is left alone. */
export function workOf(
  decisions: Decision[],
  codemod: CodemodDefinition,
  policy: Policy,
  options: MigrateOptions,
  { traceProblem }: Pick<Names, 'traceProblem'>,
): SiteWork | SkippedSite {
  const { site } = decisions[0]!;
  const skip = (code: SkippedSite['code'], reason: string): SkippedSite => ({ site, code, reason });
  const { refusal } = site.shape;
  if (refusal?.code === 'mixed-classes') return { site, ...refusal };
  const wanted = decisions.filter(({ projectId }) => projectId !== null);
  if (wanted.length === 0) {
    return decisions.some(({ required }) => required)
      ? skip('undecided', 'nothing says which project id it should carry: give it a row in the catalogue')
      : skip('not-required', decisions[0]!.reasons.at(-1) ?? 'the policy asks for no project id here');
  }
  const ids = [...new Set(wanted.map(({ projectId }) => projectId!))];
  const { wrapExtents } = site.shape;
  const separate = wrapExtents.length === wanted.length && wanted.length === decisions.length;
  if (ids.length > 1 && !separate)
    return skip(
      'mixed-classes',
      `one call starts coroutines of several projects (${ids.join(', ')}): give each its own call, or set the ids inside (--method loop-body)`,
    );
  const projectIds = ids.length > 1 ? wanted.map(({ projectId }) => projectId!) : ids;
  const more = codemod.doesMore && wanted.every((decision) => tagInForce(decision)?.via === 'loop-body');
  const trace = wanted.some((decision) => wantsTrace(decision, policy, options));
  if (wanted.every((decision) => isTagged(decision)) && !more) {
    const carries = `already carries ${projectIds.join(', ')} (${tagText(wanted[0]!)})`;
    const remedy = traceProblem || 'take the tag out (--revert) and migrate again, which puts both';
    return trace ? skip('shape', `${carries}, but no trace id: ${remedy}`) : skip('tagged', carries);
  }
  const other = wanted.map(tagInForce).find((tag, index) => tag !== null && tag.projectId !== wanted[index]!.projectId);
  const clash = other ? otherTag(other, codemod) : null;
  if (clash) return skip(...clash);
  return { site, decisions, target: wanted.find(({ target }) => target)?.target ?? null, projectIds, trace };
}

/** A tag at the call is a tag of all that it starts: why not, where one that is not selected is to carry another id. */
export function sharedWith({ site, projectIds }: SiteWork, beside: readonly Decision[]): SkippedSite | null {
  const other = beside.find(
    ({ site: { range }, projectId }) =>
      placeKey(range) === placeKey(site.range) && projectId !== null && !projectIds.includes(projectId),
  );
  if (!other) return null;
  const name = other.target?.name ?? other.site.argument;
  return {
    site,
    code: 'mixed-classes',
    reason: `the same call starts ${name}, which is to carry ${other.projectId}: select it too, or give each its own call, or set the ids inside (--method loop-body)`,
  };
}

function isTagged(decision: Decision): boolean {
  const tag = tagInForce(decision);
  return tag !== null && tag.projectId === decision.projectId;
}

/** A tag with another id can be changed in place by the codemod that put it; any other way leaves two. */
function otherTag(tag: Tag, codemod: CodemodDefinition): [SkippedSite['code'], string] | null {
  const place = `${tag.file}:${tag.line}`;
  if (tag.projectId === null) return ['tagged', `carries an id that is only known at run time (${place})`];
  const same = tag.via === codemod.id || (tag.via === 'loop-body' && codemod.scope === 'target');
  if (same) return null;
  return [
    'shape',
    `already carries ${tag.projectId} by ${tag.via} (${place}): use --method ${tag.via}, or take that tag out first (--revert)`,
  ];
}

function tagText(decision: Decision): string {
  const tag = tagInForce(decision)!;
  return `${tag.via}, ${tag.file}:${tag.line}`;
}

/** Does the policy's priority, or the user, ask for a trace id? */
export function asksForTrace({ priority }: Decision, policy: Policy, options: MigrateOptions): boolean {
  return options.trace === true || policy.priorities.some((rule) => rule.id === priority && rule.traceId);
}

/** … and is there none yet? */
function wantsTrace(decision: Decision, policy: Policy, options: MigrateOptions): boolean {
  const { target } = decision;
  return !target?.traceId && !target?.facts.setsTraceId && asksForTrace(decision, policy, options);
}

/** The loops of a site that have no heartbeat yet. */
export function heartbeatWork(decisions: Decision[]): SiteWork[] {
  return decisions.flatMap((decision) => {
    const { site, target, projectId } = decision;
    const id = projectId ?? tagInForce(decision)?.projectId ?? null;
    if (target?.facts.lifecycle !== 'loop' || target.facts.heartbeat || id === null) return [];
    return [{ site, decisions: [decision], target, projectIds: [id], trace: false }];
  });
}

const targetKey = (target: Target | null): string | null => (target?.file ? `${target.file}:${target.line}` : null);

/** Starts of coroutine functions that are to keep the id of whoever starts them, by the function. */
export type Inheriting = ReadonlyMap<string | null, SpawnSite['range'][]>;

export function inheriting(everyone: readonly Decision[]): Inheriting {
  const out = new Map<string | null, SpawnSite['range'][]>();
  for (const { required, target, site } of everyone)
    if (!required) out.set(targetKey(target), [...(out.get(targetKey(target)) ?? []), site.range]);
  return out;
}

/** Where else the work's coroutine function is started in that way. */
export function inheritedAt({ site, target }: SiteWork, starts: Inheriting): SpawnSite['range'] | null {
  if (!target?.file) return null;
  return starts.get(targetKey(target))?.find((range) => placeKey(range) !== placeKey(site.range)) ?? null;
}

/**
 * Sites that start one coroutine function for several projects cannot be told apart inside it.
 * @param everyone decisions that count with those of the work, whether they are to be changed or not
 */
export function refuseMixedTargets(
  work: readonly SiteWork[],
  skipped: SkippedSite[],
  everyone: readonly Decision[],
): SiteWork[] {
  const ids = new Map<string | null, Set<string>>();
  const note = (target: Target | null, projectIds: string[]): void => {
    const key = targetKey(target);
    ids.set(key, new Set([...(ids.get(key) ?? []), ...projectIds]));
  };
  for (const { target, projectIds } of work) note(target, projectIds);
  for (const { target, projectId } of everyone) if (projectId !== null) note(target, [projectId]);
  return work.filter(({ site, target }) => {
    const found = [...ids.get(targetKey(target))!];
    if (!target?.file || found.length < 2) return true;
    const reason = `${target.name} is started for several projects (${found.join(', ')}): tag the calls instead (--method wrapper)`;
    skipped.push({ site, code: 'mixed-classes', reason });
    return false;
  });
}
