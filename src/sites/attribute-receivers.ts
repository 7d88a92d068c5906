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

/** An attribute that is set to objects with so many methods of a name tells nothing of which of them is called. */
const MANY = 8;

type Method = Pick<ProjectCall, 'fn' | 'self'>;

export class AttributeReceivers {
  private readonly open: { call: AttributeCall; called: Set<FunctionInfo> }[] = [];
  /** By the names of a call. */
  private readonly methods = new Map<string, readonly Method[]>();
  /** How many modules were read when these were found. */
  private modules = 0;

  constructor(private readonly project: Project) {}

  note(calls: readonly AttributeCall[]): void {
    for (const call of calls) this.open.push({ call, called: new Set() });
  }

  /** The calls of methods that are known by now, and were not before. */
  calls(): ProjectCall[] {
    const { length } = this.project.ev.graph.modules();
    if (this.modules !== length) this.methods.clear();
    this.modules = length;
    return this.open.flatMap(({ call, called }) =>
      this.methodsOf(call)
        .filter(({ fn }) => isNew(fn, called))
        .map((method) => ({ module: call.module, call: call.call, partial: [], likely: true, ...method })),
    );
  }

  private methodsOf(call: AttributeCall): readonly Method[] {
    const { module, owner, attr, method } = call;
    // what a test sets is seen by its own calls alone
    const key = `${owner}.${attr}.${method}${isTestFile(module.file) ? ` ${module.file}` : ''}`;
    const known = this.methods.get(key) ?? this.setTo(call);
    this.methods.set(key, known);
    return known;
  }

  private setTo({ module, owner, attr, method }: AttributeCall): Method[] {
    const { ev } = this.project;
    const out = new Map<Method['fn'], Method>();
    for (const m of modulesStoring(ev.graph, attr)) {
      if (m !== module && isTestFile(m.file)) continue;
      for (const { object, value: node, scope, block } of m.attributeStores.get(attr)!) {
        if (!node || lastNameOf(object) !== owner) continue;
        for (const { value: of, proof } of ev.value(node, scope, block).values())
          for (const { value } of of.k === 'instance' ? ev.attribute(of, method, proof).values() : [])
            if (value.k === 'function' && !out.has(value.fn)) out.set(value.fn, { fn: value.fn, self: value.self });
        if (out.size > MANY) return [];
      }
    }
    return [...out.values()];
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
  const methods = asked.filter(({ cls, node: { name } }) => cls && !name.startsWith('__'));
  const attributes = new Map(methods.map(({ cls }) => [cls!.node.name, new Set<string>()]));
  for (const m of methods.length ? modules : [])
    for (const [made, attrs] of attributesSetTo(m)) for (const attr of attrs) attributes.get(made)?.add(attr);
  return methods.flatMap(({ cls, node: { name } }) => {
    const made = cls!.node.name;
    return [[`= ${made}(`], [`.${made}(`], ...[...attributes.get(made)!].map((attr) => [name, attr])];
  });
}
