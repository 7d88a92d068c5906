/** Rows whose loop is not among the spawns, and may be in the code all the same. */
import { tail } from '../../model/identifier.ts';
import type { Analysis, Catalogue, Entry, SpawnSite } from '../../model/index.ts';
import { fileOfRow, samePath } from '../../model/listed-line.ts';
import { type Candidate, rangeDistance } from './candidates.ts';

/** Whether a file that a document names, perhaps by the end of its path, is there. */
type IsThere = (named: string) => boolean;

/** What can be asked of a project beside its spawns. */
export interface Outlook {
  isThere: IsThere;
  /** Whether a function of this name is defined anywhere in the project. */
  isDefined(name: string): boolean;
}

/** Whether absence from the analysis means absence from the code: the catalogue's file was read, and whole. */
export function isComplete(analysis: Analysis, catalogue: Catalogue): boolean {
  const { sourceFile } = catalogue;
  if (analysis.errors.some((e) => sourceFile === null || samePath(e.file, sourceFile))) return false;
  return sourceFile === null ? analysis.files.length > 0 : analysis.files.some((file) => samePath(file, sourceFile));
}

/** Says of a row without a spawn whether nothing can be said of it. */
export function unseenIn(analysis: Analysis, isThere: IsThere): (entry: Entry) => boolean {
  let words: ReadonlySet<string> | null = null;
  const read = new Map<string, boolean>();
  return (entry) => {
    const file = fileOfRow(entry);
    if (file !== null) {
      const known = read.get(file) ?? wasRead(analysis, file, isThere);
      read.set(file, known);
      if (!known) return true;
    }
    words ??= unprovenWords(analysis);
    return entry.name !== null && words.has(tail(entry.name));
  };
}

function wasRead(analysis: Analysis, named: string, isThere: IsThere): boolean {
  if (analysis.errors.some(({ file }) => samePath(file, named))) return false;
  return analysis.files.some((file) => samePath(file, named)) || !isThere(named);
}

/** What stands in calls that look like a spawn: of an object that nothing shows to be a loop or a group, it may be one. */
function unprovenWords({ mentions }: Analysis): Set<string> {
  const calls = mentions.filter(({ kind }) => kind === 'other-object' || kind === 'shadowed' || kind === 'unresolved');
  return new Set(calls.flatMap(({ text }) => text.match(/[\p{L}\p{N}_]+/gu) ?? []));
}

/**
 * Says of a row without a spawn which spawn may be the one: one that does not say what it starts, while the row's function
 * is still there to be started.
 */
export function dynamicSpawns(
  candidates: readonly Candidate[],
  { sourceFile }: Catalogue,
  outlook: Outlook,
): (entry: Entry) => { entry: Entry; site: SpawnSite } | null {
  const open = candidates.filter(({ target, entry }) => target === null && entry === null);
  return (entry) => {
    if (!open.length || entry.name === null || !outlook.isDefined(tail(entry.name))) return null;
    const file = fileOfRow(entry) ?? sourceFile;
    const away = ({ site }: Candidate) => (file !== null && samePath(site.range.file, file) ? 0 : 1);
    const [first] = [...open].sort(
      (a, b) => away(a) - away(b) || rangeDistance(a, entry.line) - rangeDistance(b, entry.line),
    );
    return { entry, site: first!.site };
  };
}
