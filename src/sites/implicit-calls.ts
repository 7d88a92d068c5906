/** Methods that statements call without naming them: `jobs["poll"] = run` that of a class's `__setitem__`, `bot.job = run` a property's setter. */
import {
  type CallPlace,
  type FunctionInfo,
  isSetter,
  type LambdaInfo,
  lineage,
  type ModuleScopes,
} from '../semantics/index.ts';
import type { Call, Expr } from '../syntax/index.ts';
import type { ProjectCall } from './detect.ts';
import type { Project } from './project.ts';

/** The statements of a module that call such a method. */
export function implicitCalls(project: Project, module: ModuleScopes, fn: FunctionInfo | LambdaInfo): ProjectCall[] {
  if (fn.type !== 'function' || !fn.cls) return [];
  const { name } = fn.node;
  if (name === '__setitem__')
    return module.stores.flatMap(({ object, key, value, ...at }) => calls(project, fn, object, [key, value], at));
  if (!isSetter(fn)) return [];
  return (module.attributeStores.get(name) ?? []).flatMap(({ object, value, scope, block }) =>
    value ? calls(project, fn, object, [value], { scope, block }) : [],
  );
}

function calls({ ev }: Project, fn: FunctionInfo, object: Expr, args: Expr[], at: Where): ProjectCall[] {
  return [...ev.valueAt({ ...at, node: object }).values()].flatMap(({ value: self }): ProjectCall[] => {
    if (self.k !== 'instance' || !lineage(ev, self.cls).includes(fn.cls!)) return [];
    return [{ module: at.scope.module, call: { ...at, node: callOf(object, args) }, fn, self, partial: [] }];
  });
}

type Where = Omit<CallPlace, 'node'>;

const made = new WeakMap<Expr, Call>();

/** The same each time. */
function callOf(object: Expr, args: Expr[]): Call {
  const value = args.at(-1)!;
  const { start, parent } = object;
  const call = made.get(value) ?? {
    kind: 'Call',
    func: object,
    args,
    keywords: [],
    open: object.end,
    start,
    end: value.end,
    parent,
  };
  made.set(value, call);
  return call;
}
