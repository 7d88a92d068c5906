import type { Catalogue, Decision, Entry } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';

/** The spawn a row's line speaks of: in the catalogue's file, nearest to the line written. */
export function primary<D extends Pick<Decision, 'site'>>(
  decisions: readonly D[],
  entry: Entry,
  catalogue: Catalogue,
): D | null {
  const inSource = (d: D) => catalogue.sourceFile === null || samePath(d.site.range.file, catalogue.sourceFile);
  const distance = (d: D) => (entry.line === null ? 0 : Math.abs(d.site.range.line - entry.line));
  const sorted = [...decisions].sort(
    (a, b) =>
      Number(inSource(b)) - Number(inSource(a)) || distance(a) - distance(b) || a.site.range.line - b.site.range.line,
  );
  return sorted[0] ?? null;
}
