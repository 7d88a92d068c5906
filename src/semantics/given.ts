/** The argument that stands at a call for a parameter. */
import type { Arg, Call, Expr } from '../syntax/index.ts';
import { type FunctionInfo, positionalArgs } from './scopes.ts';

/** The argument given for a parameter: an expression, null for none (the default holds), or unknown (starred). */
export function argumentFor(fn: FunctionInfo, arg: Arg, call: Call, skip: number): Expr | null | 'unknown' {
  const byKeyword = call.keywords.find((k) => k.arg === arg.arg);
  if (byKeyword) return byKeyword.value;
  const positional = positionalArgs(fn.node.args);
  const index = positional.indexOf(arg) - skip;
  const star = call.args.findIndex((a) => a.kind === 'Starred');
  if (positional.includes(arg) && index >= 0) {
    if (star >= 0 && star <= index) return 'unknown';
    const given = call.args[index];
    if (given) return given;
  }
  return call.keywords.some((k) => k.arg === null) ? 'unknown' : null;
}
