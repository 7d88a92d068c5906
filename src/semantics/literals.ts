/** Texts that an expression surely is: a literal, a name bound to literals, the variable of a loop over them. */
import { placesOf } from './element-places.ts';
import type { Evaluator } from './evaluate.ts';
import { findScope, reaching } from './reaching.ts';
import type { Binding } from './scopes.ts';
import type { Place } from './values.ts';

const MAX_DEPTH = 6;

/** null when one of them is not known. */
export function textsOf(ev: Evaluator, place: Place, depth = 0): string[] | null {
  const { node, scope } = place;
  if (node.kind === 'Constant') return node.type === 'str' ? [String(node.value)] : null;
  if (node.kind === 'IfExp') return all([node.body, node.orelse], (x) => textsOf(ev, { ...place, node: x }, depth + 1));
  const where = node.kind === 'Name' ? findScope(node.id, scope) : null;
  if (node.kind !== 'Name' || !where || depth > MAX_DEPTH) return null;
  return all(reaching(where, node.id, scope, node.start), (b) => textsBound(ev, b, depth + 1));
}

function textsBound(ev: Evaluator, b: Binding, depth: number): string[] | null {
  const { scope, block } = b;
  if ((b.kind === 'assign' && !b.path.length) || (b.kind === 'annotated' && b.value))
    return textsOf(ev, { node: b.value!, scope, block }, depth);
  const places =
    b.kind === 'assign'
      ? placesOf(ev, { node: b.value, scope, block }, b.path, true)
      : b.kind === 'for'
        ? placesOf(ev, { node: b.iter, scope: b.iterScope, block }, b.path, false)
        : [];
  return all(places, (p) => textsOf(ev, p, depth));
}

function all<T>(items: readonly T[], texts: (item: T) => string[] | null): string[] | null {
  const out = new Set<string>();
  for (const item of items) {
    const got = texts(item);
    if (!got) return null;
    for (const text of got) out.add(text);
  }
  return out.size ? [...out] : null;
}
