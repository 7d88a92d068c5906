/** What `**keywords` at a call may hold. */
import type { SiteShape } from '../model/index.ts';
import type { Call, Expr } from '../syntax/index.ts';

/** Does a `**` of the call bring a `context=`? */
export function spreadContext(call: Call): SiteShape['spreadContext'] {
  const found = call.keywords.flatMap(({ arg, value }) => (arg === null ? [holdsContext(value)] : []));
  return found.find((each) => each === 'yes') ?? found.find((each) => each === 'maybe');
}

function holdsContext(value: Expr): SiteShape['spreadContext'] {
  const names = keysOf(value);
  if (names.includes('context')) return 'yes';
  return names.includes(null) ? 'maybe' : undefined;
}

/** The keys of a display or of a `dict(…)`; null for one that is not known here. */
function keysOf(value: Expr): (string | null)[] {
  if (value.kind === 'Dict')
    return value.keys.map((key) => (key?.kind === 'Constant' && key.type === 'str' ? String(key.value) : null));
  const isDict = value.kind === 'Call' && value.func.kind === 'Name' && value.func.id === 'dict';
  if (!isDict || value.args.length > 0) return [null];
  return value.keywords.map(({ arg }) => arg);
}
