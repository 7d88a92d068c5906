/** The catalogue of a run, and what is read because of it. */
import type { Catalogue } from '../model/index.ts';
import type { OtherDocument } from '../policy/index.ts';
import { printable } from '../report/escape.ts';
import { homeOfKeys } from './config-files.ts';
import { Trouble } from './trouble.ts';
import { insideRoot, pythonFiles, readableCatalogue, readProjectFile, type Workspace } from './workspace.ts';

/** The catalogue, for commands that cannot do without. */
export function needCatalogue(w: Workspace, given: string | undefined): Catalogue {
  const catalogue = readableCatalogue(w, given);
  if (!catalogue)
    throw new Trouble(
      'no catalogue is given',
      `name the Markdown file with --catalog, or as catalog = "…" in ${homeOfKeys(w.config.file, w.root)}; \`looptag catalog init\` writes a new one`,
    );
  return catalogue;
}

/** Without paths: the file that the catalogue's lines speak of. */
export function catalogueFiles(w: Workspace, catalogue: Catalogue, paths: string[]): string[] {
  if (paths.length || w.config.paths.length) return pythonFiles(w, paths);
  if (catalogue.sourceFile && w.fs.exists(catalogue.sourceFile)) return [catalogue.sourceFile];
  return pythonFiles(w, []);
}

/** Documents that speak of the same loops (ADR-123). */
export function documents(w: Workspace, given: string[] | undefined): OtherDocument[] {
  const names = given?.length ? given.map((d) => insideRoot(w, d)) : w.config.documents;
  return names.map((file) => {
    const bytes = readProjectFile(w, file);
    if (!bytes)
      throw new Trouble(
        `${printable(file)}: no such document`,
        'correct --document, or documents in the configuration',
      );
    return { file, text: new TextDecoder().decode(bytes) };
  });
}
