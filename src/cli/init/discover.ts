/** Looks around in a project: where loops are spawned, which document lists them, which variable carries the id. */
import { filesBelow } from '../../io/walk.ts';
import { tail } from '../../model/identifier.ts';
import type { ContextVariable, Reconciliation } from '../../model/index.ts';
import { byFile } from '../../model/order.ts';
import { isBackground, readCatalogue } from '../../policy/index.ts';
import { packageFolder } from '../../sites/index.ts';
import { mayDefineVariables } from '../defining.ts';
import { type Analysed, analyseFiles, loadCatalogue, reconcileWith, type Workspace } from '../workspace.ts';

export interface Discovery {
  /** Files that start background work, the one with the most spawns first. */
  files: { file: string; spawns: number }[];
  /** The packages that these files are of, or else their folders: the next file that starts a loop will stand there too. */
  folders: string[];
  catalogue: { file: string; rows: number; known: number } | null;
  /** Other documents that speak of the same loops. */
  documents: string[];
  /** null: none, or several and nothing to choose by. */
  contextVariable: ContextVariable | null;
  contextVariables: ContextVariable[];
  /** Folders that imports start from and that the layout does not show. */
  importRoots: string[];
}

/** Larger documents are no catalogues. */
const MAX_BYTES = 4 * 1024 * 1024;
const TEST = /(^|\/)(tests?|testing|conftest\.py$|test_[^/]*\.py$|[^/]*_test\.py$)(\/|$)/;

export function discover(w: Workspace, options: { catalog?: string; contextVar?: string }): Discovery {
  const analysed = analyseAll(w, options.contextVar);
  const reconciliation = reconcileWith(w, analysed, null);
  const documents = readDocuments(w);
  const names = spawned(reconciliation);
  const catalogue =
    options.catalog === undefined ? bestCatalogue(documents, names) : givenCatalogue(w, options.catalog, names);
  const { contextVariables } = analysed.analysis;
  const files = spawningFiles(reconciliation);
  const contextVariable = chooseVariable(w, analysed, options.contextVar);
  return {
    files,
    folders: foldersOf(analysed, files),
    catalogue,
    documents: catalogue ? speakingOf(documents, catalogue.file, names) : [],
    contextVariable,
    contextVariables,
    importRoots: rootsBeside(contextVariables, contextVariable, files),
  };
}

/** All files; where those that spawn lead to no variable of the project id, also what may define one elsewhere. */
function analyseAll(w: Workspace, contextVar: string | undefined): Analysed {
  const all = w.fs.listPython(['.']);
  return analyseFiles(w, all, contextVar, w.fs, {
    whole: true,
    mayDefineVariables: () => mayDefineVariables(w.fs, all),
  });
}

/** The folder that the variable's module is imported from, where some file that spawns does not look there by itself. */
function rootsBeside(all: readonly ContextVariable[], chosen: ContextVariable | null, files: Discovery['files']) {
  const roots = all.filter((v) => v.module === chosen?.module && v.name === chosen.name).map(rootOf);
  const [first] = roots;
  if (first === undefined) return [];
  const looksIn = (file: string) =>
    roots.some((root) => root === null || isBelow(file, root) || isBelow(file, above(root)));
  return first === null || files.every(({ file }) => looksIn(file)) ? [] : [first];
}

/** The folder that a variable's module is imported from; null when its file's name shows none. */
function rootOf({ file, module }: ContextVariable): string | null {
  const path = `/${file.replace(/(?:\/__init__)?\.py$/, '')}`;
  const end = `/${module.replaceAll('.', '/')}`;
  return path.endsWith(end) ? path.slice(1, -end.length) : null;
}

const above = (root: string): string => root.replace(/(^|\/)src$/, '');
const isBelow = (file: string, folder: string): boolean => folder === '' || file.startsWith(`${folder}/`);

function spawned({ decisions }: Reconciliation): Set<string> {
  return new Set(decisions.flatMap(({ target }) => (target ? [tail(target.name)] : [])));
}

function spawningFiles({ decisions }: Reconciliation): Discovery['files'] {
  const counts = new Map<string, number>();
  for (const d of decisions) {
    const { file } = d.site.range;
    if (isBackground(d) && !TEST.test(file)) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const main = (file: string) => (/(^|\/)main\.py$/.test(file) ? 0 : 1);
  return [...counts]
    .map(([file, spawns]) => ({ file, spawns }))
    .sort((a, b) => b.spawns - a.spawns || main(a.file) - main(b.file) || byFile(a, b));
}

/** None lies inside of another. */
function foldersOf({ moduleOf }: Analysed, files: Discovery['files']): string[] {
  const folders = [...new Set(files.map(({ file }) => packageFolder(moduleOf(file)!)))];
  return folders
    .filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other)))
    .map((folder) => folder.slice(0, -1) || '.')
    .sort();
}

type Documents = ReadonlyMap<string, string>;

function readDocuments(w: Workspace): Documents {
  const out = new Map<string, string>();
  for (const file of filesBelow(w.root, (name) => /\.(md|markdown)$/i.test(name))) {
    let bytes: Uint8Array | null = null;
    try {
      bytes = w.fs.read(file);
    } catch {
      continue; // a closed file is no reason to stop looking
    }
    if (bytes && bytes.length <= MAX_BYTES) out.set(file, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  }
  return out;
}

/** The document whose table names the most functions that the code starts. */
function bestCatalogue(documents: Documents, names: ReadonlySet<string>): Discovery['catalogue'] {
  let best: Discovery['catalogue'] = null;
  for (const [file, text] of documents) {
    if (!text.includes('|')) continue;
    const found = weigh(file, readCatalogue(text, file).entries, names);
    if (found.known > (best?.known ?? 0)) best = found;
  }
  return best;
}

function givenCatalogue(w: Workspace, given: string, names: ReadonlySet<string>): Discovery['catalogue'] {
  const catalogue = loadCatalogue(w, given);
  return catalogue && weigh(catalogue.file, catalogue.entries, names);
}

function weigh(file: string, entries: readonly { name: string | null }[], names: ReadonlySet<string>) {
  const known = entries.filter(({ name }) => name !== null && names.has(tail(name))).length;
  return { file, rows: entries.length, known };
}

/** Documents that name the catalogue and at least one of its loops: an ADR does, a README that only links to it does not. */
function speakingOf(documents: Documents, catalogue: string, names: ReadonlySet<string>): string[] {
  const stem = catalogue.slice(catalogue.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
  const mentions = (text: string, word: string) => {
    const at = text.indexOf(word);
    return at >= 0 && !/[\p{L}\p{N}_]/u.test((text[at - 1] ?? ' ') + (text[at + word.length] ?? ' '));
  };
  return [...documents]
    .filter(([file, text]) => file !== catalogue && mentions(text, stem) && [...names].some((n) => mentions(text, n)))
    .map(([file]) => file);
}

/** The one of the policy's name, or the only one that sounds like a project's or tenant's id. */
function chooseVariable(w: Workspace, { analysis }: Analysed, given: string | undefined): ContextVariable | null {
  const all = analysis.contextVariables;
  if (given !== undefined) return all.find((v) => `${v.module}:${v.name}` === given || v.name === given) ?? null;
  const named = all.filter((v) => v.name === w.policy.contextVariable);
  const close = all.filter((v) => /(project|tenant|org|workspace|account)_?id/i.test(`${v.label ?? ''} ${v.name}`));
  const candidates = named.length ? named : close;
  // several services may each have the module
  return new Set(candidates.map((v) => `${v.module}:${v.name}`)).size === 1 ? candidates[0]! : null;
}
