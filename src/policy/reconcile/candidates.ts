import { calleeOf } from '../../model/identifier.ts';
import type { Entry, LoopClass, SpawnSite, Target } from '../../model/index.ts';
import { isTestFile } from '../../model/test-file.ts';

/** What a `# looptag: class=B project=awoooi id=17` comment says about a site. */
export interface Hint {
  class?: LoopClass;
  projectId?: string;
  /** Number of its row. */
  number?: number;
}

/** Hints by `file:line` of the code that each speaks of. */
export type Hints = ReadonlyMap<string, Hint>;

/** One thing that a site starts, while its row is looked for. */
export interface Candidate {
  site: SpawnSite;
  target: Target | null;
  /** As written at the site; of a site without target the callee in its argument, when there is one. */
  name: string | null;
  entry: Entry | null;
  matchedBy: 'name' | 'enclosing' | 'line' | 'hint' | 'rename' | null;
}

/** Every (site, target) pair, in the order of the sites. */
export function candidatesOf(sites: readonly SpawnSite[]): Candidate[] {
  return sites.flatMap((site): Candidate[] => {
    if (site.targets.length === 0) {
      const callee = calleeOf(site);
      return [{ site, target: null, name: callee, entry: null, matchedBy: null }];
    }
    return site.targets.map((target) => ({ site, target, name: target.name, entry: null, matchedBy: null }));
  });
}

/**
 * Does it work in the background, and not as a part of what started it? A loop does, and what start-up or an import
 * starts. A one-shot in an ordinary function does when nothing waits for it: it goes on when its caller is gone, with
 * the id of whoever happened to call. Unless a request or a spawned task leads there: it then works for that one, and
 * an id of its own would take the right one away.
 */
export function isBackground({ site, target }: Pick<Candidate, 'site' | 'target'>): boolean {
  if (isWaitedFor(site, target)) return false;
  if (target?.facts.lifecycle === 'loop') return true;
  const { path, calledFrom = [], use } = site.shape;
  if (path === 'request' || calledFrom.includes('request') || calledFrom.includes('task')) return false;
  if (isTestFile(site.range.file)) return false;
  if (path !== 'unknown') return true;
  if (calledFrom.length > 0) return use !== 'awaited' && use !== 'returned';
  return (
    (use === 'dropped' || use === 'held') &&
    target !== null &&
    target.file !== null &&
    target.facts.lifecycle === 'one-shot'
  );
}

/**
 * Does it end before the function that starts it does? A task in a group that this function opens works for whoever
 * called, in the same context. But start-up and imports open groups to hold what goes on for as long as the service does;
 * there, only what shows that the group ends counts.
 */
export function isWaitedFor({ shape }: SpawnSite, target: Target | null): boolean {
  const { group, path } = shape;
  if (!group) return false;
  const anywhere = path === 'unknown' || path === 'request';
  if (target?.facts.lifecycle === 'loop') return anywhere && group.ends === 'for-result';
  return anywhere || (group.ends !== null && target?.facts.lifecycle === 'one-shot');
}

export function rangeDistance(candidate: Pick<Candidate, 'site'>, line: number | null): number {
  return line === null ? 0 : Math.abs(candidate.site.range.line - line);
}

/** What comments say about a site, on whichever of its lines. */
export function hintOf(hints: Hints, { range: { file, line, endLine } }: SpawnSite): Hint {
  const hint: Hint = {};
  // none, as a rule: a call may have many lines
  if (hints.size) for (let at = line; at <= endLine; at++) Object.assign(hint, hints.get(`${file}:${at}`));
  return hint;
}
