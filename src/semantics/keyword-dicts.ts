/** Dicts that keywords make: they are written as calls. */
import type { Call, Constant, Dict, Keyword } from '../syntax/index.ts';

const called = new WeakMap<Call, Dict>();

/** `dict(more, a=run)` as `{**more, "a": run}`: the same each time. */
export function dictCalled(call: Call): Dict {
  const known = called.get(call);
  if (known) return known;
  const named = dictOf(call, call.keywords);
  const made = {
    ...named,
    keys: [...call.args.map(() => null), ...named.keys],
    values: [...call.args, ...named.values],
  };
  called.set(call, made);
  return made;
}

/** Some keywords of a call as a dict. */
export function dictOf({ start, end }: Call, keywords: readonly Keyword[]): Dict {
  return { kind: 'Dict', keys: keywords.map(nameOf), values: keywords.map((k) => k.value), start, end, parent: null };
}

function nameOf({ arg, start, end }: Keyword): Constant | null {
  return arg === null ? null : { kind: 'Constant', type: 'str', value: arg, start, end, parent: null };
}
