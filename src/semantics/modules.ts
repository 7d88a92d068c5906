/** The module graph: finds, reads and parses the project's modules as imports ask for them. */
import type { FileSystem } from '../io/files.ts';
import type { Expr, Stmt } from '../syntax/index.ts';
import { collectScopes } from './collect.ts';
import type { ModuleScopes } from './scopes.ts';
import { readSource, type Source } from './source.ts';
import type { Value } from './values.ts';

type Found = Extract<Value, { k: 'module' | 'namespace' }>;

/** A parsed module with its source, or why there is none. */
export type Loaded = { source: Source; scopes: ModuleScopes } | { error: Source['error'] & object; source: Source };

/** The scopes of a file that was analysed before and is the very same now. They hold nothing of other files. */
const collected = new WeakMap<Source, ModuleScopes>();

export class ModuleGraph {
  private readonly loaded = new Map<string, Loaded | null>();
  private readonly existing = new Map<string, boolean>();
  private readonly found = new Map<string, Found | null>();
  /** Top-level package folder → its import root, as the imports of files below it show. */
  private readonly evidence = new Map<string, string>();

  constructor(
    private readonly fs: FileSystem,
    /** Top-level names that are never the project's own. */
    private readonly external: ReadonlySet<string>,
    /** More folders to look for top-level modules in, relative to the root. */
    private readonly extraRoots: readonly string[] = [],
  ) {}

  /** Reads and parses a file once; null when it is not there. */
  file(file: string): Loaded | null {
    let got = this.loaded.get(file);
    if (got === undefined) {
      got = this.read(file);
      this.loaded.set(file, got);
    }
    return got;
  }

  private read(file: string): Loaded | null {
    const source = readSource(this.fs, file);
    if (!source) return null;
    if (source.error) return { error: source.error, source };
    const isPackage = file === '__init__.py' || file.endsWith('/__init__.py');
    const scopes =
      collected.get(source) ?? collectScopes({ file, name: '', isPackage, text: source.text }, source.tree!);
    collected.set(source, scopes);
    // a namespace package shows only in who imports it, so the name may become longer as more is read
    Object.defineProperty(scopes, 'name', { get: () => this.nameOf(file), configurable: true });
    this.collectEvidence(scopes);
    return { source, scopes };
  }

  /** Every file read so far, in no particular order. */
  *modules(): Generator<ModuleScopes> {
    for (const l of this.loaded.values()) if (l && 'scopes' in l) yield l.scopes;
  }

  /**
   * What `level` dots and a dotted name mean in a module; null when it is not the project's.
   */
  load(from: ModuleScopes, level: number, dotted: string | null): Found | null {
    if (level > 0) {
      let folder = dirname(from.file);
      for (let i = 1; i < level; i++) {
        if (folder === '') return null;
        folder = dirname(folder);
      }
      return this.at(folder, dotted ?? '');
    }
    if (!dotted || this.external.has(dotted.split('.', 1)[0]!)) return null;
    for (const root of this.rootsFor(from.file)) {
      const got = this.at(root, dotted);
      if (!got) continue;
      const top = dotted.split('.', 1)[0]!;
      if (top !== dotted) this.evidence.set(join(root, top), root);
      return got;
    }
    return null;
  }

  /** The module at a dotted path below a folder; '' is the folder's own package. */
  at(root: string, dotted: string): Found | null {
    const key = `${root}:${dotted}`;
    let got = this.found.get(key);
    if (got === undefined) {
      got = this.find(root, dotted);
      this.found.set(key, got);
    }
    return got;
  }

  private find(root: string, dotted: string): Found | null {
    const base = join(root, dotted.replaceAll('.', '/'));
    const candidates = dotted ? [`${base}.py`, join(base, '__init__.py')] : [join(base, '__init__.py')];
    // a package wins over a module of the same name
    for (const file of candidates.reverse()) {
      if (!this.exists(file)) continue;
      const got = this.file(file);
      if (got && 'scopes' in got) return { k: 'module', module: got.scopes };
      if (got) return null;
    }
    return this.exists(base) ? { k: 'namespace', root, name: dotted } : null;
  }

  /** The file of what `level` dots and a dotted name mean in another, unread; null when it is none of the project's. */
  fileOf(file: string, level: number, module: string): string | null {
    let folder = dirname(file);
    for (let i = 1; i < level; i++) {
      if (folder === '') return null;
      folder = dirname(folder);
    }
    const key = `${level ? '.' : ''}${folder}:${module}`;
    let got = this.unread.get(key);
    if (got === undefined) {
      const bases = (level ? [folder] : this.rootsOf(file, module)).map((r) => join(r, module.replaceAll('.', '/')));
      // asked from the folder down: most names are no module's
      const near = bases.filter((base) => base === folder || this.exists(dirname(base)));
      got = near.flatMap((b) => [join(b, '__init__.py'), `${b}.py`]).find((path) => this.exists(path)) ?? null;
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
    return pkg.isPackage ? this.at(dirname(pkg.file), name) : null;
  }

  private exists(path: string): boolean {
    let known = this.existing.get(path);
    if (known === undefined) {
      known = this.fs.exists(path);
      this.existing.set(path, known);
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
    while (d !== '' && this.exists(join(d, '__init__.py'))) d = dirname(d);
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

  /** `from src.x import y` in `apps/api/src/main.py` shows that `apps/api` is the import root of `apps/api/src`. */
  private collectEvidence(m: ModuleScopes): void {
    const folder = dirname(m.file);
    if (folder === '') return;
    const seen = new Set<string>();
    for (const list of m.scope.bindings.values())
      for (const b of list) if (b.kind === 'from' && !b.level && b.module) seen.add(b.module);
    for (const fn of m.functions)
      for (const list of fn.scope.bindings.values())
        for (const b of list) if (b.kind === 'from' && !b.level && b.module) seen.add(b.module);
    for (const module of seen) {
      const top = module.split('.', 1)[0]!;
      const parts = folder.split('/');
      const i = parts.indexOf(top);
      if (i >= 0) this.evidence.set(parts.slice(0, i + 1).join('/'), parts.slice(0, i).join('/'));
    }
  }

  /** Does `from module import *` bind the name? */
  exportsByStar(m: ModuleScopes, name: string): boolean {
    const all = literalAll(m.tree.body);
    return all ? all.has(name) : !name.startsWith('_');
  }
}

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
