/** What the code around a spawn does about the project id that is no tag: inherited ids, and attempts that do nothing. */
import type { SiteShape, Target } from '../model/index.ts';
import { codeScope, isWithin } from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import type { ContextSet, ContextVariables } from './context.ts';
import type { SpawnEvent } from './flow.ts';
import type { Project } from './project.ts';

export class Attempts {
  constructor(
    private readonly project: Project,
    private readonly variables: ContextVariables,
  ) {}

  private setsAround(event: SpawnEvent): ContextSet[] {
    const scope = codeScope(event.call.scope);
    if (scope.kind === 'module' || scope.kind === 'class') return [];
    return this.variables.setsIn(scope, scope.node).filter((s) => s.role === 'project');
  }

  private idOf(event: SpawnEvent, set: ContextSet): string | null {
    const v = set.value ? this.project.folder.fold(this.project.place(event.module, set.value))?.value : null;
    return typeof v === 'string' ? v : null;
  }

  /** The spawning function set the variable before: the task inherits it, as long as nobody moves the line. */
  inherited(event: SpawnEvent): Target['inherited'] {
    const before = this.setsAround(event).filter(
      (s) => s.call.node.end <= event.call.node.start && isWithin(event.call.block, s.call.block),
    );
    const last = before[before.length - 1];
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
    const after = this.setsAround(event).find(
      (s) => s.call.node.start >= node.end && s.call.block === event.call.block && sameList(s.call.node, node),
    );
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
    const loads = event.module.loads.filter(
      (l) => l.node.kind === 'Name' && l.node.id === target.id && codeScope(l.scope) === codeScope(event.call.scope),
    );
    for (const l of loads) {
      const found = this.callbackOn(event, l.node);
      if (found) return found;
    }
    return loads.every((l) => l.node.parent?.kind === 'Attribute') ? null : undefined;
  }

  private callbackOn(event: SpawnEvent, task: Node): { line: number; name: string } | null {
    const p = task.parent;
    if (p?.kind !== 'Attribute' || p.attr !== 'add_done_callback' || p.parent?.kind !== 'Call') return null;
    const callback = p.parent.args[0];
    return {
      line: this.project.line(event.module, p.attrSpan.start),
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
    if (body.includes(child)) return p;
    child = p;
  }
  return null;
}
