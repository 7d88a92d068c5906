/** Numbers of earlier versions of a project, by the part that decides them of the one file that changes most. */
import type { TreeFileSystem } from '../io/git-tree.ts';
import type { Progress } from '../policy/index.ts';
import type { ModuleScopes } from '../semantics/index.ts';
import { decodePython, SourceEncodingError } from '../syntax/index.ts';
import { Slicer } from './history-slice.ts';
import type { Analysed } from './workspace.ts';

export class Slices {
  private readonly slicer = new Slicer([]);
  private readonly totals = new Map<string, Progress>();
  /** Others import the file, or lead to it otherwise: any part of it may matter to them. */
  private shared = false;
  /** Rows of the catalogue are found by line where they are not found by name. */
  private lines = false;

  /** @param alone whether nothing of other files is counted: they matter by what may start something of this one */
  constructor(
    private readonly file: string,
    private readonly alone: boolean,
  ) {}

  /** The deciding part as it is now; null when there is no telling. */
  key(fs: TreeFileSystem): string | null {
    if (this.shared) return null;
    // the numbers also rest on other files, which must be as they were
    if (!fs.unchanged(this.file)) {
      this.totals.clear();
      fs.forget();
    }
    const id = fs.idOf(this.file);
    const bytes = id === null ? null : fs.bytes(id);
    if (!bytes) return null;
    try {
      return this.slicer.slice(decodePython(bytes).text, this.lines);
    } catch (e) {
      if (e instanceof SourceEncodingError) return null;
      throw e;
    }
  }

  known(key: string): Progress | undefined {
    return this.totals.get(key);
  }

  remember(fs: TreeFileSystem, totals: Progress): void {
    // what the analysis taught may have widened the part
    const key = this.key(fs);
    if (key !== null) this.totals.set(key, totals);
  }

  /** @param byLine whether lines had a say in which row of the catalogue is whose */
  learn({ wrapperNames, project, moduleOf }: Analysed, byLine: boolean): void {
    const { table, graph } = project;
    const own = moduleOf(this.file);
    // it was not read, and what would have it read nobody knows
    this.shared = !own;
    if (!own) return;
    const apis = table.words.flat();
    const words = [...apis, ...wrapperNames()];
    this.slicer.learn(words);
    for (const { name, modules } of importsOf(own, graph)) {
      const matters = !this.alone || modules.some((m) => words.some((word) => m.text.includes(word)));
      if (matters) this.slicer.learn([name]);
    }
    this.shared = project.memory.isLedTo(own.file) || graph.modules().some((m) => m !== own && imports(m, own, graph));
    this.lines = byLine;
  }
}

type Graph = Analysed['project']['graph'];

/** What a module imports from the project, by the name that it gets. */
function importsOf(m: ModuleScopes, graph: Graph): { name: string; modules: ModuleScopes[] }[] {
  return bindingsOf(m).flatMap(({ name, binding }) => {
    const modules = modulesOf(m, binding, graph);
    return modules.length > 0 ? [{ name, modules }] : [];
  });
}

/** Does a module import another one? */
function imports(m: ModuleScopes, other: ModuleScopes, graph: Graph): boolean {
  const [, folder = '', stem = ''] = /(?:([^/]*)\/)?([^/]*)\.py$/.exec(other.file) ?? [];
  // only what ends in its name can lead to it
  const last = other.isPackage ? folder : stem;
  return bindingsOf(m).some(({ binding }) => {
    const { module, member } = binding;
    const near = !module || other.isPackage || lastName(module) === last || member === last;
    return near && modulesOf(m, binding, graph).includes(other);
  });
}

function modulesOf(m: ModuleScopes, { level, module, member }: ImportBinding, graph: Graph): ModuleScopes[] {
  const from = graph.load(m, level, module);
  if (from?.k !== 'module') return [];
  const below = member === null ? null : graph.submodule(from.module, member);
  return below?.k === 'module' ? [from.module, below.module] : [from.module];
}

interface ImportBinding {
  level: number;
  module: string | null;
  /** The name taken from the module; null: the module itself. */
  member: string | null;
}

/** Imports of modules that were looked at before. */
const found = new WeakMap<ModuleScopes, { name: string; binding: ImportBinding }[]>();

function bindingsOf(m: ModuleScopes): { name: string; binding: ImportBinding }[] {
  let out = found.get(m);
  if (out) return out;
  out = [];
  for (const scope of [m.scope, ...m.functions.map((f) => f.scope)]) {
    for (const [name, list] of scope.bindings) {
      for (const b of list) {
        if (b.kind === 'import') out.push({ name, binding: { level: 0, module: b.module, member: null } });
        if (b.kind === 'from') out.push({ name, binding: { level: b.level, module: b.module, member: b.member } });
      }
    }
  }
  found.set(m, out);
  return out;
}

function lastName(api: string): string {
  return api.slice(Math.max(api.lastIndexOf('.'), api.lastIndexOf(':')) + 1);
}
