/** Which modules have something of a name, kept from one look at a project to the next. */
import { namesCalled, push } from './lookups.ts';
import type { Memory } from './memory.ts';
import type { ModuleGraph } from './modules.ts';
import type { ModuleScopes } from './scopes.ts';

/** Each name once. */
type Names = (m: ModuleScopes) => Iterable<string>;

const NONE: readonly ModuleScopes[] = [];

/** Where more modules than that are others, all are gone through again. */
const FEW = 16;

/** Of some modules. What is given for a name is the very same as long as its modules are. */
class NameIndex {
  private modules: readonly ModuleScopes[] = [];
  private found = new Map<string, readonly ModuleScopes[]>();

  constructor(private readonly names: Names) {}

  get(name: string): readonly ModuleScopes[] {
    return this.found.get(name) ?? NONE;
  }

  /** Makes it an index of other modules, most of which it knows. */
  bring(modules: readonly ModuleScopes[]): void {
    const before = this.modules;
    this.modules = [...modules];
    const changed = [...modules.keys()].filter((i) => before[i] !== modules[i]);
    const isMoved = (i: number): boolean => before.includes(modules[i]!);
    if (before.length !== modules.length || changed.length > FEW || changed.some(isMoved)) this.build();
    else if (changed.length) this.replace(before, changed);
  }

  private build(): void {
    const found = new Map<string, ModuleScopes[]>();
    for (const m of this.modules) for (const name of this.names(m)) push(found, name, m);
    this.found = found;
  }

  private replace(before: readonly ModuleScopes[], changed: readonly number[]): void {
    const places = new Map([...before, ...this.modules].map((m, i) => [m, i % before.length]));
    const inOrder = (a: ModuleScopes, b: ModuleScopes): number => places.get(a)! - places.get(b)!;
    for (const i of changed) {
      const [old, now] = [before[i]!, this.modules[i]!];
      const fresh = new Set(this.names(now));
      for (const name of this.names(old)) {
        const all = this.get(name);
        this.found.set(name, fresh.delete(name) ? all.map((m) => (m === old ? now : m)) : all.filter((m) => m !== old));
      }
      for (const name of fresh) this.found.set(name, [...this.get(name), now].sort(inOrder));
    }
  }
}

/** Of one graph: the modules that were read when it was asked first, and those since then. */
interface OfGraph {
  base: NameIndex;
  seen: number;
  more: Map<string, ModuleScopes[]>;
}

/** The modules read so far of which something has a name, in the order of reading. */
export function modulesByName(names: Names): (graph: ModuleGraph, name: string) => readonly ModuleScopes[] {
  const kept = new WeakMap<Memory, NameIndex>();
  const indexes = new WeakMap<ModuleGraph, OfGraph>();
  const begin = ({ memory }: ModuleGraph, all: readonly ModuleScopes[]): OfGraph => {
    const base = kept.get(memory) ?? new NameIndex(names);
    kept.set(memory, base);
    base.bring(all);
    return { base, seen: all.length, more: new Map() };
  };
  return (graph, name) => {
    const all = graph.modules();
    const index = indexes.get(graph) ?? begin(graph, all);
    indexes.set(graph, index);
    for (; index.seen < all.length; index.seen++) {
      const m = all[index.seen]!;
      for (const each of names(m)) push(index.more, each, m);
    }
    const more = index.more.get(name);
    return more ? [...index.base.get(name), ...more] : index.base.get(name);
  };
}

/** The modules read so far with calls of something of a name. */
export const modulesCalling = modulesByName(namesCalled);
