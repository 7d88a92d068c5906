/** From a workspace to the input of a migration plan. */
import { posix } from 'node:path';

import { codemods } from '../../rules/codemods/index.ts';
import type { SymbolRef } from '../engine/contracts.ts';
import { apiOf } from '../engine/migrate/forwarders.ts';
import type { MigrateInput, MigrateOptions, MigrateSource } from '../engine/migrate/types.ts';
import { EarlierVersions } from '../io/earlier.ts';
import type { FileSystem } from '../io/files.ts';
import { Git } from '../io/git.ts';
import { KeptFileSystem } from '../io/kept.ts';
import { MemoryFileSystem } from '../io/memory.ts';
import type { Decision, Reconciliation, SpawnSite, Target } from '../model/index.ts';
import { tagInForce } from '../model/tag-in-force.ts';
import type { ModuleScopes } from '../semantics/index.ts';
import type { Analysed } from '../sites/index.ts';
import { decodePython, SourceEncodingError } from '../syntax/index.ts';
import { mayDefineVariables, mustBeThere, mustDefine } from './defining.ts';
import { hasFilter, mustKnow, namedBy, type Selection, selected } from './selection.ts';
import { Trouble } from './trouble.ts';
import { analyseFiles, readableCatalogue, reconcileWith, type Workspace } from './workspace.ts';

type Graph = Analysed['project']['graph'];

/** Everything that a plan starts from, and the way to make it anew over changed files. */
export interface Migration {
  input: MigrateInput;
  analysed: Analysed;
  reanalyse(overlay: ReadonlyMap<string, Uint8Array>): MigrateInput;
}

/** Analyses the files and decides, for each site, which id it is to carry. */
export function prepareMigration(
  w: Workspace,
  files: readonly string[],
  selection: Selection,
  options: MigrateOptions,
  overlay: ReadonlyMap<string, Uint8Array> = new Map(),
): Migration {
  const fs = overlay.size ? new MemoryFileSystem(overlay, w.fs) : w.fs;
  const analysed = analyseWithContext(w, files, selection, options, fs);
  const input = inputOf(w, analysed, decide(w, analysed, selection), options);
  const reanalyse = (more: ReadonlyMap<string, Uint8Array>): MigrateInput => {
    // what the plan leaves as it is need not be read and parsed again
    const same = { ...w, fs: keeping(w.fs, analysed) };
    return prepareMigration(same, files, { ...selection, isAgain: true }, options, new Map([...overlay, ...more]))
      .input;
  };
  return { input, analysed, reanalyse };
}

/** The same files; those that an analysis read, as it read them. */
function keeping(fs: FileSystem, { project, sourceOf }: Analysed): FileSystem {
  return new KeptFileSystem(fs, new Map([...project.graph.modules()].map(({ file }) => [file, sourceOf(file)!.bytes])));
}

/** Reads the modules that the options name; without one that defines the context variable, looks for it in the project. */
function analyseWithContext(
  w: Workspace,
  files: readonly string[],
  selection: Selection,
  options: MigrateOptions,
  fs: FileSystem,
): Analysed {
  const modules = [
    options.contextVariable?.module,
    typeof options.helper === 'object' ? options.helper?.module : undefined,
  ].filter((m) => m !== undefined);
  return analyseFiles(w, files, selection.contextVar, fs, {
    alsoRead: modules,
    mayDefineVariables: options.contextVariable ? undefined : () => mayDefineVariables(fs, w.fs.listPython(['.'])),
  });
}

type Decided = Required<Pick<MigrateInput, 'decisions' | 'beside'>>;

function decide(w: Workspace, analysed: Analysed, selection: Selection): Decided {
  if (selection.projectId?.trim() === '')
    throw new Trouble('--project-id is empty', 'name the project id that the tasks are to carry');
  mustKnow(w, selection);
  const catalogue = selection.projectId === undefined ? readableCatalogue(w, selection.catalog) : null;
  // the way back puts none
  if (!catalogue && selection.projectId === undefined && !selection.revert) {
    throw new Trouble(
      'nothing says which project id to put',
      'give a catalogue with --catalog (`looptag catalog init --write --catalog FILE` writes one), or one id for all with --project-id',
    );
  }
  const reconciliation = reconcileWith(w, analysed, catalogue);
  const decisions =
    selection.projectId === undefined ? reconciliation.decisions : uniform(reconciliation, selection.projectId);
  const named = namedBy(decisions, selection);
  const chosen = decisions.filter((d) => selected(w, d, selection, named));
  if (!chosen.length && analysed.analysis.sites.length && hasFilter(selection))
    throw new Trouble(
      'nothing matched the selection',
      'no loop has all that --batch, --priority, --class and --only ask for; `looptag inventory` lists the loops',
    );
  const sites = new Set(chosen.map(({ site }) => site));
  const wanted = new Set(chosen.map(({ site, target }) => `${site.id}\n${target?.name}`));
  const functions = new Set(chosen.map(definitionOf));
  // by the policy's id for each, whatever id this run puts
  const beside = reconciliation.decisions.filter(
    (d) =>
      !wanted.has(`${d.site.id}\n${d.target?.name}`) &&
      (sites.has(d.site) || (d.target !== null && functions.has(definitionOf(d)))),
  );
  return { decisions: [...chosen, ...forwarderDecisions(analysed, chosen)], beside };
}

