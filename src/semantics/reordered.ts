/** Lists that are no longer as they are written down: grown, sorted, shortened. What stands at an index of them? */
import { descendants, type Expr, lastNameOf } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import { additions } from './filled.ts';
import { perModule } from './lookups.ts';
import type { ModuleScopes, Step } from './scopes.ts';
import { add, type Place, type Values } from './values.ts';

/** May any of the elements be what stands at the step of the list? */
export function mayBeAny(ev: Evaluator, place: Place, step: Step): boolean {
  const values = [...ev.valueAt(place).values()].map((v) => v.value);
  if (!values.length || !values.every((v) => v.k === 'none' || (v.k === 'display' && isSequence(v.place.node))))
    return false;
  if (reordersIn(place.scope.module).has(lastNameOf(place.node))) return true;
  const fromStart = typeof step === 'number' && step >= 0;
  return !fromStart && additions(ev, place).length > 0;
}

/** Is it what a starred target takes? */
export function isPart(step: Step): boolean {
  return typeof step === 'string' && step !== '*';
}

/** The list under its name, by which others find what was put into it. */
export function wholeOf(ev: Evaluator, place: Place): Values {
  const out: Values = new Map();
  for (const { value, proof } of ev.valueAt(place).values())
    add(out, value.k === 'display' ? { ...value, named: value.named ?? place } : value, proof);
  return out;
}

function isSequence(n: Expr): boolean {
  if (n.kind === 'BinOp') return n.op === '+' || n.op === '*';
  return n.kind === 'List' || n.kind === 'Tuple' || n.kind === 'ListComp';
}

/** The last names of lists whose elements some statement of a module moves. */
const reordersIn = perModule((module: ModuleScopes): ReadonlySet<string> => {
  const out = new Set<string>();
  const note = (list: Expr | undefined): void => {
    const name = list ? lastNameOf(list) : '';
    if (name) out.add(name);
  };
  for (const { node } of module.calls)
    if (lastNameOf(node.func) === 'shuffle') note(node.args[0]);
    else if (node.func.kind === 'Attribute' && MOVING.has(node.func.attr)) note(node.func.value);
  for (const { object, key } of module.stores) if (key.kind === 'Slice') note(object);
  if (/\bdel\b/.test(module.text))
    for (const n of descendants(module.tree))
      if (n.kind === 'Delete') for (const t of n.targets) if (t.kind === 'Subscript') note(t.value);
  return out;
});

const MOVING: ReadonlySet<string> = new Set([
  'appendleft',
  'clear',
  'extendleft',
  'insert',
  'pop',
  'popleft',
  'remove',
  'reverse',
  'rotate',
  'sort',
]);
