/** The module graph: finds, reads and parses the project's modules as imports ask for them. */
import type { FileSystem } from '../io/files.ts';
import type { Expr, Stmt } from '../syntax/index.ts';
import { collectScopes } from './collect.ts';
import { perModule } from './lookups.ts';
import type { Memory } from './memory.ts';
import type { ModuleScopes } from './scopes.ts';
import { readSource, type Source } from './source.ts';
import type { Value } from './values.ts';

type Found = Extract<Value, { k: 'module' | 'namespace' }>;

/** What a dotted path means, and the file that it led to, be it broken. */
interface Sought {
  found: Found | null;
  file: string | null;
}

/** A parsed module with its source, or why there is none. */
export type Loaded = { source: Source; scopes: ModuleScopes } | { error: Source['error'] & object; source: Source };

/** The scopes of a file that was analysed before and is the very same now. They hold nothing of other files. */
const collected = new WeakMap<Source, ModuleScopes>();

export class ModuleGraph {
  private readonly loaded = new Map<string, Loaded | null>();
  private readonly existing = new Map<string, boolean>();
  private readonly sought = new Map<string, Sought>();
  /** Top-level package folder → its import root, as the imports of files below it show. */
  readonly evidence = new Map<string, string>();

  constructor(
    private readonly fs: FileSystem,
    /** Top-level names that are never the project's own. */
    private readonly external: ReadonlySet<string>,
    /** More folders to look for top-level modules in, relative to the root. */
    private readonly extraRoots: readonly string[],
    readonly memory: Memory,
  ) {}

  /** Reads and parses a file once; null when it is not there. */
  file(file: string): Loaded | null {
    let got = this.loaded.get(file);
    if (got === undefined) {
      got = this.read(file);
      this.loaded.set(file, got);
      if (got && 'scopes' in got) {
        this.readable.push(got.scopes);
        this.leadOn(got.scopes);
      }
    }
    return got;
  }

  /** Reads what a module led to in an earlier look: what is known of it still rests on that. */
  private leadOn(from: ModuleScopes): void {
    for (const [folder, root] of this.memory.rootsFrom(from)) this.show(folder, root);
    for (const file of this.memory.leadsFrom(from)) if (!this.loaded.has(file)) this.waiting.push(file);
    if (this.leading) return;
    this.leading = true;
    for (let file = this.waiting.pop(); file !== undefined; file = this.waiting.pop()) this.file(file);
    this.leading = false;
  }

  /** All files are searched: how modules are called is settled. */
  searched(): void {
    this.isSettled = true;
    this.memory.searched();
    // more are read meanwhile
    for (const m of this.readable) this.leadOn(m);
  }
  private isSettled = false;

  private show(folder: string, root: string): void {
    if (!this.isSettled) this.evidence.set(folder, root);
  }
  private readonly waiting: string[] = [];
  private leading = false;

  private read(file: string): Loaded | null {
    const source = readSource(this.fs, file);
    if (!source) {
      if (this.existing.get(file)) this.memory.noteUnreadable(file);
      return null;
    }
    this.memory.noteFile(file, source.bytes);
    if (source.error) return { error: source.error, source };
    const isPackage = file === '__init__.py' || file.endsWith('/__init__.py');
    const scopes =
      collected.get(source) ?? collectScopes({ file, name: '', isPackage, text: source.text }, source.tree!);
    collected.set(source, scopes);
    // a namespace package shows only in who imports it, so the name may become longer as more is read
    Object.defineProperty(scopes, 'name', { get: () => this.nameOf(file), configurable: true });
    for (const [folder, root] of shownBy(scopes)) this.show(folder, root);
    const named = this.memory.recall(`folders that ${file} imports`, [scopes], () => this.foldersNamed(scopes));
    for (const [folder, root] of named) this.show(folder, root);
    return { source, scopes };
  }

  /** Packages without an `__init__.py` that imports name (`import core.tasks`), used or not. */
  private foldersNamed(m: ModuleScopes): Shown[] {
    return importsOf(m).flatMap((dotted) => {
      const isThere = (root: string): boolean => {
        const base = join(root, dotted.replaceAll('.', '/'));
        return this.exists(base) || this.exists(`${base}.py`);
      };
      const root = this.rootsOf(m.file, dotted).find(isThere);
      const folder = root === undefined ? null : join(root, dotted.split('.', 1)[0]!);
      return folder !== null && this.exists(folder) && !filesOf(folder).some((f) => this.exists(f))
        ? [[folder, root!] as const]
        : [];
    });
  }

  /** Every module read so far, in the order of reading. */
  modules(): readonly ModuleScopes[] {
    return this.readable;
  }
  private readonly readable: ModuleScopes[] = [];

