/** Sites that take what they start from a container which other functions fill: `@register`, `jobs.add(run)`. */
import {
  type ClassInfo,
  type FunctionInfo,
  type LambdaInfo,
  type ModuleScopes,
  type Place,
  positionalArgs,
  push,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import { passing } from './alternatives.ts';
import { decoratorsOf } from './decorated.ts';
import { unwrapPartial } from './detect.ts';
import type { Project } from './project.ts';
import type { SpawnEvent } from './spawn-events.ts';
import type { Alternative, Passage } from './targets.ts';

export type Stored = Extract<Alternative, { kind: 'parameter' }>;

/** Takes the parameters of the functions that fill the container out of what a site may start; a stand-in is left. */
export function takeStored(event: SpawnEvent): Stored[] {
  const stored = event.alternatives.filter((a): a is Stored => a.kind === 'parameter' && a.stored === true);
  if (!stored.length) return [];
  const rest = event.alternatives.filter((a) => a.kind !== 'parameter' || !a.stored);
  if (rest.length) event.alternatives = rest;
  else {
    event.standIn = stored[0]!.fallback ?? { kind: 'unknown', why: 'it comes out of a container' };
    event.alternatives = [event.standIn];
  }
  return stored;
}

/** What a filling call puts in comes out at the site, there perhaps within a helper. */
export function fill(site: SpawnEvent, found: readonly Alternative[], around: readonly Passage[] = []): void {
  const known = found
    .filter((a) => a.kind === 'coroutine' || a.kind === 'external' || a.kind === 'not-spawnable')
    .map((a) => around.reduce(passing, a));
  if (!known.length) return;
  const before = site.alternatives.filter((a) => a.kind !== 'unknown' && a !== site.standIn && !isNameless(a));
  site.alternatives = [...before, ...known];
}

/** A name out of nowhere: the variable of the loop. */
function isNameless(a: Alternative): boolean {
  return a.kind === 'external' && a.q === null;
}

/** The coroutine functions and classes of a module, by the parameters through which what stands above them is given them. */
export class DecoratedFunctions {
  private readonly known = new Map<ModuleScopes, Map<Arg, FunctionInfo[]>>();
  private readonly knownClasses = new Map<ModuleScopes, Map<Arg, ClassInfo[]>>();

  constructor(private readonly project: Project) {}

  in(module: ModuleScopes, through: Arg): readonly FunctionInfo[] {
    const all = () => module.functions.filter((fn) => fn.node.isAsync);
    return this.below(module, this.known, all, through);
  }

  /** The same of classes. */
  classesIn(module: ModuleScopes, through: Arg): readonly ClassInfo[] {
    return this.below(module, this.knownClasses, () => module.classes, through);
  }

  private below<T extends FunctionInfo | ClassInfo>(
    module: ModuleScopes,
    known: Map<ModuleScopes, Map<Arg, T[]>>,
    all: () => readonly T[],
    through: Arg,
  ): readonly T[] {
    let found = known.get(module);
    if (!found) {
      found = new Map();
      for (const each of all())
        if (each.node.decorators.length) for (const arg of this.parametersAbove(each)) push(found, arg, each);
      known.set(module, found);
    }
    return found.get(through) ?? [];
  }

  private parametersAbove(fn: FunctionInfo | ClassInfo): Arg[] {
    const out = decoratorsOf(this.project, fn).map((d) => firstOf(d.fn));
    for (const d of fn.node.decorators)
      if (d.kind === 'Call') out.push(...this.handedBack(this.project.place(fn.module, d)));
    return out.filter((arg) => arg !== undefined);
  }

  /** `if fn is None: return lambda fn: job(fn)`, or `return partial(job, every)`. */
  private handedBack(decorator: Place): (Arg | undefined)[] {
    const { ev } = this.project;
    return [...ev.valueAt(decorator).values()].flatMap(({ value: made }) =>
      made.k !== 'result' || made.fn.type !== 'function'
        ? []
        : [...ev.returned(made.fn).values()].map(({ value }) => {
            if (value.k === 'lambda') return positionalArgs(value.fn.node.args)[0];
            const { base, partial } = unwrapPartial(value);
            if (base.k !== 'function' || !partial.length) return undefined;
            const given = partial.reduce((sum, { node }) => sum + node.args.length - 1, base.self ? 1 : 0);
            return positionalArgs(base.fn.node.args)[given];
          }),
    );
  }
}

/** The parameter through which a decorator is given the function below it. */
function firstOf(fn: FunctionInfo): Arg | undefined {
  return positionalArgs(fn.node.args)[fn.scope.self ? 1 : 0];
}

/** The decorated function as the site, or a helper's argument there, calls it. */
export function decoratedAt(site: SpawnEvent, fn: FunctionInfo, helper?: Passage): Alternative {
  const place = helper?.inner ?? (site.argument.kind === 'given' ? site.argument.place : null);
  const calls = place?.node.kind === 'Call' ? [{ place: { ...place, node: place.node }, skip: 0, frame: null }] : [];
  return { kind: 'coroutine', fn, frame: { fn, self: null, calls }, name: fn.node.name, through: [] };
}

/** The function that a file which registers something names: the outermost one around it. */
export function namedFunction(fn: FunctionInfo | LambdaInfo): FunctionInfo | LambdaInfo {
  let named = fn;
  while (named.outer.fn) named = named.outer.fn;
  return named;
}
