/** Wrappers that take a function and start what it makes: one call in the wrapper is the start of all that its callers hand over. */
import type { Analysis, SpawnSite } from '../../model/index.ts';
import { placeKey } from './places.ts';
import type { MigrateInput, PlannedSite, SkippedSite } from './types.ts';

/** What a call of the wrapper around a site has for its `api`: a class is called by its name. */
export const apiOf = ({ module, enclosing }: SpawnSite): string =>
  `wrapper:${module}.${enclosing.replace(/\.__init__$/, '')}`;

/** The call inside of the wrapper that a site calls. */
export function forwarderOf({ forwarders }: Pick<Analysis, 'forwarders'>, site: SpawnSite): SpawnSite | undefined {
  return forwarders?.find((forwarder) => site.api === apiOf(forwarder));
}

/** Why the call in a wrapper is left alone that have to do with what its callers hand over. */
const OF_ITS_CALLERS: ReadonlySet<string> = new Set(['no-definition', 'mixed-classes'] satisfies SkippedSite['code'][]);

/** A site that cannot be edited needs nothing where the plan edits the other end: the call in the wrapper, or all functions that it is handed. */
export function doneAtOtherEnd(
  { analysis, codemods }: Pick<MigrateInput, 'analysis' | 'codemods'>,
  planned: readonly PlannedSite[],
  skipped: readonly SkippedSite[],
): SkippedSite[] {
  if (!analysis.forwarders?.length) return [...skipped];
  const tagging = planned.filter(({ method }) => codemods[method]?.carriesId !== false);
  const edited = new Set(tagging.map(({ site: { range } }) => placeKey(range)));
  const isEdited = ({ range }: SpawnSite) => edited.has(placeKey(range));
  const tagged = new Set(skipped.flatMap(({ site, code }) => (code === 'tagged' ? [placeKey(site.range)] : [])));
  const forwarders = new Set(analysis.forwarders.map(({ range }) => placeKey(range)));
  return skipped.map((skip): SkippedSite => {
    const { site } = skip;
    const inside = forwarderOf(analysis, site);
    const isItsWork = skip.code === 'callable' || site.targets.some(({ tag }) => tag?.via === 'caller');
    if (inside && isItsWork && isEdited(inside))
      return {
        site,
        code: 'tagged',
        reason: `done inside of ${inside.enclosing} (${inside.range.file}:${inside.range.line})`,
      };
    if (!OF_ITS_CALLERS.has(skip.code) || !forwarders.has(placeKey(site.range))) return skip;
    const callers = analysis.sites.filter(({ api }) => api === apiOf(site));
    return callers.length && callers.every((caller) => isEdited(caller) || tagged.has(placeKey(caller.range)))
      ? { site, code: 'tagged', reason: 'done in the functions that it is handed' }
      : skip;
  });
}