  /**
   * What `level` dots and a dotted name mean in a module; null when it is not the project's.
   */
  load(from: ModuleScopes, level: number, dotted: string | null): Found | null {
    if (level > 0) {
      const folder = folderAt(from.file, level);
      return folder === null ? null : this.found(from, folder, dotted ?? '');
    }
    if (!dotted || this.external.has(dotted.split('.', 1)[0]!)) return null;
    for (const root of this.rootsFor(from.file)) {
      const got = this.found(from, root, dotted);
      if (!got) continue;
      const top = dotted.split('.', 1)[0]!;
      if (top !== dotted) this.showBy(from, join(root, top), root);
      return got;
    }
    return null;
  }

  /** As an import that was followed shows it: of that only the memory knows in a later look. */
  private showBy(from: ModuleScopes, folder: string, root: string): void {
    this.show(folder, root);
    if (!this.isSettled) this.memory.noteRoot(from, folder, root);
  }

  private found(from: ModuleScopes, root: string, dotted: string): Found | null {
    const { found, file } = this.seek(root, dotted);
    if (file !== null) this.memory.lead(from.file, file);
    return found;
  }

  /** The module at a dotted path below a folder; '' is the folder's own package. */
  at(root: string, dotted: string): Found | null {
    const { found, file } = this.seek(root, dotted);
    if (file !== null) this.memory.leadOn(file);
    return found;
  }

  private seek(root: string, dotted: string): Sought {
    const key = `${root}:${dotted}`;
    let got = this.sought.get(key);
    if (got === undefined) {
      got = this.find(root, dotted);
      this.sought.set(key, got);
    }
    return got;
  }

  private find(root: string, dotted: string): Sought {
    const base = join(root, dotted.replaceAll('.', '/'));
    for (const file of dotted ? filesOf(base) : [packageFile(base)]) {
      if (!this.exists(file)) continue;
      const got = this.file(file);
      if (got && 'scopes' in got) return { found: { k: 'module', module: got.scopes }, file };
      if (got) return { found: null, file };
    }
    return { found: this.exists(base) ? { k: 'namespace', root, name: dotted } : null, file: null };
  }

  /** The file of what `level` dots and a dotted name mean in another, unread; null when it is none of the project's. */
  fileOf(file: string, level: number, module: string): string | null {
    const folder = folderAt(file, level);
    if (folder === null) return null;
    const key = `${level ? '.' : ''}${folder}:${module}`;
    let got = this.unread.get(key);
    if (got === undefined) {
      const bases = (level ? [folder] : this.rootsOf(file, module)).map((r) => join(r, module.replaceAll('.', '/')));
      // asked from the folder down: most names are no module's
      const near = bases.filter((base) => base === folder || this.exists(dirname(base)));
      got = near.flatMap(filesOf).find((path) => this.exists(path)) ?? null;
      this.unread.set(key, got);
    }
    return got;
  }

  /** The roots that hold the outermost package or module of a dotted name. */
  private rootsOf(file: string, module: string): string[] {
    const top = module.split('.', 1)[0]!;
    if (this.external.has(top)) return [];
    const key = `${dirname(file)}:${top}`;
    let roots = this.topRoots.get(key);
    if (!roots) {
      const there = this.rootsFor(file).filter((r) => r === '' || this.exists(r));
      roots = there.filter((r) => this.exists(join(r, top)) || this.exists(`${join(r, top)}.py`));
      this.topRoots.set(key, roots);
    }
    return roots;
  }
  private readonly topRoots = new Map<string, string[]>();
  private readonly unread = new Map<string, string | null>();

  /** A module below a package. */
  submodule(pkg: ModuleScopes, name: string): Found | null {
    return pkg.isPackage ? this.found(pkg, dirname(pkg.file), name) : null;
  }

  private exists(path: string): boolean {
    let known = this.existing.get(path);
    if (known === undefined) {
      known = this.fs.exists(path);
      this.existing.set(path, known);
      this.memory.noteExists(path, known);
    }
    return known;
  }

  /** Folders that a file's absolute imports may start from, best first. */
  private rootsFor(file: string): string[] {
    const key = dirname(file);
    let roots = this.rootCache.get(key);
    if (!roots) {
      const pkg = this.packageRoot(file);
      roots = [];
      for (let d: string | null = pkg; d !== null; d = d === '' ? null : dirname(d)) roots.push(d);
      roots.push(...roots.map((d) => join(d, 'src')), ...this.extraRoots);
      if (key !== pkg) roots.push(key);
      this.rootCache.set(key, roots);
    }
    return roots;
  }
  private readonly rootCache = new Map<string, string[]>();

