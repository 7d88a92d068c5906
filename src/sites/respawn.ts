/** A coroutine that starts itself again: by a task of its own, or by a timer of the event loop. */
import type { SpawnApiRow } from '../engine/contracts.ts';
import type { CallPlace, FunctionInfo, LambdaInfo, Place } from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import type { Project } from './project.ts';

interface Respawn {
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
  return project.ev.fact(fn.module, fn, 'respawn', () => new Search(project, fn).among(ownNodes(fn.node), fn, 0));
}

class Search {
  /** How near to the wanted coroutine each function was looked at. */
  private readonly seen = new Map<FunctionInfo, number>();

  constructor(
    private readonly project: Project,
    private readonly wanted: FunctionInfo,
  ) {}

  among(nodes: Iterable<Node>, within: FunctionInfo | LambdaInfo, depth: number): Respawn | null {
    if (depth > 3) return null;
    const { project, wanted } = this;
    for (const n of nodes) {
      if (n.kind !== 'Call') continue;
      const place = project.place(within.module, n) as CallPlace;
      for (const { value } of project.ev.value(n.func, place.scope, place.block).values()) {
        if (value.k === 'name') {
          if (this.spawns(value.q, place, 0)) return { at: n, delay: null };
          const timer = TIMERS[value.q];
          if (timer && this.calls(place, timer.callable, depth))
            return { at: n, delay: timer.delay === null ? null : { ...place, node: n.args[timer.delay]! } };
        } else if (value.k === 'function' && !value.fn.node.isAsync && value.fn !== wanted) {
          // a plain method that starts it: `self._schedule()`
          const found = this.inFunction(value.fn, depth + 1);
          if (found) return { at: n, delay: found.delay };
        }
      }
    }
    return null;
  }

  /** What was looked at from no farther away is not looked at again: functions that call each other are many ways to one. */
  private inFunction(fn: FunctionInfo, depth: number): Respawn | null {
    if ((this.seen.get(fn) ?? Number.POSITIVE_INFINITY) <= depth) return null;
    this.seen.set(fn, depth);
    return this.among(ownNodes(fn.node), fn, depth);
  }

  /** Is it a spawn of the wanted coroutine? `shift` arguments stand before its own. */
  private spawns(q: string, place: CallPlace, shift: number): boolean {
    const row = this.project.table.rows.get(q);
    const arg = row && !row.scheduled ? place.node.args[row.argument.position + shift] : undefined;
    return arg !== undefined && this.isWanted({ ...place, node: arg }, row!.takes);
  }

  private isWanted(place: Place, takes: SpawnApiRow['takes']): boolean {
    const kind = takes === 'callable' ? 'function' : 'coroutine';
    for (const { value } of this.project.ev.valueAt(place).values())
      if (value.k === kind && value.fn === this.wanted) return true;
    return false;
  }

  /** Does the callable of a timer start the wanted coroutine? */
  private calls(place: CallPlace, position: number, depth: number): boolean {
    const { project, wanted } = this;
    const callable: Expr | undefined = place.node.args[position];
    if (!callable || callable.kind === 'Starred') return false;
    for (const { value: v } of project.ev.valueAt({ ...place, node: callable }).values()) {
      const value = v.k === 'partial' ? v.base : v;
      if (value.k === 'name') {
        if (v.k === 'partial' ? this.spawns(value.q, v.call, 1) : this.spawns(value.q, place, position + 1))
          return true;
      } else if (value.k === 'lambda') {
        if (this.among(nodesBelow([value.fn.node.body]), value.fn, depth + 1)) return true;
      } else if (value.k === 'function' && value.fn !== wanted && !value.fn.node.isAsync) {
        if (this.inFunction(value.fn, depth + 1)) return true;
      }
    }
    return false;
  }
}
