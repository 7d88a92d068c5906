/** What a function hands back, as it is seen from its call: `self` is the object of the call, `cls(…)` makes one of its class. */
import { classMember, lineage } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import type { Frame } from './frames.ts';
import { type ClassInfo, codeScope, type FunctionInfo } from './scopes.ts';
import type { CallPlace, Instance, Place, Value } from './values.ts';

type Call = Extract<Value, { k: 'result' | 'coroutine' }>;

/** The frame of the function that a call runs; null for a lambda. */
export function frameOfCall(v: Call): Frame | null {
  if (v.fn.type !== 'function') return null;
  const skip = v.self ? 1 : 0;
  const frame = v.frame ?? null;
  const calls = [{ place: v.call, skip, frame }, ...v.partial.map((place) => ({ place, skip: skip - 1, frame }))];
  return { fn: v.fn, self: v.self, calls };
}

/** A value that the body of a function speaks of, for the call that ran it. */
export function seenFrom(ev: Evaluator, value: Value, frame: Frame): Value {
  switch (value.k) {
    case 'instance':
      return instanceFrom(ev, value, frame);
    case 'class': {
      const self = value.viaSelf && !value.free ? selfOf(ev, value.cls, frame) : null;
      return self ? { k: 'class', cls: self.cls, viaSelf: self.viaSelf } : value;
    }
    case 'function': {
      const self = value.self && instanceFrom(ev, value.self, frame);
      return self === value.self ? value : { ...value, self, fn: overriding(ev, value.fn, value.self, self) };
    }
    case 'result':
    case 'coroutine': {
      const self = value.self && instanceFrom(ev, value.self, frame);
      const inner = value.frame ?? ranBy(value.call, frame);
      if (self === value.self && inner === value.frame) return value;
      if (value.fn.type === 'lambda') return { ...value, frame: inner };
      return { ...value, self, fn: overriding(ev, value.fn, value.self, self), frame: inner } as Value;
    }
    case 'display': {
      const inner = value.frame ?? ranBy(value.named ?? value.place, frame);
      return inner === value.frame ? value : { ...value, frame: inner };
    }
    default:
      return value;
  }
}

/** `self` is what the known call says it is; what `cls(…)` makes is of its class. */
export function instanceFrom(ev: Evaluator, value: Instance, frame: Frame): Instance {
  const self = value.viaSelf && !value.after && !value.free ? selfOf(ev, value.cls, frame) : null;
  const copyOf = value.copyOf && instanceFrom(ev, value.copyOf, frame);
  if (self) {
    if (!value.call) return self;
    const { cls, viaSelf } = self;
    return { ...value, cls, viaSelf, frame: value.frame ?? ranBy(value.call, frame), ...(copyOf && { copyOf }) };
  }
  const inner = value.call && !value.frame ? ranBy(value.call, frame) : undefined;
  return inner || copyOf !== value.copyOf ? { ...value, frame: inner ?? value.frame, copyOf } : value;
}

/** What another call has put away: its `self` is some object of the class, or of a subclass. */
export function ofAnyObject(value: Value): Value {
  switch (value.k) {
    case 'class':
      return value.viaSelf ? { ...value, free: true } : value;
    case 'instance':
      return value.viaSelf && !value.after ? { ...value, free: true } : value;
    case 'function':
    case 'result':
    case 'coroutine': {
      const self = value.self && ofAnyObject(value.self);
      return self === value.self ? value : ({ ...value, self } as Value);
    }
    case 'partial': {
      const base = ofAnyObject(value.base);
      return base === value.base ? value : { ...value, base };
    }
    default:
      return value;
  }
}

/** The `self` that is an instance of the class; in a closure it may be that of the method that made it. */
function selfOf(ev: Evaluator, cls: ClassInfo, frame: Frame): Instance | null {
  for (let f: Frame | undefined = frame; f; f = f.outer)
    if (f.self && lineage(ev, f.self.cls).includes(cls)) return f.self;
  return null;
}

/** The frame, when it is the one of the function that a call stands in. */
function ranBy(call: Place | CallPlace, frame: Frame): Frame | undefined {
  return codeScope(call.scope).fn === frame.fn && frame.fn ? frame : undefined;
}

/** The real class's own method, unless the name was looked up past it (by `super()`). */
function overriding(ev: Evaluator, fn: FunctionInfo, seen: Instance | null, real: Instance | null): FunctionInfo {
  if (!seen || !real || seen.cls === real.cls || !fn.cls) return fn;
  const { name } = fn.node;
  if (!methods(ev, seen, name).includes(fn)) return fn;
  return methods(ev, real, name)[0] ?? fn;
}

/** The methods of a name that an object of the project has. */
export function methods(ev: Evaluator, of: Instance, name: string): FunctionInfo[] {
  return [...(classMember(ev, of, name)?.values() ?? [])].flatMap(({ value }) =>
    value.k === 'function' ? [value.fn] : [],
  );
}
