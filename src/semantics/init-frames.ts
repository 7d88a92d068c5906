/** In which call does the constructor of an instance run? */
import { type Call, lastNameOf } from '../syntax/index.ts';
import { lineage, ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import type { Frame } from './frames.ts';
import { type FunctionInfo, whereIs } from './scopes.ts';
import type { Instance } from './values.ts';

/** The frame in which an `__init__` of the instance's class or of a base runs; null when its arguments are not known. */
export function initFrame(ev: Evaluator, instance: Instance, init: FunctionInfo): Frame | null {
  if (instance.copyOf) return initFrame(ev, instance.copyOf, init);
  const making = lineage(ev, instance.cls).filter((c) => ownBindings(c, '__init__').length > 0);
  const { call } = instance;
  let frame: Frame = {
    fn: init,
    self: instance,
    calls: call ? [{ place: call, skip: 1, frame: instance.frame ?? null }] : [],
  };
  if (!making.length || making[0] === init.cls) return frame;
  // from one `__init__` to the next by `super().__init__(…)` or `Base.__init__(self, …)`
  for (let at = 0; at < making.length; ) {
    const [b] = ownBindings(making[at]!, '__init__');
    const up = b?.kind === 'def' ? superInit(b.fn) : null;
    if (b?.kind !== 'def' || !up) return null;
    const from = making[at]!;
    at = up.base ? making.findIndex((c, i) => i > at && c.node.name === up.base) : at + 1;
    const next = making[at];
    if (!next) return null;
    const place = { node: up.node, ...whereIs(from.module, up.node) };
    const outer: Frame = { ...frame, fn: b.fn };
    frame = { fn: init, self: instance, calls: [{ place, skip: up.base ? 0 : 1, frame: outer }] };
    if (next === init.cls) return frame;
  }
  return null;
}

/** The same, for an instance that the frame, or one of those it was called in, speaks of. */
export function constructing(ev: Evaluator, init: FunctionInfo, frame: Frame): Frame | null {
  const { cls, node } = init;
  if (!cls || node.name !== '__init__') return null;
  for (let f: Frame | null | undefined = frame, i = 0; f && i < 12; f = f.calls[0]?.frame, i++)
    if (f.self?.call && lineage(ev, f.self.cls).includes(cls)) return initFrame(ev, f.self, init);
  return null;
}

/** The one call of a base's `__init__` in an `__init__`, when it is not under a condition. */
function superInit(init: FunctionInfo): { node: Call; base: string | null } | null {
  for (const s of init.node.body) {
    if (s.kind !== 'ExprStmt' || s.value.kind !== 'Call') continue;
    const { func } = s.value;
    if (func.kind !== 'Attribute' || func.attr !== '__init__') continue;
    const object = func.value;
    if (object.kind === 'Call' && object.func.kind === 'Name' && object.func.id === 'super') {
      // `super(Base, self)` goes on after another class
      const [from] = object.args;
      return from && lastNameOf(from) !== init.cls?.node.name ? null : { node: s.value, base: null };
    }
    if (object.kind === 'Name') return { node: s.value, base: object.id };
    if (object.kind === 'Attribute') return { node: s.value, base: object.attr };
  }
  return null;
}
