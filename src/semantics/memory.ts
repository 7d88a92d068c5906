/** What was found out of modules, for a process that looks at a project again and again: it holds as long as what it rests on. */

import type { FileSystem } from '../io/files.ts';
import { FileAnswers } from './file-answers.ts';
import { isSameList, push } from './lookups.ts';
import type { ModuleScopes } from './scopes.ts';
import type { Container, ContainerState, Stage } from './shared.ts';
import type { Values } from './values.ts';

/**
 * A look searches the files for spawns, tells what these start, and then asks other files for their callers. What is read
 * in which part decides what it knows: an answer of a later part is none for an earlier one.
 */
const PARTS = ['search', 'sites', 'after'] as const;
type Part = 0 | 1 | 2;

/** What rests on one module, and on what that one leads to, alone. */
interface Known {
  readonly module: ModuleScopes;
  /** Of expressions, bindings and functions of the module, by the part of the look that asked first. */
  readonly values: readonly Map<object, Values>[];
  /** Anything else, by what is said and by what it is about: there are few things that are said of many. */
  readonly facts: Readonly<Record<Stage, readonly Map<string, Map<object, Fact>>[]>>;
}

/** With the containers of other modules that had a part in it, as they were. */
export interface Fact {
  result: unknown;
  on: ReadonlySet<Container> | null;
  /** null: they were not looked at, and it is the look's own as long as no more modules are read. */
  states: readonly ContainerState[] | null;
  /** The look, and how many modules were read. */
  look: number;
  modules: number;
}

/** To which files a module led, by the part of the look, and what it asked of others in the first two. */
interface Leads {
  files: readonly Set<string>[];
  asked: Map<object, ModuleScopes>;
  /** What its imports showed of import roots: package folder, then its root. */
  roots: Map<string, string>;
}

/**
 * Handed from one look to the next, it forgets what rests on a file that changed. One that is used once takes no note of
 * what rests on what.
 */
export class Memory {
  /** @param stays - another look will follow: what only that one asks for again is kept, too. */
  constructor(readonly stays = true) {}

  private readonly known = new Map<string, Known>();
  private readonly leads = new Map<string, Leads>();
  /** The bytes of each file as they were when it was looked at last. */
  private readonly contents = new Map<string, Uint8Array>();
  private readonly existing = new Map<string, boolean>();
  private roots: ReadonlyMap<string, string> | null = null;
  private key = '';
  /** When the last look began, in the history of changes. */
  private mark: number | null = null;
  readonly answers = new FileAnswers();
  /** How modules led on before, for those that are looked at anew. */
  private before = new Map<string, Leads>();
  private part: Part = 0;
  /** Which look it is. */
  look = 0;
  /** Asked by nobody's code: by the look itself. */
  private asked = new Map<object, ModuleScopes>();
  private askedBefore = new Map<object, ModuleScopes>();
  /** Paths that exist and are no files that can be read. */
  private readonly unreadable = new Set<string>();
  /** The module of which something is being found out. */
  private current: Known | null = null;

  /**
   * A look begins.
   *
   * @param key - everything else that all of it rests on.
   */
  begin(fs: FileSystem, key: string): void {
    this.look++;
    this.part = 0;
    this.before = new Map();
    this.askedBefore = this.asked;
    this.asked = new Map();
    const changed = this.known.size && key === this.key ? this.changedIn(fs) : null;
    if (changed) this.drop(this.restingOn(changed));
    else this.forget(key);
    this.mark = fs.changes?.mark ?? null;
  }

  /** Files that are not as they were; null when more than that may have changed. */
  private changedIn(fs: FileSystem): string[] | null {
    if (!fs.keepsBytes) return null;
    const told = this.mark === null ? null : (fs.changes?.since(this.mark) ?? null);
    for (const path of told ? withFolders(told) : this.existing.keys())
      if (this.existing.has(path) && fs.exists(path) !== this.existing.get(path)) return null;
    for (const path of this.unreadable) if ((!told || told.has(path)) && fs.read(path)) return null;
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
    this.unreadable.clear();
    this.asked = new Map();
    this.askedBefore = new Map();
    this.roots = null;
    this.key = key;
    this.part = 0;
  }

