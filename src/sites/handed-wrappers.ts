/** Modules that are handed what spawns, and name neither a spawn nor its module: `def setup(sup): sup.add(run)`. */
import {
  argumentFor,
  type Binding,
  type FunctionInfo,
  findScope,
  type LambdaInfo,
  type ModuleScopes,
  merge,
  perModule,
  push,
  type Values,
} from '../semantics/index.ts';
import type { Expr } from '../syntax/index.ts';
import type { ProjectCall } from './detect.ts';
import { dottedName, type Project } from './project.ts';

/** A parameter that is called with arguments, or has a method that is. */
interface Use {
  parameter: Extract<Binding, { kind: 'param' }>;
  /** From the parameter to what is called. */
  path: readonly string[];
}

interface Waiting {
  call: ProjectCall;
  use: Use;
  /** What is called, once it was looked at; null for anything. */
  callees?: ReadonlySet<FunctionInfo | LambdaInfo> | null;
}

export class HandedWrappers {
  /** By the name of what is called: a method's; that of a function that is handed over can be any. */
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(private readonly project: Project) {}

  /** A call of a function in a module that was not searched. */
  note(call: ProjectCall): void {
    if (call.fn.type !== 'function' || call.partial.length) return;
    for (const use of usesIn(call.fn.module).get(call.fn) ?? [])
      push(this.waiting, use.path.at(-1) ?? '', { call, use });
  }

  /** The modules that are handed one of these functions, each once. */
  reached(wrappers: Iterable<FunctionInfo | LambdaInfo>, isSearched: (m: ModuleScopes) => boolean): ModuleScopes[] {
    const known = new Set(wrappers);
    const names = new Set(['', ...[...known].flatMap((fn) => (fn.type === 'function' ? [fn.node.name] : []))]);
    const out = new Set<ModuleScopes>();
    for (const name of names) {
      const open = (this.waiting.get(name) ?? []).filter(({ call }) => !isSearched(call.fn.module));
      this.waiting.set(name, open);
      for (const each of open) {
        const { module } = each.call.fn;
        if (out.has(module)) continue;
        each.callees ??= this.calleesOf(each);
        if (!each.callees || [...each.callees].some((fn) => known.has(fn))) out.add(module);
      }
    }
    return [...out];
  }

  private calleesOf({ call: { fn, self, call }, use }: Waiting): ReadonlySet<FunctionInfo | LambdaInfo> | null {
    const { ev } = this.project;
    const given = fn.type === 'function' ? argumentFor(fn, use.parameter.arg, call.node, self ? 1 : 0) : null;
    if (!given || given === 'unknown' || !HANDED.has(given.kind)) return new Set();
    let values = ev.settled(ev.valueAt({ ...call, node: given }));
    for (const attr of use.path) {
      const out: Values = new Map();
      for (const { value, proof } of values.values()) {
        // its caller knows: who has come so far that a wrapper has this name goes on
        if (value.k === 'param') return null;
        merge(out, ev.attribute(value, attr, proof));
      }
      values = out;
    }
    return new Set([...values.values()].flatMap(({ value }) => (value.k === 'function' ? [value.fn] : [])));
  }
}

/** What an object, a function or a method is handed over by. */
const HANDED: ReadonlySet<Expr['kind']> = new Set(['Name', 'Attribute', 'Call']);

const usesIn = perModule((m: ModuleScopes): ReadonlyMap<FunctionInfo, Use[]> => {
  const out = new Map<FunctionInfo, Use[]>();
  for (const { node, scope } of m.calls) {
    if (!node.args.length && !node.keywords.length) continue;
    const [root, ...path] = dottedName(node.func)?.split('.') ?? [];
    const where = root === undefined ? null : findScope(root, scope);
    if (root === undefined || !where?.fn) continue;
    const parameter = where.bindings.get(root)?.find((b) => b.kind === 'param');
    if (parameter?.role === 'normal') push(out, where.fn, { parameter, path });
  }
  return out;
});
