/** How a helper of the project is called: by the codemod, that puts it around a coroutine, and for a trace id. */
import type { ContextHelper } from '../model/index.ts';
import { positionalArgs } from '../semantics/index.ts';
import type { Arguments, Call, Expr } from '../syntax/index.ts';
import type { HelperShape, TraceSwitch } from './context.ts';
import { constantTest } from './loop-exits.ts';

interface Signature {
  /** -1: by its keyword. */
  idParam: number;
  trace: Pick<ContextHelper, 'setsTraceId' | 'traceParam'>;
}

/**
 * @param bound - how many of the first parameters are bound already.
 * @returns null where a call with nothing but the coroutine and the id is no call of it.
 */
export function signatureOf(shape: HelperShape, args: Arguments, bound: number): Signature | null {
  const { coroParam, idParam } = shape;
  const positional = positionalArgs(args).slice(bound);
  const others = [...positional, ...args.kwonly].filter((_, i) => i !== coroParam && i !== idParam);
  if (coroParam >= positional.length || others.some((a) => a.default === null)) return null;
  const named = args.posonly.length - bound;
  const isInOrder = coroParam + idParam === 1 && idParam < positional.length;
  if (!isInOrder && (coroParam !== 0 || idParam < named)) return null;
  return { idParam: idParam < positional.length ? idParam : -1, trace: traceOf(shape, named) };
}

/** Whether it sets a trace id when it is asked to, or anyway. */
function traceOf({ setsTraceId, traceSwitches }: HelperShape, named: number): Signature['trace'] {
  const isAlways = (by: TraceSwitch | null) => by === null || isOn(by.fallback);
  if (!setsTraceId || !traceSwitches.length || traceSwitches.some(isAlways)) return { setsTraceId };
  const asked = traceSwitches.find((by) => by !== null && (by.index < 0 || by.index >= named));
  return asked ? { setsTraceId, traceParam: asked.name } : { setsTraceId: false };
}

/** Only a literal proves that a helper which must be asked sets a trace id for this call. */
export function setsTraceAt({ setsTraceId, traceSwitches }: HelperShape, { args, keywords }: Call): boolean {
  const asked = traceSwitches.filter((by) => by !== null);
  if (asked.length < traceSwitches.length) return true;
  if (!asked.length) return setsTraceId;
  return asked.some(({ name, index, fallback }) =>
    isOn(keywords.find((k) => k.arg === name)?.value ?? args[index] ?? fallback),
  );
}

function isOn(value: Expr | null): boolean {
  return value?.kind === 'Constant' && constantTest(value) === true;
}
