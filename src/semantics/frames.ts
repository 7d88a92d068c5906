import type { FunctionInfo } from './scopes.ts';
import type { CallPlace, Instance } from './values.ts';

/** What is known of the call that runs the code. */
export interface Frame {
  fn: FunctionInfo | null;
  self: Instance | null;
  /** Calls whose arguments bind the parameters, the latest first; then `functools.partial` calls. */
  calls: { place: CallPlace; skip: number; frame: Frame | null }[];
}

export const NO_FRAME: Frame = { fn: null, self: null, calls: [] };
