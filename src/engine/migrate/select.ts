/** From decisions to sites: what each should carry, and why some are left alone. */
import type { Decision, Policy, SpawnSite, Tag, Target } from '../../model/index.ts';
import type { MigrateOptions, SkippedSite } from './types.ts';

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
    const { file, start } = decision.site.range;
    const key = `${file}\0${start}`;
    groups.set(key, [...(groups.get(key) ?? []), decision]);
  }
  return [...groups.values()].sort(([a], [b]) => {
    const [left, right] = [a!.site.range, b!.site.range];
    if (left.file !== right.file) return left.file < right.file ? -1 : 1;
    return left.start - right.start;
  });
}

/** What a site is to carry, or why it is left alone. */
export function workOf(decisions: Decision[], policy: Policy, options: MigrateOptions): SiteWork | SkippedSite {
  const { site } = decisions[0]!;
  const skip = (code: SkippedSite['code'], reason: string): SkippedSite => ({ site, code, reason });
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
      `one call starts coroutines of several projects (${ids.join(', ')}): give each its own call`,
    );
  const projectIds = ids.length > 1 ? wanted.map(({ projectId }) => projectId!) : ids;
  if (wanted.every((decision) => isTagged(decision)))
    return skip('tagged', `already carries ${projectIds.join(', ')} (${tagText(wanted[0]!)})`);
  const trace = wanted.some((decision) => wantsTrace(decision, policy, options));
  return { site, decisions, target: wanted.find(({ target }) => target)?.target ?? null, projectIds, trace };
}

/** The tag in force: at the call itself, or in the coroutine. */
export function tagOf({ site, target }: Decision): Tag | null {
  return target?.tag ?? site.tag ?? null;
}

function isTagged(decision: Decision): boolean {
  const tag = tagOf(decision);
  return tag !== null && tag.projectId === decision.projectId;
}

function tagText(decision: Decision): string {
  const tag = tagOf(decision)!;
  return `${tag.via}, ${tag.file}:${tag.line}`;
}

/** Does the policy's priority, or the user, ask for a trace id that is not there yet? */
export function wantsTrace({ priority, target }: Decision, policy: Policy, options: MigrateOptions): boolean {
  if (target?.traceId || target?.facts.setsTraceId) return false;
  return options.trace === true || policy.priorities.some((rule) => rule.id === priority && rule.traceId);
}