const definitionOf = ({ target }: Decision): string => `${target?.file}:${target?.line}`;

/** Every site that carries no id yet is to carry this one. */
export function uniform(reconciliation: Reconciliation, projectId: string): Decision[] {
  return reconciliation.decisions.map((d) => {
    const tag = tagInForce(d);
    return {
      ...d,
      required: true,
      // an id that only the run knows is no reason to say that nobody named one
      projectId: tag?.projectId ?? projectId,
      reasons: [...d.reasons, '--project-id'],
    };
  });
}

/** A wrapper that takes a callable is tagged inside: with the id that all its callers are to carry. */
export function forwarderDecisions(analysed: Analysed, decisions: readonly Decision[]): Decision[] {
  const out: Decision[] = [];
  for (const site of analysed.analysis.forwarders ?? []) {
    const api = apiOf(site);
    const callers = decisions.filter((d) => d.site.api === api && d.projectId !== null);
    const [first] = callers;
    if (!first) continue;
    const ids = new Set(callers.map((d) => d.projectId));
    const target: Target | null = site.targets[0] ?? null;
    const mixed: SpawnSite = {
      ...site,
      shape: {
        ...site.shape,
        refusal: {
          code: 'mixed-classes',
          reason: `its callers start loops of several projects (${[...ids].join(', ')}): give the wrapper a parameter for the id, or set the ids in the functions that it is handed (--method loop-body)`,
        },
      },
    };
    out.push({
      ...first,
      site: ids.size > 1 ? mixed : site,
      target,
      entry: null,
      matchedBy: null,
      required: true,
      reasons: ['the id of its callers'],
    });
  }
  return out;
}

function sourceIn({ sourceOf }: Analysed, { file, name, isPackage }: ModuleScopes): MigrateSource {
  const { bytes, text, encoding, bom, tree } = sourceOf(file)!;
  return { file, bytes, text, encoding, bom, tree: tree!, module: name, isPackage };
}

export function inputOf(
  w: Workspace,
  analysed: Analysed,
  { decisions, beside = [] }: Pick<MigrateInput, 'decisions' | 'beside'>,
  options: MigrateOptions,
): MigrateInput {
  const { graph, ev } = analysed.project;
  let awaits: ReturnType<typeof awaitsOf> | null = null;
  const sources = new Map<string, MigrateSource>();
  for (const m of graph.modules()) sources.set(m.file, sourceIn(analysed, m));
  const anchor = analysed.moduleOf(decisions[0]?.site.range.file ?? analysed.analysis.files[0] ?? '');
  const variable = options.contextVariable?.name ?? w.policy.contextVariable;
  const defining = analysed.analysis.contextVariables
    .filter(({ name }) => name === variable)
    .flatMap(({ file }) => analysed.moduleOf(file) ?? []);
  /** From one file, then as the first file of the run finds it, then as what defines the variable does. */
  const bases = (file?: string): ModuleScopes[] =>
    [file === undefined ? null : analysed.moduleOf(file), anchor, ...defining].filter((m) => m !== null);
  const found = new Map<string, ModuleScopes | null>();
  const find = (module: string, file?: string): ModuleScopes | null => {
    const key = `${module}:${file ?? ''}`;
    let got = found.get(key);
    if (got === undefined) {
      got = firstModule(graph, bases(file), module);
      found.set(key, got);
    }
    return got;
  };
  const carrier = options.contextVariable && find(options.contextVariable.module);
  if (carrier) mustDefine(carrier, variable, analysed.analysis.contextVariables);
  else if (options.contextVariable) mustBeThere(options.contextVariable, analysed, bases());
  for (const ref of [
    options.contextVariable?.module,
    typeof options.helper === 'object' ? options.helper?.module : undefined,
  ]) {
    const m = ref ? find(ref) : null;
    if (m) sources.set(m.file, sourceIn(analysed, m));
  }
  return {
    analysis: analysed.analysis,
    decisions,
    beside,
    policy: w.policy,
    options,
    codemods,
    sources,
    resolveModule: (module, from) => find(module, from)?.file ?? null,
    newModuleFile: (module, from) => newFile(graph, bases(from), module, defining),
    canonical: (symbol) => canonical(find(symbol.module), symbol, (m, name) => ev.exported(m, name)),
    awaitedAt: (target) => {
      awaits ??= awaitsOf(analysed);
      return awaits.get(`${target.line}:${target.file}`) ?? null;
    },
    importsOf: (file) => importsOf(analysed, file),
    canImport: (file, module) => canImport(analysed, file, module),
    earlier: earlierTexts(w),
  };
}

