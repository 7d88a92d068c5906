/** Methods that statements call without naming them: `jobs["poll"] = run` that of a class's `__setitem__`, `bot.job = run` a property's setter. */
import {
  type CallPlace,
  type ClassInfo,
  type FunctionInfo,
  type Instance,
  isSetter,
  type LambdaInfo,
  lineage,
  type ModuleScopes,
  push,
} from '../semantics/index.ts';
import type { Call, Expr } from '../syntax/index.ts';
import type { ProjectCall } from './detect.ts';
import type { Project } from './project.ts';

/** What a statement may call, and with what. */
interface Implicit {
  self: Instance;
  call: CallPlace;
}

/** The statements of some modules, by the class whose method they call: each is looked at once, however many ask. */
export class ImplicitCalls {
  private readonly indexes = new Map<string, Map<ClassInfo, Implicit[]>>();

  constructor(
    private readonly project: Project,
    private readonly modules: readonly ModuleScopes[],
  ) {}

  of(fn: FunctionInfo | LambdaInfo): ProjectCall[] {
    if (fn.type !== 'function' || !fn.cls || (fn.node.name !== SET_ITEM && !isSetter(fn))) return [];
    const { name } = fn.node;
    const index = this.indexes.get(name) ?? this.indexOf(name);
    this.indexes.set(name, index);
    return (index.get(fn.cls) ?? []).map((of) => ({ ...of, module: of.call.scope.module, fn, partial: [] }));
  }

  private indexOf(name: string): Map<ClassInfo, Implicit[]> {
    const { ev } = this.project;
    const out = new Map<ClassInfo, Implicit[]>();
    for (const { object, args, ...at } of this.modules.flatMap((m) => statements(m, name)))
      for (const { value: self } of ev.valueAt({ ...at, node: object }).values())
        if (self.k === 'instance')
          for (const cls of lineage(ev, self.cls))
            push(out, cls, { self, call: { ...at, node: callOf(object, args) } });
    return out;
  }
}

const SET_ITEM = '__setitem__';

interface Statement extends Where {
  object: Expr;
  args: Expr[];
}

function statements(module: ModuleScopes, name: string): Statement[] {
  if (name === SET_ITEM) return module.stores.map(({ key, value, ...at }) => ({ ...at, args: [key, value] }));
  return (module.attributeStores.get(name) ?? []).flatMap(({ value, ...at }) =>
    value ? [{ ...at, args: [value] }] : [],
  );
}

type Where = Omit<CallPlace, 'node'>;

const made = new WeakMap<Expr, Call>();

/** The same each time for a target: `bot.job = jobs["poll"] = run` calls both methods with one value. */
function callOf(object: Expr, args: Expr[]): Call {
  const value = args.at(-1)!;
  const { start, parent } = object;
  const call = made.get(object) ?? {
    kind: 'Call',
    func: object,
    args,
    keywords: [],
    open: object.end,
    start,
    end: value.end,
    parent,
  };
  made.set(object, call);
  return call;
}
