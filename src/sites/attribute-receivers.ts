/**
 * `request.app.state.tasks.spawn(run())`, where nothing tells what `request` is: an attribute of that name, of something of
 * that name, is set somewhere, and what it is set to has such a method.
 */
import { isTestFile } from '../model/test-file.ts';
import {
  type CallPlace,
  type FunctionInfo,
  type LambdaInfo,
  type ModuleScopes,
  modulesStoring,
  perModule,
  push,
  type Values,
} from '../semantics/index.ts';
import { lastNameOf } from '../syntax/index.ts';
import type { ProjectCall } from './detect.ts';
import type { Project } from './project.ts';

/** A call that may be one of a method of the project. */
export interface AttributeCall {
  module: ModuleScopes;
  call: CallPlace;
  /** `state`, `tasks` and `spawn` of `app.state.tasks.spawn(…)`. */
  owner: string;
  attr: string;
  method: string;
}

/** The call, where that is all that is known of what it calls. */
export function attributeCall(module: ModuleScopes, call: CallPlace, values: Values): AttributeCall | null {
  const { func } = call.node;
  if (func.kind !== 'Attribute' || func.value.kind !== 'Attribute') return null;
  const owner = lastNameOf(func.value.value);
  if (!owner || [...values.values()].some(({ value }) => value.k !== 'unknown' && value.k !== 'name')) return null;
  return { module, call, owner, attr: func.value.attr, method: func.attr };
}

export class AttributeReceivers {
  private readonly open: { call: AttributeCall; called: Set<FunctionInfo> }[] = [];

  constructor(private readonly project: Project) {}

  note(calls: readonly AttributeCall[]): void {
    for (const call of calls) this.open.push({ call, called: new Set() });
  }

  /** The calls of methods that are known by now, and were not before. */
  calls(): ProjectCall[] {
    return this.open.flatMap(({ call, called }) => this.callsOf(call).filter(({ fn }) => isNew(fn, called)));
  }

  private callsOf({ module, call, owner, attr, method }: AttributeCall): ProjectCall[] {
    const { ev } = this.project;
    return modulesStoring(ev.graph, attr)
      .filter((m) => m === module || !isTestFile(m.file))
      .flatMap((m) => m.attributeStores.get(attr)!)
      .flatMap(({ object, value: node, scope, block }): ProjectCall[] => {
        if (!node || lastNameOf(object) !== owner) return [];
        return [...ev.value(node, scope, block).values()].flatMap(({ value: of, proof }) =>
          of.k !== 'instance'
            ? []
            : [...ev.attribute(of, method, proof).values()].flatMap(({ value: m }) =>
                m.k === 'function' ? [{ module, call, fn: m.fn, self: m.self, partial: [], likely: true }] : [],
              ),
        );
      });
  }
}

function isNew(fn: FunctionInfo | LambdaInfo, called: Set<FunctionInfo>): boolean {
  if (fn.type !== 'function' || called.has(fn)) return false;
  called.add(fn);
  return true;
}

/** The attributes that are set to what a call makes, by the last name of what is called. */
const attributesSetTo = perModule((m) => {
  const out = new Map<string, string[]>();
  for (const [attr, stores] of m.attributeStores)
    for (const { value } of stores) if (value?.kind === 'Call') push(out, lastNameOf(value.func), attr);
  return out;
});

/** Words of files that set an attribute to an object with one of the methods, and of those that call the method there. */
export function attributeWords(modules: readonly ModuleScopes[], asked: readonly FunctionInfo[]): string[][] {
  return asked.flatMap(({ cls, node: { name } }) => {
    if (!cls || name.startsWith('__')) return [];
    const made = cls.node.name;
    const attrs = new Set(modules.flatMap((m) => attributesSetTo(m).get(made) ?? []));
    return [[`= ${made}(`], [`.${made}(`], ...[...attrs].map((attr) => [name, attr])];
  });
}
