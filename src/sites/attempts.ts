/** What the code around a spawn does about the project id that is no tag: inherited ids, and attempts that do nothing. */

import type { SiteShape, Target } from '../model/index.ts';
import { firstWhere } from '../model/order.ts';
import { type Block, type CallPlace, codeScope, indexIn, loadsOfCode, push, type Scope } from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import type { ContextSet, ContextVariables } from './context.ts';
import type { SpawnEvent } from './flow.ts';
import type { Project } from './project.ts';

/** The settings of one scope by the block that they stand in, in the order of the text. */
class OrderedSets {
  private readonly byBlock = new Map<Block, ContextSet[]>();

  constructor(sets: readonly ContextSet[]) {
    for (const set of sets) push(this.byBlock, set.call.block, set);
    for (const list of this.byBlock.values()) list.sort((a, b) => a.call.node.start - b.call.node.start);
  }

  /** The last one that is done when control comes to a call. */
  lastBefore({ node, block }: CallPlace): ContextSet | null {
    let last: ContextSet | null = null;
    for (let b: Block | null = block; b; b = b.parent) {
      const list = this.byBlock.get(b) ?? [];
      let at = firstWhere(list, ({ call }) => call.node.start >= node.start) - 1;
      // one that the call is a part of is not done
      while (at >= 0 && list[at]!.call.node.end > node.start) at--;
      const found = list[at];
      if (found && (!last || found.call.node.start > last.call.node.start)) last = found;
    }
    return last;
  }

  firstAfter({ node, block }: CallPlace, is: (set: ContextSet) => boolean): ContextSet | null {
    const list = this.byBlock.get(block) ?? [];
    const behind = list.slice(firstWhere(list, ({ call }) => call.node.start >= node.end));
    return behind.find(is) ?? null;
  }
}

export class Attempts {
  private readonly sets = new WeakMap<Scope, OrderedSets>();
  private readonly callbacks = new WeakMap<Scope, Map<string, SiteShape['doneCallback']>>();

  constructor(
    private readonly project: Project,
    private readonly variables: ContextVariables,
  ) {}

  private setsAround(event: SpawnEvent): OrderedSets {
    const scope = codeScope(event.call.scope);
    let found = this.sets.get(scope);
    if (!found) {
      const none = scope.kind === 'module' || scope.kind === 'class';
      found = new OrderedSets(none ? [] : this.variables.setsIn(scope, scope.node).filter((s) => s.role === 'project'));
      this.sets.set(scope, found);
    }
    return found;
  }

  private idOf(event: SpawnEvent, set: ContextSet): string | null {
    const v = set.value ? this.project.folder.fold(this.project.place(event.module, set.value))?.value : null;
    return typeof v === 'string' ? v : null;
  }

  /** The spawning function set the variable before: the task inherits it, as long as nobody moves the line. */
  inherited(event: SpawnEvent): Target['inherited'] {
    const last = this.setsAround(event).lastBefore(event.call);
    if (!last) return null;
    return {
      projectId: this.idOf(event, last),
      file: event.module.file,
      line: this.project.line(event.module, last.call.node.start),
    };
  }

  /** A tag that was meant for this spawn and reaches nothing. */
  ineffective(event: SpawnEvent): SiteShape['ineffectiveTag'] {
    const { node } = event.call;
    const arg = event.argument.kind === 'given' ? event.argument.place.node : null;
    const line = (n: Node): number => this.project.line(event.module, n.start);
    if (
      arg?.kind === 'Call' &&
      arg.func.kind === 'Attribute' &&
      arg.func.attr === 'run' &&
      this.isContext(event, arg.func.value)
    ) {
      return { how: 'context-run', projectId: null, line: line(arg) };
    }
    if (this.inherited(event)) return null;
    const after = this.setsAround(event).firstAfter(event.call, (s) => sameList(s.call.node, node));
    return after ? { how: 'set-after-spawn', projectId: this.idOf(event, after), line: line(after.call.node) } : null;
  }

  private isContext(event: SpawnEvent, object: Expr): boolean {
    for (const { value } of this.project.ev.valueAt(this.project.place(event.module, object)).values())
      if (value.k === 'external' && /^contextvars\.(copy_context|Context)$/.test(value.q)) return true;
    return false;
  }

  /** `add_done_callback` on the task; null when there is provably none. */
  doneCallback(event: SpawnEvent, use: SiteShape['use']): SiteShape['doneCallback'] {
    const { node } = event.call;
    const chained = this.callbackOn(event, node);
    if (chained) return chained;
    const parent = node.parent;
    const target = parent?.kind === 'Assign' ? parent.targets[0] : parent?.kind === 'NamedExpr' ? parent.target : null;
    if (target?.kind !== 'Name') return use === 'dropped' ? null : undefined;
    return this.callbackOnName(event, target.id, codeScope(event.call.scope));
  }

  /** Asked once a name: it may hold one task after another. */
  private callbackOnName(event: SpawnEvent, name: string, code: Scope): SiteShape['doneCallback'] {
    const ofScope = this.callbacks.get(code) ?? new Map<string, SiteShape['doneCallback']>();
    this.callbacks.set(code, ofScope);
    if (!ofScope.has(name)) {
      const loads = loadsOfCode(code, name);
      let found: SiteShape['doneCallback'] = null;
      for (const l of loads) found ??= this.callbackOn(event, l.node);
      ofScope.set(name, found ?? (loads.every((l) => l.node.parent?.kind === 'Attribute') ? null : undefined));
    }
    return ofScope.get(name);
  }

  private callbackOn(event: SpawnEvent, task: Node): { line: number; name: string } | null {
    const p = task.parent;
    if (p?.kind !== 'Attribute' || p.attr !== 'add_done_callback' || p.parent?.kind !== 'Call') return null;
    const callback = p.parent.args[0];
    return {
      line: this.project.line(event.module, p.attrStart),
      name: callback ? event.module.text.slice(callback.start, callback.end).slice(0, 80) : '',
    };
  }
}

/** Do the statements of two expressions stand in one list? */
function sameList(a: Node, b: Node): boolean {
  return holder(a) === holder(b);
}

function holder(n: Node): Node | null {
  let child: Node = n;
  for (let p = n.parent; p; p = p.parent) {
    const body = 'body' in p && Array.isArray(p.body) ? (p.body as Node[]) : [];
    if (indexIn(body, child) >= 0) return p;
    child = p;
  }
  return null;
}
