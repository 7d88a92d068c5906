/** What project decorators put in a coroutine function's place. */
import { type ClassInfo, type Frame, type FunctionInfo, isModelDecorator, type Value } from '../semantics/index.ts';
import type { Expr } from '../syntax/index.ts';
import type { Project } from './project.ts';

/** A project function that stands above another one, or that the call above it hands back. */
interface Decorator {
  fn: FunctionInfo;
  at: Expr;
  /** What is known of the calls that made it. */
  frame: Frame;
}

/** The innermost first, as they are applied. */
export function decoratorsOf(project: Project, fn: FunctionInfo | ClassInfo): readonly Decorator[] {
  if (!fn.node.decorators.length) return NONE;
  return project.ev.fact(fn.module, fn, 'decorators', () => find(project, fn));
}

const NONE: readonly Decorator[] = [];

function find(project: Project, fn: FunctionInfo | ClassInfo): Decorator[] {
  const out: Decorator[] = [];
  for (const at of [...fn.node.decorators].reverse())
    for (const { value } of project.ev.valueAt(project.place(fn.module, at)).values())
      out.push(...decorators(project, value, at));
  return out;
}

function decorators(project: Project, value: Value, at: Expr): Decorator[] {
  if (value.k === 'function') return [{ fn: value.fn, at, frame: { fn: value.fn, self: value.self, calls: [] } }];
  if (value.k === 'partial' && value.base.k === 'function') {
    const { fn, self } = value.base;
    // the arguments of `partial` stand after the function
    return [{ fn, at, frame: { fn, self, calls: [{ place: value.call, skip: -1, frame: null }] } }];
  }
  if (value.k === 'instance') {
    const methods = [...project.ev.attribute(value, '__call__', 'attribute').values()];
    return methods.flatMap((m) =>
      m.value.k === 'function' ? [{ fn: m.value.fn, at, frame: { fn: m.value.fn, self: value, calls: [] } }] : [],
    );
  }
  if (value.k !== 'result' || value.fn.type !== 'function') return [];
  const outer: Frame = {
    fn: value.fn,
    self: value.self,
    calls: [{ place: value.call, skip: value.self ? 1 : 0, frame: null }],
  };
  return [...project.ev.returned(value.fn).values()].flatMap((r) =>
    r.value.k === 'function'
      ? [{ fn: r.value.fn, at, frame: { fn: r.value.fn, self: value.self, calls: [], outer } }]
      : [],
  );
}

/** What a decorator puts in the place of what it is given: functions made in it, and (`itself`) the function as it was. */
export function replacements(project: Project, d: Decorator): { made: FunctionInfo[]; itself: boolean } {
  const made: FunctionInfo[] = [];
  let itself = false;
  const look = (value: Value, depth: number): void => {
    if (value.k === 'function' && inside(value.fn, d.fn)) made.push(value.fn);
    else if (value.k === 'param' && value.owner === d.fn) itself = true;
    else if (value.k === 'external' && value.q === 'functools.update_wrapper' && depth < 2) {
      const [first] = value.call.node.args;
      if (!first) return;
      for (const v of project.ev.valueAt({ ...value.call, node: first }).values()) look(v.value, depth + 1);
    }
  };
  for (const { value } of project.ev.returned(d.fn).values()) look(value, 0);
  return { made, itself };
}

/** Does a decorator leave the function as it is, whatever else it does with it? */
export function handsBackBelow(project: Project, fn: FunctionInfo, decorator: Expr): boolean {
  const own = decoratorsOf(project, fn).filter((d) => d.at === decorator);
  return own.length > 0 && own.every((d) => isAllItself(project, d));
}

/** Does a decorator of the project put something else in the place of a class? */
export function isReplaced(project: Project, cls: ClassInfo): boolean {
  return decoratorsOf(project, cls).some((d) => !isModelDecorator(d.at) && !isAllItself(project, d));
}

function isAllItself({ ev }: Project, { fn }: Decorator): boolean {
  const all = [...ev.returned(fn).values()];
  return all.length > 0 && all.every(({ value }) => value.k === 'param' && value.owner === fn);
}

function inside(fn: FunctionInfo, outer: FunctionInfo): boolean {
  return fn.module === outer.module && fn.node.start > outer.node.start && fn.node.end <= outer.node.end;
}
