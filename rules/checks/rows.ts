/** Rows of the catalogue with the spawn that each speaks of. */
import type { CheckInput } from '../../src/engine/contracts.ts';
import type { Catalogue, Decision, Entry } from '../../src/model/index.ts';
import { samePath } from '../../src/model/listed-line.ts';

/** Rows whose loop is found; of several spawns the one in the catalogue's file that is nearest to the line written. */
export function* listedSpawns({
  catalogue,
  reconciliation,
}: CheckInput): Generator<{ entry: Entry; decision: Decision }> {
  for (const entry of catalogue?.entries ?? []) {
    const spawns = reconciliation.decisions.filter((decision) => decision.entry === entry);
    const inSource = spawns.filter(({ site }) => speaksOf(catalogue!.sourceFile, site.range.file));
    const [nearest] = [...(inSource.length > 0 ? inSource : spawns)].sort((a, b) => drift(entry, a) - drift(entry, b));
    if (nearest) yield { entry, decision: nearest };
  }
}

function drift({ line }: Entry, { site }: Decision): number {
  return line === null ? 0 : Math.abs(site.range.line - line);
}

/** Line numbers of the catalogue speak of the file it names; without one, of whatever file spawns the loop. */
function speaksOf(sourceFile: string | null, file: string): boolean {
  return sourceFile === null || samePath(file, sourceFile);
}

/** Whether what the analysis lacks is absent from the code: the catalogue's file was read, and whole. */
export function isWhole({ analysis }: CheckInput, { sourceFile }: Catalogue): boolean {
  if (analysis.errors.some(({ file }) => speaksOf(sourceFile, file))) return false;
  return analysis.sites.length > 0 && analysis.files.some((file) => speaksOf(sourceFile, file));
}
