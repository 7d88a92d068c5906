/** `def start(loop): loop.create_task(run())`, `def start(spawn): spawn(run())`: what the parameter is, its callers tell. */
import { isTestFile } from '../model/test-file.ts';
import {
  argumentFor,
  type FunctionInfo,
  type LambdaInfo,
  merge,
  type Place,
  type Value,
  type Values,
} from '../semantics/index.ts';
import type { Arg } from '../syntax/index.ts';
import { type OpenCall, type ProjectCall, type SpawnCall, unwrapPartial } from './detect.ts';
import type { Project } from './project.ts';
import type { SpawnEvent } from './spawn-events.ts';

type CallersOf = (fn: FunctionInfo | LambdaInfo) => readonly ProjectCall[];
type Parameter = Pick<Extract<Value, { k: 'param' }>, 'owner' | 'arg'>;

/** What the callers hand over. */
interface Handed {
  /** Kinds of objects: event loops, task groups; and spawn APIs. */
  kinds: Set<string>;
  /** Functions of the project, which may hand on what they are given. */
  functions: Map<FunctionInfo | LambdaInfo, Callee>;
  /** Something else, or something that is not known. */
  others: boolean;
  /** Functions whose callers had to be asked. */
  owners: Set<FunctionInfo>;
}

type Callee = Pick<ProjectCall, 'fn' | 'self' | 'partial'>;

interface Open {
  call: OpenCall;
  spawn: SpawnCall | null;
  /** Functions that it is known to call. */
  called: Set<FunctionInfo | LambdaInfo>;
}

export class HandedReceivers {
  private readonly open: Open[] = [];

  constructor(private readonly project: Project) {}

  note(calls: readonly OpenCall[]): void {
    for (const call of calls) this.open.push({ call, spawn: null, called: new Set() });
  }

  /** The calls that turn out to be spawns by the callers found since. */
  found(callersOf: CallersOf): SpawnCall[] {
    const out: SpawnCall[] = [];
    for (const each of this.open) {
      if (each.spawn) continue;
      each.spawn = this.spawnOf(each.call, callersOf);
      if (each.spawn) out.push(each.spawn);
    }
    return out;
  }

  /** The calls of functions that are handed over, as far as they were not found before. */
  calls(callersOf: CallersOf): ProjectCall[] {
    const out: ProjectCall[] = [];
    for (const { call: open, called } of this.open) {
      if (open.method !== null) continue;
      for (const callee of this.handed(open, callersOf).functions.values()) {
        if (called.has(callee.fn)) continue;
        called.add(callee.fn);
        out.push({ module: open.module, call: open.call, ...callee });
      }
    }
    return out;
  }

  /** All callers are known. */
  settle(callersOf: CallersOf): void {
    for (const { call, spawn } of this.open)
      if (spawn) spawn.certainty = this.spawnOf(call, callersOf)?.certainty ?? spawn.certainty;
  }

  /** The functions whose callers matter in files that were passed over; what tests hand to each other is not worth it. */
  owners(callersOf: CallersOf): FunctionInfo[] {
    const all = this.open
      .filter(({ call }) => call.sure)
      .flatMap(({ call }) => [...this.handed(call, callersOf).owners]);
    return all.filter((fn) => !isTestFile(fn.module.file));
  }

  private spawnOf(open: OpenCall, callersOf: CallersOf): SpawnCall | null {
    const { module, call, method } = open;
    const { kinds, others } = this.handed(open, callersOf);
    const name = (kind: string): string => (method === null ? kind : `${kind}.${method}`);
    const rows = [...kinds].flatMap((kind) => this.project.table.rows.get(name(kind)) ?? []);
    const [row] = rows;
    if (!row || row.scheduled) return null;
    const sure = !others && rows.length === kinds.size && new Set(rows.map((r) => r.api)).size === 1;
    return { module, call, row, partial: [], proof: 'parameter', certainty: sure ? 'proven' : 'likely', handed: open };
  }

  private handed({ receiver, path }: OpenCall, callersOf: CallersOf): Handed {
    const out: Handed = { kinds: new Set(), functions: new Map(), others: false, owners: new Set() };
    const seen = new Set<Arg>();
    const ask = ({ owner, arg }: Parameter): void => {
      if (seen.has(arg)) return;
      seen.add(arg);
      if (owner.type !== 'function') {
        out.others = true;
        return;
      }
      out.owners.add(owner);
      const callers = callersOf(owner);
      // whoever calls it is out of reach
      if (!callers.length) out.others = true;
      for (const caller of callers) add(this.given(owner, arg, caller));
    };
    const add = (values: Values | null): void => {
      if (!values) out.others = true;
      for (const { value } of values?.values() ?? [])
        if (value.k === 'param' && value.role === 'normal' && !value.stored) ask(value);
        else for (const { value: at } of this.along(value, path).values()) note(at);
    };
    const note = (value: Value): void => {
      const { base, partial } = unwrapPartial(value);
      const { kinds, rows } = this.project.table;
      if (base.k === 'function' || base.k === 'lambda') {
        out.others = true;
        out.functions.set(base.fn, { fn: base.fn, self: base.k === 'function' ? base.self : null, partial });
      } else if (base.k === 'name' && !partial.some(isFilled) && (kinds.has(base.q) || rows.has(base.q)))
        out.kinds.add(base.q);
      else if (value.k !== 'none') out.others = true;
    };
    ask(receiver);
    return out;
  }

  /** What some attributes lead to. */
  private along(value: Value, path: readonly string[]): Values {
    let out: Values = new Map([['', { value, proof: 'parameter' }]]);
    for (const attr of path) {
      const all = [...out.values()];
      out = new Map();
      for (const v of all) merge(out, this.project.ev.attribute(v.value, attr, v.proof));
    }
    return out;
  }

  private given(owner: FunctionInfo, arg: Arg, { call, self, partial }: ProjectCall): Values | null {
    const given = partial.length ? 'unknown' : argumentFor(owner, arg, call.node, self ? 1 : 0);
    if (given === 'unknown') return null;
    const outer = owner.scope.parent ?? owner.scope;
    const at: Place | null = given
      ? { ...call, node: given }
      : arg.default && { node: arg.default, scope: outer, block: outer.root };
    return at && this.project.ev.valueAt(at);
  }
}

/** Is it one of several that callers hand over, and this caller hands over a spawn API for sure? */
export function handsSpawn({ ev, table }: Project, { call, wrapper }: SpawnEvent, open: OpenCall): boolean {
  const { receiver, path } = open;
  if (!wrapper || wrapper.fn !== receiver.owner || wrapper.fn.type !== 'function' || path.length) return false;
  const given = wrapper.partial.length ? null : argumentFor(wrapper.fn, receiver.arg, call.node, wrapper.self ? 1 : 0);
  if (!given || given === 'unknown') return false;
  const suffix = open.method === null ? '' : `.${open.method}`;
  const all = [...ev.valueAt({ ...call, node: given }).values()].map((v) => v.value);
  return all.length > 0 && all.every((v) => v.k === 'name' && table.rows.has(`${v.q}${suffix}`));
}

/** Does `partial` give a positional argument? */
function isFilled({ node }: ProjectCall['call']): boolean {
  return node.args.length > 1;
}