function canImport({ project: { graph }, moduleOf }: Analysed, file: string, module: string): boolean {
  const m = moduleOf(file);
  if (!m || graph.load(m, 0, module) !== null) return true;
  const top = module.split('.', 1)[0];
  const imported = [...m.scope.bindings.values()].flat();
  return imported.some((b) => (b.kind === 'import' || b.kind === 'from') && b.module?.split('.', 1)[0] === top);
}

/** What git keeps of files; a version that cannot be decoded says nothing. */
function earlierTexts({ root }: Workspace): (file: string) => Generator<string> {
  const earlier = new EarlierVersions(new Git(root));
  return function* (file) {
    for (const bytes of earlier.of(file)) {
      try {
        yield decodePython(bytes).text;
      } catch (error) {
        if (!(error instanceof SourceEncodingError)) throw error;
      }
    }
  };
}

function firstModule(graph: Graph, bases: readonly ModuleScopes[], module: string): ModuleScopes | null {
  for (const base of bases) {
    const got = graph.load(base, 0, module);
    if (got?.k === 'module') return got.module;
  }
  return null;
}

/** Where a module that is not there yet belongs: in the innermost package of its name that one of the bases finds. */
function newFile(graph: Graph, bases: ModuleScopes[], module: string, defining: ModuleScopes[]): string {
  const parts = module.split('.');
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const parent = parts.slice(0, depth).join('.');
    const folder = bases.map((base) => folderOf(graph.load(base, 0, parent))).find((found) => found !== null);
    if (folder !== undefined) return posix.join(folder, `${parts.slice(depth).join('/')}.py`);
  }
  const root = rootOf(baseOf(graph, bases, defining));
  return posix.join(root, `${parts.join('/')}.py`);
}

/** The folder of a package; null for a module that is none. */
function folderOf(found: ReturnType<Graph['load']>): string | null {
  if (found?.k === 'namespace') return posix.join(found.root, found.name.replaceAll('.', '/'));
  return found?.module.isPackage ? posix.dirname(found.module.file) : null;
}

/** What finds the module of the context variable, or else the first. */
function baseOf(graph: Graph, bases: ModuleScopes[], defining: ModuleScopes[]): ModuleScopes | null {
  const beside = bases.find((base) =>
    defining.some(({ file, name }) => {
      const got = graph.load(base, 0, name);
      return got?.k === 'module' && got.module.file === file;
    }),
  );
  return beside ?? bases[0] ?? null;
}

/** The folder that a module's absolute name starts from. */
function rootOf(anchor: ModuleScopes | null): string {
  const own = anchor ? anchor.name.split('.').length + (anchor.isPackage ? 1 : 0) : 1;
  const folders = anchor ? anchor.file.split('/') : [''];
  return folders.slice(0, Math.max(0, folders.length - own)).join('/');
}

/** The module that really defines a re-exported context variable. */
function canonical(
  m: ModuleScopes | null,
  symbol: SymbolRef,
  exported: (m: ModuleScopes, name: string) => ReturnType<Analysed['project']['ev']['exported']>,
): SymbolRef {
  if (!m) return symbol;
  for (const { value } of exported(m, symbol.name)?.values() ?? []) {
    if (value.k === 'external' && value.q === 'contextvars.ContextVar') {
      const parent = value.call.node.parent;
      const target =
        parent?.kind === 'Assign' ? parent.targets[0] : parent?.kind === 'AnnAssign' ? parent.target : null;
      if (target?.kind === 'Name') return { module: value.call.scope.module.name, name: target.id };
    }
    if (value.k === 'function') return { module: value.fn.module.name, name: value.fn.node.name };
  }
  return symbol;
}

/** Plain `await run_x()` outside of any spawn, by the definition: its body then also runs in somebody else's context. */
function awaitsOf({ project }: Analysed): Map<string, { file: string; line: number }> {
  const out = new Map<string, { file: string; line: number }>();
  for (const m of project.graph.modules()) {
    for (const { node, scope, block } of m.calls) {
      if (node.parent?.kind !== 'Await') continue;
      for (const { value } of project.ev.value(node.func, scope, block).values()) {
        if (value.k !== 'function') continue;
        const key = `${project.line(value.fn.module, value.fn.node.start)}:${value.fn.module.file}`;
        if (!out.has(key)) out.set(key, { file: m.file, line: project.line(m, node.start) });
      }
    }
  }
  return out;
}

function importsOf(analysed: Analysed, file: string): string[] {
  const m = analysed.moduleOf(file);
  if (!m) return [];
  const out = new Set<string>();
  const { graph } = analysed.project;
  for (const list of m.scope.bindings.values()) {
    for (const b of list) {
      if (b.kind === 'import') addModule(out, graph.load(m, 0, b.module));
      if (b.kind !== 'from' || b.typingOnly) continue;
      const from = graph.load(m, b.level, b.module);
      addModule(out, from);
      if (from?.k === 'module') addModule(out, graph.submodule(from.module, b.member));
    }
  }
  for (const star of m.stars) addModule(out, graph.load(m, star.level, star.module));
  return [...out];
}

function addModule(out: Set<string>, found: ReturnType<Analysed['project']['graph']['load']>): void {
  if (found?.k === 'module') out.add(found.module.file);
}
