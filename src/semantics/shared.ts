/**
 * Values that depend on a container which any module of the project may fill, or on a class from which any may derive:
 * they are settled when all are read.
 */
import type { ClassInfo, FunctionInfo, ModuleScopes } from './scopes.ts';
import type { Values } from './values.ts';

/** The subclasses of a class, as far as they have a method of their own. */
export interface Heirs {
  cls: ClassInfo;
  method: string;
}

interface Field {
  cls: ClassInfo;
  attr: string;
}

/** A name of a module that holds a container, or is that of a class or function. */
export interface Container {
  module: ModuleScopes;
  name: string;
  /** It is the class with a method. */
  heirs?: Heirs;
  /** It is the class, which other modules call. */
  called?: true;
  /** It is the function, which other modules call, of those in which something stands. */
  callers?: { fn: FunctionInfo; naming: string };
  /** It is a field of the objects of a class, which other modules may fill. */
  field?: Field;
}

/** Before all modules are read, nobody knows what others put into shared containers. */
export type Stage = 'so far' | 'complete';

/** What others had to do with it: what they put there, their subclasses, their calls. */
export interface ContainerState {
  container: Container;
  is: readonly object[];
}

export class SharedContainers {
  /** All modules are read: what is looked at now holds. */
  complete = false;

  get stage(): Stage {
    return this.complete ? 'complete' : 'so far';
  }

  private readonly kept = new Map<object, { values: Values; on: ReadonlySet<Container> }>();
  private readonly containers = new Map<string, Container>();
  private seen: Set<Container> | null = null;

  /** Notes that what is being evaluated depends on a container. */
  touch(module: ModuleScopes, name: string): void {
    this.note({ module, name });
  }

  /** Notes that it depends on the methods which subclasses have. */
  touchHeirs(cls: ClassInfo, method: string): void {
    const { module, qualname } = cls;
    const name = `${qualname}.${method}`;
    this.note({ module, name, heirs: { cls, method } });
  }

  /** Notes that it depends on the calls of a class. */
  touchCalls({ module, node: { name } }: ClassInfo): void {
    this.note({ module, name, called: true });
  }

  /** Notes that it depends on the calls of a function in modules where `naming` stands. */
  touchCallers(fn: FunctionInfo, naming: string): void {
    this.note({ module: fn.module, name: `${fn.qualname} ${naming}`, callers: { fn, naming } });
  }

  /** Notes that it depends on what is put into a field of the objects of a class. */
  touchField(cls: ClassInfo, attr: string): void {
    const { module, qualname } = cls;
    this.note({ module, name: `${qualname}.${attr}`, field: { cls, attr } });
  }

  private note(of: Container): void {
    const key = keyOf(of);
    const container = this.containers.get(key) ?? of;
    this.containers.set(key, container);
    this.seen ??= new Set();
    this.seen.add(container);
  }

  touchAll(on: ReadonlySet<Container> | null): void {
    for (const c of on ?? []) this.note(c);
  }

  /** An evaluation begins; what is handed back is for `leave`. */
  enter(): Set<Container> | null {
    const outer = this.seen;
    this.seen = null;
    return outer;
  }

  /** The containers that the evaluation depends on; what is around it depends on them, too. */
  leave(outer: Set<Container> | null): ReadonlySet<Container> | null {
    const inner = this.seen;
    if (inner && outer) for (const c of inner) outer.add(c);
    this.seen = outer ?? (inner && new Set(inner));
    return inner;
  }

  /** Runs something, and tells on which containers its result depends. */
  watched<T>(run: () => T): { result: T; on: ReadonlySet<Container> | null } {
    const outer = this.enter();
    let result: T;
    let on: ReadonlySet<Container> | null;
    try {
      result = run();
    } finally {
      on = this.leave(outer);
    }
    return { result, on };
  }

  /** Runs something on whose containers nothing depends that is being evaluated. */
  unwatched<T>(run: () => T): T {
    const outer = this.enter();
    try {
      return run();
    } finally {
      this.seen = outer;
    }
  }

  keep(key: object, values: Values, on: ReadonlySet<Container>): void {
    this.kept.set(key, { values, on });
  }

  /** What was evaluated before, for now. */
  known(key: object): Values | undefined {
    const got = this.kept.get(key);
    if (!got) return undefined;
    this.touchAll(got.on);
    return got.values;
  }

  /** All modules are read. */
  settle(): void {
    this.kept.clear();
    this.complete = true;
  }
}

function keyOf({ module, name, heirs, called, callers, field }: Container): string {
  const kind = heirs ? 'heirs ' : called ? 'calls ' : callers ? 'callers ' : field ? 'field ' : '';
  return `${kind}${module.file}:${name}`;
}
