import { type Expr, lastNameOf, type Stmt } from '../syntax/index.ts';
import type { FunctionInfo } from './scopes.ts';
import { add, type Place, type Values } from './values.ts';

/** The expressions that a function returns. */
export function returnsOf(fn: FunctionInfo): Place[] {
  const out: Place[] = [];
  const walk = (body: readonly Stmt[]): void => {
    for (const s of body) {
      if (s.kind === 'Return') out.push({ node: s.value ?? NONE, ...fn.module.scopeOf.get(s)! });
      else if (s.kind === 'If' || s.kind === 'For' || s.kind === 'While') {
        walk(s.body);
        walk(s.orelse);
      } else if (s.kind === 'With') walk(s.body);
      else if (s.kind === 'Try') {
        walk(s.body);
        for (const h of s.handlers) walk(h.body);
        walk(s.orelse);
        walk(s.finalbody);
      } else if (s.kind === 'Match') for (const c of s.cases) walk(c.body);
    }
  };
  walk(fn.node.body);
  return out;
}

const NONE: Expr = { kind: 'Constant', type: 'none', value: null, start: 0, end: 0, parent: null };

/** `@singledispatch`: others may run in its place, by what they are given. */
export function isDispatching({ node }: FunctionInfo): boolean {
  return node.decorators.some((d) => /^singledispatch(method)?$/.test(lastNameOf(d)));
}

/** A container that is handed back under a name: what is put into it counts. */
export function namedAt(place: Place, values: Values): Values {
  const { kind } = place.node;
  if (kind !== 'Name' && kind !== 'Attribute') return values;
  if (![...values.values()].some(({ value }) => value.k === 'display' && !value.named)) return values;
  const out: Values = new Map();
  for (const { value, proof } of values.values())
    add(out, value.k === 'display' && !value.named ? { ...value, named: place } : value, proof);
  return out;
}
