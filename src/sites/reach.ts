/** Can a function that is handed a coroutine start it? Asked before its module is searched for wrappers. */
import { type FunctionInfo, type LambdaInfo, lineage, type ModuleScopes } from '../semantics/index.ts';
import { encloses } from '../syntax/index.ts';
import type { ProjectCall } from './detect.ts';
import type { Project } from './project.ts';
import { mentionsAny } from './table.ts';

/** How many functions may stand between the one that is called and the module that spawns. */
const STEPS = 3;

export class SpawnReach {
  private readonly known = new Map<FunctionInfo | LambdaInfo, number>();
  private readonly spawning = new Map<ModuleScopes, boolean>();

  constructor(private readonly project: Project) {}

  /** Is there a word of a spawn in the module? */
  mentionsSpawn(m: ModuleScopes): boolean {
    let mentions = this.spawning.get(m);
    if (mentions === undefined) {
      mentions = mentionsAny(m.text, this.project.table.words);
      this.spawning.set(m, mentions);
    }
    return mentions;
  }

  /** Does it, a class that it belongs to, or something that it calls with arguments stand in a module that spawns? */
  canSpawn(fn: FunctionInfo | LambdaInfo, steps = STEPS): boolean {
    const known = this.known.get(fn);
    // answered no with fewer steps to go, it may be yes with more
    if (known !== undefined && known >= steps) return known === Number.POSITIVE_INFINITY;
    this.known.set(fn, steps);
    const can = this.stands(fn) || (steps > 0 && this.callees(fn).some((callee) => this.canSpawn(callee, steps - 1)));
    if (can) this.known.set(fn, Number.POSITIVE_INFINITY);
    return can;
  }

  private stands(fn: FunctionInfo | LambdaInfo): boolean {
    if (this.mentionsSpawn(fn.module)) return true;
    const cls = fn.type === 'function' ? fn.cls : null;
    return cls !== null && lineage(this.project.ev, cls).some((c) => this.mentionsSpawn(c.module));
  }

  /** Project functions that it calls with arguments. */
  private callees(fn: FunctionInfo | LambdaInfo): (FunctionInfo | LambdaInfo)[] {
    return fn.module.calls
      .filter(({ node }) => encloses(fn.node, node))
      .filter(({ node }) => node.args.length + node.keywords.length > 0)
      .flatMap(({ node, scope, block }) =>
        [...this.project.ev.value(node.func, scope, block).values()].flatMap(({ value }) =>
          value.k === 'function' || value.k === 'lambda' ? [value.fn] : [],
        ),
      );
  }

  /** Only a function that is given a coroutine or a coroutine function can be a wrapper that matters. */
  handsOverCoroutine(call: ProjectCall): boolean {
    const { node } = call.call;
    for (const a of [...node.args, ...node.keywords.map((k) => k.value)]) {
      if (a.kind === 'Constant') continue;
      const expr = a.kind === 'Starred' ? a.value : a;
      if (['GeneratorExp', 'ListComp', 'List', 'Tuple', 'Dict', 'Lambda'].includes(expr.kind)) return true;
      for (const { value } of this.project.ev.value(expr, call.call.scope, call.call.block).values()) {
        if (['coroutine', 'partial', 'display', 'result', 'param', 'element', 'instance'].includes(value.k))
          return true;
        if (value.k === 'function' && value.fn.node.isAsync) return true;
      }
    }
    return false;
  }
}
