/** Values that depend on a container which any module of the project may fill: they are settled when all are read. */
import type { ModuleScopes } from './scopes.ts';
import type { Values } from './values.ts';

/** A name of a module that holds a container. */
export interface Container {
  module: ModuleScopes;
  name: string;
}

export class SharedContainers {
  /** All modules are read: what is looked at now holds. */
  complete = false;
  private readonly kept = new Map<object, { values: Values; on: ReadonlySet<Container> }>();
  private readonly containers = new Map<string, Container>();
  private seen: Set<Container> | null = null;

  /** Notes that what is being evaluated depends on a container. */
  touch(module: ModuleScopes, name: string): void {
    const key = `${module.file}:${name}`;
    const container = this.containers.get(key) ?? { module, name };
    this.containers.set(key, container);
    this.seen ??= new Set();
    this.seen.add(container);
  }

  touchAll(on: ReadonlySet<Container> | null): void {
    for (const c of on ?? []) this.touch(c.module, c.name);
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
