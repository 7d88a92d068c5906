/** From the spawned expression to the coroutines it may be: through variables, factories, wrappers and helpers. */
import { type CallPlace, type Evaluator, elementsOf, type Place, type Value, type Values } from '../semantics/index.ts';
import type { Arg, Expr } from '../syntax/index.ts';
import { type Alternative, dedupe, outOfReach, parameterIn, passing } from './alternatives.ts';
import { declaredObjects, objectCalled } from './called-objects.ts';
import type { Helpers } from './context.ts';
import { isTested } from './coroutine-tests.ts';
import { unwrapPartial } from './detect.ts';
import { expand, expandAll, isAround } from './expand.ts';
import { unresolvedHelper } from './helper-calls.ts';
import { onFields } from './on-fields.ts';
import { onAnother, onHeirs, saidAnew } from './on-heirs.ts';
import { dottedName, type Project } from './project.ts';
import { nameless } from './stand-ins.ts';

export type { Alternative, ParameterMode, Passage } from './alternatives.ts';

type Parameter = Extract<Value, { k: 'param' }>;
type ParameterCalled = Extract<Alternative, { kind: 'parameter' }>;

export class Targets {
  readonly ev: Evaluator;

  constructor(
    readonly project: Project,
    readonly helpers: Helpers,
  ) {
    this.ev = project.ev;
  }

  /** Alternatives of an expression that is a coroutine, or (`callable`) a function that makes one. */
  resolve(place: Place, callable: boolean): Alternative[] {
    const arms = armsOf(place.node);
    if (arms) return dedupe(arms.flatMap((node) => this.resolve({ ...place, node }, callable)));
    const unnamed = unresolvedHelper(this.project, place);
    if (unnamed) return this.resolve(unnamed.inner!, false).map((a) => passing(a, unnamed));
    return dedupe(this.preferKnown(this.expanded(place, callable, 0), place));
  }

  /** Alternatives of each value that an expression may have; `depth` counts the calls on the way to it. */
  expanded(place: Place, callable: boolean, depth: number): Alternative[] {
    return expandAll(this, this.ev.valueAt(place), { at: place, callable, depth });
  }

  /** Alternatives of the elements of an iterable, of what a mapping holds, or of the entries of its entries. */
  elements(place: Place, callable = false): Alternative[] {
    const out = this.collect(place, callable, 0);
    if (place.node.kind === 'GeneratorExp' || place.node.kind === 'ListComp') {
      const own = this.project.place(place.scope.module, place.node.elt);
      return dedupe(this.preferKnown(out, own));
    }
    // the keys of a mapping that is handed over with what it holds
    const some = out.filter((a) => a.kind !== 'unknown' || a.why !== 'constant');
    return dedupe(some.length ? some : out);
  }

  /** Alternatives of one entry of a literal list, tuple or mapping. */
  at(place: Place, index: number, key: string, callable: boolean): Alternative[] {
    const step = this.isMapping(place) ? key : index;
    return expandAll(this, elementsOf(this.ev, place, [step], true), { at: place, callable, depth: 0 });
  }

  private isMapping(place: Place): boolean {
    return [...this.ev.valueAt(place).values()].some(
      (v) => v.value.k === 'display' && v.value.place.node.kind === 'Dict',
    );
  }

  private collect(place: Place, callable: boolean, depth: number): Alternative[] {
    const values: Values = new Map(elementsOf(this.ev, place, [], false));
    if (this.isMapping(place)) for (const [key, v] of elementsOf(this.ev, place, ['*'], true)) values.set(key, v);
    return [...values.values()].flatMap(({ value }) => {
      if (value.k === 'display' && depth < 2) return this.collect(value.place, callable, depth + 1);
      const at = value.k === 'function' ? nameless(value.fn, place) : place;
      return expand(this, value, { at, callable, depth: 0 });
    });
  }

