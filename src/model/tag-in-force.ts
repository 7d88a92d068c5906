/** The project id that a spawn runs under. */
import type { SpawnSite, Tag, Target } from './site.ts';

/** The tag of one thing that a site starts; of what cannot be named, the one that stands at the call. */
export function tagInForce({
  site,
  target,
}: {
  site: Pick<SpawnSite, 'tag'>;
  target: Pick<Target, 'tag'> | null;
}): Tag | null {
  return target?.tag ?? site.tag ?? null;
}
