/** What the line cell of a row says of the place of a spawn. */
import type { Entry } from './catalogue.ts';

/** Is the analysed path the one that a document names (perhaps shorter, from another folder)? */
export function samePath(path: string, named: string): boolean {
  return path === named || path.endsWith(`/${named}`) || named.endsWith(`/${path}`);
}

/** The file that a line cell names: `jobs/poller.py:34`; null where it gives a number alone. */
export function fileOfRow({ lineText }: Pick<Entry, 'lineText'>): string | null {
  return /^(.*?)[:#]\s*L?\d/.exec(lineText)?.[1]?.trim() || null;
}

/** Whether a row that gives a line lists it in this file. A number alone speaks of the file that the catalogue names. */
export function listsFile(entry: Pick<Entry, 'lineText'>, file: string, sourceFile: string | null): boolean {
  const named = fileOfRow(entry) ?? sourceFile;
  return named === null || samePath(file, named);
}
