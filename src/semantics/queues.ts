/** What is taken out of a queue is what was put there: `await queue.get()`, `queue.get_nowait()`. */
import { lastNameOf } from '../syntax/index.ts';
import { elementsOf } from './elements.ts';
import type { Evaluator } from './evaluate.ts';
import { merge, type Place, unknown, type Values } from './values.ts';

/** Of what is awaited: the `get` of a queue, perhaps within `wait_for`; null for anything else. */
export function queuedValues(ev: Evaluator, { node, ...at }: Place): Values | null {
  if (node.kind !== 'Call') return null;
  const [first] = node.args;
  if (first && WAITING.has(lastNameOf(node.func))) return queuedValues(ev, { ...at, node: first });
  return taken(ev, { ...at, node }, 'get');
}

const WAITING: ReadonlySet<string> = new Set(['wait_for', 'shield']);

/** Of `queue.get_nowait()`; null for anything else. */
export function takenNow(ev: Evaluator, call: Place): Values | null {
  return taken(ev, call, 'get_nowait');
}

/** Who annotates a queue alone does not say who fills it. */
function taken(ev: Evaluator, { node, ...at }: Place, method: string): Values | null {
  if (node.kind !== 'Call' || node.func.kind !== 'Attribute' || node.func.attr !== method) return null;
  const queue = { ...at, node: node.func.value };
  const all = [...ev.valueAt(queue).values()].filter((v) => v.value.k !== 'none');
  const isQueue = all.every(({ value, proof }) => value.k === 'name' && QUEUE.test(value.q) && proof !== 'annotation');
  const found = all.length && isQueue ? elementsOf(ev, queue, [], false) : null;
  // it goes from hand to hand, and `put` itself is handed on
  return found && isAnyKnown(found) ? merge(new Map(found), unknown('awaited')) : null;
}

function isAnyKnown(values: Values): boolean {
  return [...values.values()].some(({ value }) => value.k !== 'unknown' && value.k !== 'none');
}

const QUEUE = /^asyncio\.(Lifo|Priority)?Queue$/;