  /** The first folder upward that is no package. */
  private packageRoot(file: string): string {
    let d = dirname(file);
    while (d !== '' && this.exists(packageFile(d))) d = dirname(d);
    return d;
  }

  /** The dotted name of a file's module. */
  private nameOf(file: string): string {
    const key = `${this.evidence.size}:${file}`;
    let name = this.names.get(key);
    if (name === undefined) {
      name = dotted(file, this.rootOf(file));
      this.names.set(key, name);
    }
    return name;
  }
  private readonly names = new Map<string, string>();

  private rootOf(file: string): string {
    const pkg = this.packageRoot(file);
    const parts = file.split('/');
    for (let i = 1; i < parts.length; i++) {
      const root = this.evidence.get(parts.slice(0, i).join('/'));
      if (root !== undefined && root.length <= pkg.length) return root;
    }
    return pkg;
  }

  /** Does `from module import *` bind the name? */
  exportsByStar(m: ModuleScopes, name: string): boolean {
    const all = literalAll(m.tree.body);
    return all ? all.has(name) : !name.startsWith('_');
  }
}

/** A folder of modules, and the root that its imports start from. */
type Shown = readonly [folder: string, root: string];

/** `from src.x import y` in `apps/api/src/main.py` shows that `apps/api` is the import root of `apps/api/src`. */
const shownBy = perModule((m): Shown[] => {
  const folder = dirname(m.file);
  if (folder === '') return [];
  const parts = folder.split('/');
  const tops = new Set(importsOf(m).map((dotted) => dotted.split('.', 1)[0]!));
  return [...tops].flatMap((top) => {
    const i = parts.indexOf(top);
    return i >= 0 ? [[parts.slice(0, i + 1).join('/'), parts.slice(0, i).join('/')] as const] : [];
  });
});

/** The dotted names that absolute imports of a module start with. */
const importsOf = perModule((m): string[] => {
  const out = new Set<string>();
  for (const { bindings } of [m.scope, ...m.functions.map((fn) => fn.scope)])
    for (const list of bindings.values())
      for (const b of list) if (b.kind === 'import' || (b.kind === 'from' && !b.level && b.module)) out.add(b.module!);
  return [...out];
});

/** The names of a literal `__all__`, additions included; null when there is none. */
function literalAll(body: Stmt[]): Set<string> | null {
  let names: Set<string> | null = null;
  for (const s of body) {
    const more = s.kind === 'ExprStmt' ? extension(s.value) : null;
    if (more) {
      names ??= new Set();
      for (const name of more) names.add(name);
      continue;
    }
    const value = s.kind === 'Assign' || s.kind === 'AugAssign' || s.kind === 'AnnAssign' ? s.value : null;
    const target =
      s.kind === 'Assign' ? s.targets[0] : s.kind === 'AugAssign' || s.kind === 'AnnAssign' ? s.target : null;
    if (target?.kind !== 'Name' || target.id !== '__all__' || !value) continue;
    if (value.kind !== 'List' && value.kind !== 'Tuple') continue;
    names ??= new Set();
    for (const e of value.elts) if (e.kind === 'Constant' && e.type === 'str') names.add(String(e.value));
  }
  return names;
}

/** The names that `__all__.extend([...])` or `__all__.append("x")` adds; null for any other expression. */
function extension(e: Expr): string[] | null {
  if (e.kind !== 'Call' || e.func.kind !== 'Attribute' || e.func.value.kind !== 'Name' || e.func.value.id !== '__all__')
    return null;
  const [arg] = e.args;
  const all = arg?.kind === 'List' || arg?.kind === 'Tuple' ? arg.elts : arg ? [arg] : [];
  return all.flatMap((x) => (x.kind === 'Constant' && x.type === 'str' ? [String(x.value)] : []));
}

function packageFile(folder: string): string {
  return join(folder, '__init__.py');
}

/** Where the module of a path may be: a package wins over a module of the same name. */
function filesOf(base: string): string[] {
  return [packageFile(base), `${base}.py`];
}

/** The folder that `level` dots mean in a file, which are one at least or count as one; null above the root. */
function folderAt(file: string, level: number): string | null {
  let folder = dirname(file);
  for (let i = 1; i < level; i++) {
    if (folder === '') return null;
    folder = dirname(folder);
  }
  return folder;
}

function dirname(path: string): string {
  const i = path.lastIndexOf('/');
  return i < 0 ? '' : path.slice(0, i);
}

function join(folder: string, rest: string): string {
  return folder === '' ? rest : rest === '' ? folder : `${folder}/${rest}`;
}

function dotted(file: string, root: string): string {
  const inside = root === '' ? file : file.slice(root.length + 1);
  return inside
    .replace(/\.py$/, '')
    .replace(/(^|\/)__init__$/, '')
    .replaceAll('/', '.');
}