  /** The files, and all that lead to them. */
  private restingOn(changed: readonly string[]): Set<string> {
    const by = new Map<string, string[]>();
    if (changed.length)
      for (const [file, { files }] of this.leads) for (const to of files.flatMap((f) => [...f])) push(by, to, file);
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

  /** All files are searched: what is read from now on shows no import roots. */
  searched(): void {
    this.part = 1;
  }

  /**
   * The sites are told: what is read from now on is no part of the project that was looked at.
   *
   * @returns whether all of this look is as it would be without anything known before.
   */
  told(roots: ReadonlyMap<string, string>): boolean {
    this.part = 2;
    const shrunk = [...this.before].some(([file, before]) => this.isLess(before, this.leadsOf(file)));
    const lost = this.isLost(this.askedBefore, this.asked);
    const moved = this.roots !== null && !sameEntries(this.roots, roots);
    this.roots = new Map(roots);
    return !shrunk && !lost && !moved;
  }

  private isLess(before: Leads, now: Leads): boolean {
    const fewer = [0, 1].some((part) => [...before.files[part]!].some((to) => !now.files[part]!.has(to)));
    return fewer || this.isLost(before.asked, now.asked);
  }

  /** Is something asked no more that is still there? It may have led to files that nobody leads to now. */
  private isLost(before: Leads['asked'], now: Leads['asked']): boolean {
    return [...before].some(([key, of]) => this.known.get(of.file)?.module === of && !now.has(key));
  }

  /** What follows from some functions, modules or texts as they are alone, found once as long as these are the same. */
  recall<T>(what: string, on: readonly unknown[], find: () => T): T {
    const before = this.recalled.get(what);
    if (before && isSameList(before.on, on)) return before.result as T;
    const result = find();
    this.recalled.set(what, { on, result });
    return result;
  }
  private readonly recalled = new Map<string, { on: readonly unknown[]; result: unknown }>();

  noteFile(file: string, bytes: Uint8Array): void {
    if (this.stays) this.contents.set(file, bytes);
  }

  noteExists(path: string, there: boolean): void {
    if (this.stays) this.existing.set(path, there);
  }

  noteRoot({ file }: ModuleScopes, folder: string, root: string): void {
    if (this.stays) this.leadsOf(file).roots.set(folder, root);
  }

  noteUnreadable(file: string): void {
    this.unreadable.add(file);
  }

  /** A module led to a file, in whichever state that is. */
  lead(from: string, to: string): void {
    if (from === to || !this.stays) return;
    const { files } = this.leadsOf(from);
    for (let part = 0; part < this.part; part++) if (files[part]!.has(to)) return;
    files[this.part]!.add(to);
  }

  /** The files to which a module led by this part of an earlier look. */
  *leadsFrom({ file }: ModuleScopes): Generator<string> {
    const files = this.part < 2 ? this.leads.get(file)?.files.slice(0, this.part + 1) : undefined;
    for (const part of files ?? []) yield* part;
  }

  /** Did some other module lead to a file, imported or not? */
  isLedTo(file: string): boolean {
    return [...this.leads.values()].some(({ files }) => files.some((to) => to.has(file)));
  }

  /** What its imports showed of roots. */
  rootsFrom({ file }: ModuleScopes): Iterable<[folder: string, root: string]> {
    return this.leads.get(file)?.roots ?? [];
  }

  private leadsOf(file: string): Leads {
    let leads = this.leads.get(file);
    if (!leads) {
      leads = { files: PARTS.map(() => new Set<string>()), asked: new Map(), roots: new Map() };
      this.leads.set(file, leads);
    }
    return leads;
  }

  private of(module: ModuleScopes): Known {
    let known = this.known.get(module.file);
    if (known?.module !== module) {
      known = {
        module,
        values: PARTS.map(() => new Map()),
        facts: { 'so far': PARTS.map(() => new Map()), complete: PARTS.map(() => new Map()) },
      };
      this.known.set(module.file, known);
    }
    return known;
  }

  /** Something of a module is asked for from here to `leave`; whatever asks for it rests on it. */
  enter(module: ModuleScopes, key: object): Known | null {
    const outer = this.current;
    if (outer?.module === module) return outer;
    if (outer) this.lead(outer.module.file, module.file);
    if (this.stays && this.part < 2 && !this.aside)
      (outer ? this.leadsOf(outer.module.file).asked : this.asked).set(key, module);
    this.current = this.of(module);
    return outer;
  }

  leave(outer: Known | null): void {
    this.current = outer;
  }

  /** Runs something on which nothing rests that is being found out. */
  unnoted<T>(run: () => T): T {
    const outer = this.current;
    this.current = null;
    this.aside = true;
    try {
      return run();
    } finally {
      this.current = outer;
      this.aside = false;
    }
  }
  private aside = false;

  /** What is known of something of the module that was entered last. */
  value(key: object): Values | undefined {
    const { values } = this.current!;
    for (let part = 0; part <= this.part; part++) {
      const known = values[part]!.get(key);
      if (known) return known;
    }
    return undefined;
  }

  keepValue(key: object, values: Values): void {
    this.current!.values[this.part]!.set(key, values);
  }

  fact(of: object, what: string, stage: Stage): Fact | undefined {
    const facts = this.current!.facts[stage];
    for (let part = 0; part <= this.part; part++) {
      const known = facts[part]!.get(what)?.get(of);
      if (known) return known;
    }
    return undefined;
  }

  keepFact(of: object, what: string, stage: Stage, fact: Fact): void {
    const facts = this.current!.facts[stage][this.part]!;
    const known = facts.get(what) ?? new Map<object, Fact>();
    facts.set(what, known.set(of, fact));
  }

  /** The module of which something is being found out leads to a file. */
  leadOn(to: string): void {
    if (this.current) this.lead(this.current.module.file, to);
  }
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

/** The files, and the folders that they lie in. */
function withFolders(files: Iterable<string>): Set<string> {
  const out = new Set(files);
  for (const path of out) {
    const at = path.lastIndexOf('/');
    if (at > 0) out.add(path.slice(0, at));
  }
  return out;
}
