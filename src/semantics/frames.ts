import type { FunctionInfo } from './scopes.ts';
import type { CallPlace, Instance } from './values.ts';

/** What is known of the call that runs the code. */
export interface Frame {
  fn: FunctionInfo | null;
  self: Instance | null;
  /** Calls whose arguments bind the parameters, the latest first; then `functools.partial` calls. */
  calls: { place: CallPlace; skip: number; frame: Frame | null }[];
  /** For a closure: the call of the function that made it. */
  outer?: Frame;
}

/** The frame in which the parameters of a function are bound: this one, or that of a function around it or a caller. */
export function frameOf(fn: FunctionInfo, frame: Frame): Frame | null {
  for (let f: Frame | null | undefined = frame, i = 0; f && i < 12; f = f.calls[0]?.frame, i++) {
    for (let o: Frame | undefined = f, k = 0; o && k < 6; o = o.outer, k++) if (o.fn === fn) return o;
  }
  return null;
}

export const NO_FRAME: Frame = { fn: null, self: null, calls: [] };
