/** What a spawned expression may be, and the coroutines that stand around the one that does the work. */
import {
  type CallPlace,
  type ClassInfo,
  type Frame,
  type FunctionInfo,
  frameKey,
  idOf,
  keyOf,
  type LambdaInfo,
  type Place,
  type Value,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import type { HelperShape } from './context.ts';
import { isNoCoroutine } from './reasons.ts';

/** One thing that a spawned expression may be. */
export type Alternative =
  | {
      kind: 'coroutine';
      fn: FunctionInfo;
      frame: Frame;
      name: string;
      /** Coroutines that await this one, outermost first: helpers, supervisors. */
      through: Passage[];
      /** `asyncio.gather` or `asyncio.shield` stands between the spawn and the coroutine. */
      inside?: string;
      /** It is a method of what a parameter is declared to be: callers know the object. */
      object?: ObjectParameter;
    }
  | {
      kind: 'external';
      q: string | null;
      name: string;
      call: CallPlace | null;
      through: Passage[];
      /** What is named is not started: it is a plain function that hands back something unknown. */
      made?: true;
      /** It is a call on a parameter: callers know the object. */
      object?: ObjectParameter;
    }
  /** A generator, or a plain function that makes no coroutine: spawning it is an error. */
  | {
      kind: 'not-spawnable';
      fn: FunctionInfo;
      name: string;
      async: boolean;
      why: string;
      /** A test around the site keeps it away. */
      away?: true;
    }
  | { kind: 'task'; name: string }
  | {
      kind: 'parameter';
      owner: FunctionInfo | LambdaInfo;
      arg: Arg;
      role: 'normal' | 'vararg' | 'kwarg';
      mode: ParameterMode;
      weak: boolean;
      /** Its function put it into the container that the site takes it from. */
      stored?: true;
      /** Only what is a coroutine, or makes one, is spawned: a test says so. */
      tested?: true;
      fallback?: Alternative;
      passage?: Passage;
      /** Helpers around the passage, the nearest first. */
      helpers?: Passage[];
    }
  /** What helpers are given is not known, and that they tag it is. */
  | { kind: 'unknown'; why: string; through?: Passage[]; object?: ObjectParameter; call?: CallPlace };

/** A parameter, or (`iterable`) an element of it, whose method is called; or (`made`) what a call of it makes. */
export interface ObjectParameter {
  owner: FunctionInfo | LambdaInfo;
  arg: Arg;
  role: 'normal' | 'vararg' | 'kwarg';
  iterable: boolean;
  method: string;
  made?: { call: CallPlace; partial: CallPlace[] };
}

export type ParameterMode = 'coroutine' | 'callable' | 'iterable' | 'iterable-callable';

/** A project coroutine (or class) on the way to the one that does the work. */
export interface Passage {
  of: FunctionInfo | ClassInfo | null;
  /** Name as written, for helpers out of reach. */
  name: string;
  call: CallPlace;
  self: Frame['self'];
  helper: HelperShape | null;
  /** The expression that is the coroutine inside, at the call. */
  inner: Place | null;
  /** In which its body runs, where more than the call is known of it. */
  frame?: Frame;
  /** The call in it of a function that the wrapper is given. */
  called?: CallPlace;
}

/** A call of which nothing but the name is known. */
export function outOfReach(name: string, call: CallPlace | null): Extract<Alternative, { kind: 'external' }> {
  return { kind: 'external', q: null, name, call, through: [] };
}

/** The parameter that a value is, or comes out of. */
export function parameterIn(value: Value): Extract<Value, { k: 'param' }> | null {
  let of = value;
  while (of.k === 'element') of = of.of;
  return of.k === 'param' ? of : null;
}

/** The alternative as it is seen through a coroutine around it. */
export function passing(a: Alternative, passage: Passage): Alternative {
  if (a.kind === 'parameter')
    return { ...a, ...around(a, passage), fallback: a.fallback && passing(a.fallback, passage) };
  if (a.kind === 'unknown')
    return passage.helper && mayMake(passage, a.why) ? { ...a, through: [passage, ...(a.through ?? [])] } : a;
  return 'through' in a ? { ...a, through: [passage, ...a.through] } : a;
}

function around(
  { passage, helpers = [] }: Extract<Alternative, { kind: 'parameter' }>,
  outer: Passage,
): { passage?: Passage; helpers?: Passage[] } {
  if (!passage) return { passage: outer };
  return outer.helper ? { helpers: [...helpers, outer] } : {};
}

/** What is called, awaited, taken out of something or has a name may be a coroutine and be unknown: a sum or a list is none. */
function mayMake({ inner }: Passage, why: string): boolean {
  if (!inner) return false;
  if (inner.node.kind === 'Name' || inner.node.kind === 'Attribute') return why !== 'unbound' && !isNoCoroutine(why);
  return ['Call', 'Await', 'Subscript'].includes(inner.node.kind);
}

/** Each alternative once, by where its coroutine is made; what a test keeps away only where there is nothing else. */
export function dedupe(all: Alternative[]): Alternative[] {
  const seen = new Set<unknown>();
  const some = all.filter((a) => a.kind !== 'not-spawnable' || !a.away);
  return (some.length ? some : all).filter((a) => {
    const key =
      a.kind === 'coroutine'
        ? a.frame.calls[0]?.place.node
        : a.kind === 'parameter'
          ? `${idOf(a.arg)}:${a.mode}`
          : a.kind === 'external'
            ? `${a.q}:${a.name}`
            : a.kind;
    const id =
      a.kind === 'coroutine'
        ? `${a.fn.module.file}:${a.fn.node.start}:${(key as { start?: number })?.start ?? ''}:${a.frame.self ? keyOf(a.frame.self) : ''}${frameKey(a.frame.calls[0]?.frame)}`
        : key;
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}
