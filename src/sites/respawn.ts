/** A coroutine that starts itself again: by a task of its own, or by a timer of the event loop. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import type { CallPlace, FunctionInfo, LambdaInfo, Place } from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import type { Project } from './project.ts';

export interface Respawn {
  at: Node;
  /** The delay of `call_later`. */
  delay: Place | null;
}

/** Where the callable stands among the arguments of a timer, and the delay. */
const TIMERS: Record<string, { callable: number; delay: number | null }> = {
  'LOOP.call_later': { callable: 1, delay: 0 },
  'LOOP.call_soon': { callable: 0, delay: null },
  'LOOP.call_soon_threadsafe': { callable: 0, delay: null },
};

export function findRespawn(project: Project, fn: FunctionInfo): Respawn | null {
  return project.ev.fact(fn.module, fn, 'respawn', () => among(project, ownNodes(fn.node), fn, fn, 0));
}

function among(
  project: Project,
  nodes: Iterable<Node>,
  within: FunctionInfo | LambdaInfo,
  wanted: FunctionInfo,
  depth: number,
): Respawn | null {
  if (depth > 3) return null;
  for (const n of nodes) {
    if (n.kind !== 'Call') continue;
    const place = project.place(within.module, n) as CallPlace;
    for (const { value } of project.ev.value(n.func, place.scope, place.block).values()) {
      if (value.k === 'name') {
        if (spawns(project, value.q, place, 0, wanted)) return { at: n, delay: null };
        const timer = TIMERS[value.q];
        if (timer && calls(project, place, timer.callable, wanted, depth))
          return { at: n, delay: timer.delay === null ? null : { ...place, node: n.args[timer.delay]! } };
      } else if (value.k === 'function' && !value.fn.node.isAsync && value.fn !== wanted) {
        // a plain method that starts it: `self._schedule()`
        const found = among(project, ownNodes(value.fn.node), value.fn, wanted, depth + 1);
        if (found) return { at: n, delay: found.delay };
      }
    }
  }
  return null;
}

/** Is it a spawn of the wanted coroutine? `shift` arguments stand before its own. */
function spawns(project: Project, q: string, place: CallPlace, shift: number, wanted: FunctionInfo): boolean {
  const row = project.table.rows.get(q);
  const arg = row && !row.scheduled ? place.node.args[row.argument.position + shift] : undefined;
  return arg !== undefined && isWanted(project, { ...place, node: arg }, wanted, row!.takes);
}

function isWanted(project: Project, place: Place, wanted: FunctionInfo, takes: SpawnApiRow['takes']): boolean {
  const kind = takes === 'callable' ? 'function' : 'coroutine';
  for (const { value } of project.ev.valueAt(place).values()) if (value.k === kind && value.fn === wanted) return true;
  return false;
}

/** Does the callable of a timer start the wanted coroutine? */
function calls(project: Project, place: CallPlace, position: number, wanted: FunctionInfo, depth: number): boolean {
  const callable: Expr | undefined = place.node.args[position];
  if (!callable || callable.kind === 'Starred') return false;
  for (const { value: v } of project.ev.valueAt({ ...place, node: callable }).values()) {
    const value = v.k === 'partial' ? v.base : v;
    if (value.k === 'name') {
      if (
        v.k === 'partial'
          ? spawns(project, value.q, v.call, 1, wanted)
          : spawns(project, value.q, place, position + 1, wanted)
      )
        return true;
    } else if (value.k === 'lambda') {
      if (among(project, nodesBelow([value.fn.node.body]), value.fn, wanted, depth + 1)) return true;
    } else if (value.k === 'function' && value.fn !== wanted && !value.fn.node.isAsync) {
      if (among(project, ownNodes(value.fn.node), value.fn, wanted, depth + 1)) return true;
    }
  }
  return false;
}