  /** An unknown among knowns stays: what is named is not all of it then. Alone it is named after the call. */
  preferKnown(all: Alternative[], place: Place): Alternative[] {
    const n = place.node;
    const known = all.filter((a) => a.kind !== 'unknown');
    // a default is not all that a field may hold
    const ofClass = onFields(this, place);
    if (!known.length) ofClass.push(...onHeirs(this, place), ...onAnother(this, place));
    if (ofClass.length) return ofClass;
    const stored = n.kind === 'Call' ? this.storedCallees({ ...place, node: n }) : [];
    if (known.length) {
      if (n.kind !== 'Call') return [...all, ...onAnother(this, place)];
      const called = this.calledParameters({ ...place, node: n }).filter((p) => !p.stored);
      // what else is known stands in for an argument that is left out: callers tell of both
      const given = called.some((p) => isLeftOut(p.arg) && isAround(p.owner, place.scope)) ? called : [];
      return [...declaredObjects(this, n, place, all), ...saidAnew(this, place), ...stored, ...given];
    }
    if (stored.length) return stored;
    if (all.some((a) => a.kind === 'unknown' && a.through)) return all;
    if (n.kind === 'Call') {
      const call: CallPlace = { ...place, node: n };
      const name = dottedName(n.func);
      const parameters = this.calledParameters(call);
      if (parameters.length) return parameters.map((p) => ({ ...p, fallback: outOfReach(name ?? p.arg.arg, call) }));
      const object = objectCalled(this.ev, n, place);
      if (name) return [{ ...outOfReach(name, call), object }];
      if (object) return [{ kind: 'unknown', why: 'call of a parameter', call, object }];
    }
    return all.length ? all : [{ kind: 'unknown', why: 'not a call' }];
  }

  /** Parameters of the function around the site that it calls. */
  private calledParameters(place: CallPlace): ParameterCalled[] {
    const callee = [...this.ev.value(place.node.func, place.scope, place.block).values()];
    return callee.flatMap(({ value }) => {
      const of = parameterIn(value);
      return of ? [this.calledAt(place, of, value.k === 'element' ? 'iterable-callable' : 'callable')] : [];
    });
  }

  private calledAt(place: CallPlace, of: Parameter, mode: ParameterCalled['mode']): ParameterCalled {
    const { owner, arg, role } = of;
    const stored = isStored(of, place.scope);
    const tested = isTested(this.project, place) || undefined;
    return { kind: 'parameter', owner, arg, role, mode, weak: true, stored, tested };
  }

  /** Called functions that others have put into the container which they are taken from. */
  private storedCallees(place: CallPlace): Alternative[] {
    const out: Alternative[] = [];
    for (const { value } of this.ev.value(place.node.func, place.scope, place.block).values()) {
      const { base } = unwrapPartial(value);
      if (base.k !== 'param' || !isStored(base, place.scope)) continue;
      const fallback = outOfReach(dottedName(place.node.func) ?? base.arg.arg, place);
      out.push({ ...this.calledAt(place, base, 'callable'), fallback });
    }
    return out;
  }
}

/** Was it put where the site finds it by its function, which is not around the site? */
function isStored({ owner, stored }: Parameter, scope: Place['scope']): true | undefined {
  return stored ?? (isAround(owner, scope) ? undefined : true);
}

/** `fn=None`. */
function isLeftOut({ default: d }: Arg): boolean {
  return d?.kind === 'Constant' && d.type === 'none';
}

/** The expressions of which one is spawned: of `a and b()` only the last can be, a truth value never. */
function armsOf(node: Expr): readonly Expr[] | null {
  if (node.kind !== 'IfExp' && node.kind !== 'BoolOp') return null;
  const all = node.kind === 'IfExp' ? [node.body, node.orelse] : node.op === 'or' ? node.values : node.values.slice(-1);
  const some = all.filter((e) => e.kind !== 'Constant' && e.kind !== 'Compare' && e.kind !== 'UnaryOp');
  return some.length ? some : all;
}
