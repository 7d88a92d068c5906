/** What was found out of modules, for a process that looks at a project again and again: it holds as long as what it rests on. */

import type { FileSystem } from '../io/files.ts';
import { FileAnswers } from './file-answers.ts';
import type { ModuleScopes } from './scopes.ts';
import type { Values } from './values.ts';

/** What rests on one module, and on what that one leads to, alone. */
export interface Known {
  readonly module: ModuleScopes;
  /** Of expressions, bindings and functions of the module. */
  readonly values: Map<object, Values>;
  /** Anything else, by what it is about and by what it says of it. */
  readonly facts: Map<object, Map<string, unknown>>;
}

/** To which files a module led; while the project was read, and afterwards. */
interface Leads {
  early: Set<string>;
  late: Set<string>;
  /** What its imports showed of import roots: package folder, then its root. */
  roots: Map<string, string>;
}

/**
 * Handed from one look to the next, it forgets what rests on a file that changed. A memory that is used once costs
 * nothing but the notes on which module leads to which.
 */
export class Memory {
  private readonly known = new Map<string, Known>();
  private leads = new Map<string, Leads>();
  /** The bytes of each file as they were when it was looked at last. */
  private readonly contents = new Map<string, Uint8Array>();
  private readonly existing = new Map<string, boolean>();
  private roots: ReadonlyMap<string, string> = new Map();
  private key = '';
  /** When the last look began, in the history of changes. */
  private mark: number | null = null;
  readonly answers = new FileAnswers();
  /** How modules led on before, for those that are looked at anew. */
  private before = new Map<string, Leads>();
  private late = false;
  /** The module of which something is being found out. */
  private current: Known | null = null;

  /**
   * A look begins.
   *
   * @param key - everything else that all of it rests on.
   */
  begin(fs: FileSystem, key: string): void {
    this.late = false;
    this.before = new Map();
    const changed = this.known.size && key === this.key ? this.changedIn(fs) : null;
    if (changed) this.drop(this.restingOn(changed));
    else this.forget(key);
    this.mark = fs.changes?.mark ?? null;
  }

  /** Files that are not as they were; null when more than that may have changed. */
  private changedIn(fs: FileSystem): string[] | null {
    if (!fs.keepsBytes) return null;
    const told = this.mark === null ? null : (fs.changes?.since(this.mark) ?? null);
    if (!told) for (const [path, there] of this.existing) if (fs.exists(path) !== there) return null;
    return [...(told ?? this.contents.keys())].filter(
      (file) => this.contents.has(file) && fs.read(file) !== this.contents.get(file),
    );
  }

  forget(key = this.key): void {
    this.known.clear();
    this.leads.clear();
    this.before.clear();
    this.contents.clear();
    this.existing.clear();
    this.recalled.clear();
    this.roots = new Map();
    this.key = key;
    this.late = false;
  }

  /** The files, and all that lead to them. */
  private restingOn(changed: readonly string[]): Set<string> {
    const by = new Map<string, string[]>();
    if (changed.length)
      for (const [file, { early, late }] of this.leads)
        for (const to of [...early, ...late]) by.set(to, [...(by.get(to) ?? []), file]);
    const found = new Set(changed);
    for (const file of found) for (const from of by.get(file) ?? []) found.add(from);
    return found;
  }

  private drop(files: ReadonlySet<string>): void {
    for (const file of files) {
      this.known.delete(file);
      this.contents.delete(file);
      const leads = this.leads.get(file);
      if (leads) this.before.set(file, leads);
      this.leads.delete(file);
    }
  }

  /**
   * The project is read: what is looked at from now on is no part of it.
   *
   * @returns whether all of this look is as it would be without anything known before.
   */
  read(roots: ReadonlyMap<string, string>): boolean {
    this.late = true;
    const shrunk = [...this.before].some(([file, { early }]) => {
      const now = this.leads.get(file)?.early;
      return [...early].some((to) => !now?.has(to));
    });
    const moved = this.roots.size > 0 && !sameEntries(this.roots, roots);
    this.roots = new Map(roots);
    return !shrunk && !moved;
  }

  /** What follows from some functions and modules as they are alone, found once as long as these are the same. */
  recall<T>(what: string, on: readonly object[], find: () => T): T {
    const before = this.recalled.get(what);
    if (before?.on.length === on.length && on.every((each, i) => each === before.on[i])) return before.result as T;
    const result = find();
    this.recalled.set(what, { on, result });
    return result;
  }
  private readonly recalled = new Map<string, { on: readonly object[]; result: unknown }>();

  noteFile(file: string, bytes: Uint8Array): void {
    this.contents.set(file, bytes);
  }

  noteExists(path: string, there: boolean): void {
    this.existing.set(path, there);
  }

  noteRoot({ file }: ModuleScopes, folder: string, root: string): void {
    this.leadsOf(file).roots.set(folder, root);
  }

  /** A module led to a file, in whichever state that is. */
  lead(from: string, to: string): void {
    if (from === to) return;
    const leads = this.leadsOf(from);
    if (!leads.early.has(to)) leads[this.late ? 'late' : 'early'].add(to);
  }

  /** The files to which a module led in earlier looks, and what its imports showed of roots. */
  leadsFrom({ file }: ModuleScopes): Pick<Leads, 'early' | 'roots'> | undefined {
    return this.leads.get(file);
  }

  private leadsOf(file: string): Leads {
    let leads = this.leads.get(file);
    if (!leads) {
      leads = { early: new Set(), late: new Set(), roots: new Map() };
      this.leads.set(file, leads);
    }
    return leads;
  }

  of(module: ModuleScopes): Known {
    let known = this.known.get(module.file);
    if (known?.module !== module) {
      known = { module, values: new Map(), facts: new Map() };
      this.known.set(module.file, known);
    }
    return known;
  }

  /** Something of a module is found out from here to `leave`; whatever asks for it rests on it. */
  enter(module: ModuleScopes): Known | null {
    const outer = this.current;
    if (outer?.module === module) return outer;
    if (outer) this.lead(outer.module.file, module.file);
    this.current = this.of(module);
    return outer;
  }

  leave(outer: Known | null): void {
    this.current = outer;
  }

  /** Of the module that was entered last. */
  get entered(): Known {
    return this.current!;
  }

  /** The module of which something is being found out leads to a file. */
  leadOn(to: string): void {
    if (this.current) this.lead(this.current.module.file, to);
  }
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
