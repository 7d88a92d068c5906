/** Attributes of instances, classes and modules as constants. */
import { type Expr, lastNameOf } from '../syntax/index.ts';
import { type Outside, setOnClass, setOnInstance } from './attribute-stores.ts';
import { lineage, ownBindings } from './classes.ts';
import { mayBeOfHeir } from './dispatch.ts';
import type { Evaluator } from './evaluate.ts';
import { fieldArgument, isEnumeration } from './fields.ts';
import type { Folder } from './fold.ts';
import { type Frame, NO_FRAME } from './frames.ts';
import { heirsOf } from './heirs.ts';
import { initFrame } from './init-frames.ts';
import { isRunFor } from './makers.ts';
import { meantAt, type Objects } from './objects.ts';
import { instanceFrom } from './receivers.ts';
import { isReplacedIn } from './replaced.ts';
import { agree, type Folded, isTimedelta, micro, modulo } from './scalars.ts';
import { type Binding, type ClassInfo, codeScope, type FunctionInfo } from './scopes.ts';
import { type Instance, only, type Place, type Value } from './values.ts';

type AttributeNode = Extract<Expr, { kind: 'Attribute' }>;

export class Members implements Objects {
  constructor(private readonly folder: Folder) {}

  get ev(): Evaluator {
    return this.folder.ev;
  }

  attribute(place: Place, n: AttributeNode, frame: Frame): Folded | null {
    const object = { ...place, node: n.value };
    const part = PARTS.has(n.attr) ? partOf(n.attr, this.folder.fold(object, frame)) : null;
    if (part) return { ...part, via: [dottedText(n), ...part.via] };
    const results: (Folded | null)[] = [];
    const meant = meantAt(this, object, frame);
    for (const { value } of this.ev.valueAt(meant.place).values()) {
      if (value.k === 'none') continue;
      results.push(this.memberOf(value, meant.place.node, n.attr, meant.frame ?? NO_FRAME));
    }
    const got = results.length ? agree(results) : null;
    return got ? { ...got, via: [dottedText(n), ...got.via] } : null;
  }

  private memberOf(value: Value, object: Expr, attr: string, frame: Frame): Folded | null {
    switch (value.k) {
      case 'instance':
        return this.ofAny(this.real(value, object, frame), attr);
      case 'class': {
        const cls = this.ev.seen(value, frame) as typeof value;
        return this.onClass(cls, attr);
      }
      case 'module':
        return this.folder.exported(value.module.scope, attr);
      case 'result': {
        const known = this.ev.seen(value, frame) as typeof value;
        const instances = [...this.ev.settled(only(known, 'result')).values()].flatMap((v) =>
          v.value.k === 'instance' ? [v.value] : [],
        );
        return instances.length ? agree(instances.map((i) => this.member(i, attr))) : null;
      }
      default:
        return null;
    }
  }

  /** The object that is meant, with the frame in which it was made. */
  private real(value: Instance, object: Expr, frame: Frame): Instance {
    const known = instanceFrom(this.ev, value, frame);
    return instanceFrom(this.ev, known, this.around(known, object, frame));
  }

  /** The frame that an instance was made in: that of `__init__`, for one that is kept on an attribute. */
  private around(value: Instance, object: Expr, frame: Frame): Frame {
    const fn = value.call && !value.frame ? codeScope(value.call.scope).fn : null;
    if (!fn?.cls || fn === frame.fn || fn.node.name !== '__init__') return frame;
    let use = object;
    for (let f: Frame | null | undefined = frame, i = 0; f && i < 8; i++) {
      const own = f.fn?.scope.self?.name;
      // the attribute of another object of the class may hold one that was made otherwise
      if (f.self && own && own === rootName(use) && lineage(this.ev, f.self.cls).includes(fn.cls))
        return this.initFrame(f.self, fn) ?? frame;
      use = f.calls[0]?.place.node.func ?? use;
      f = f.calls[0]?.frame;
    }
    return frame;
  }

  /** An object of which only a base class is known may be of a subclass that says the attribute anew. */
  private ofAny(instance: Instance, attr: string): Folded | null {
    return agree(this.heirsWith(instance, attr).map((i) => this.member(i, attr)));
  }

  /** The same of `cls` and `type(self)`; a class that is named is no other. */
  private onClass({ cls, viaSelf = false }: Extract<Value, { k: 'class' }>, attr: string): Folded | null {
    const any: Instance = { k: 'instance', cls, call: null, viaSelf };
    return agree((viaSelf ? this.heirsWith(any, attr) : [any]).map((i) => this.classConstant(i, attr)));
  }

  private heirsWith(instance: Instance, attr: string): Instance[] {
    if (!mayBeOfHeir(instance)) return [instance];
    const anew = heirsOf(this.ev, instance.cls, attr).filter(
      ({ scope }) => scope.bindings.has(attr) || scope.attributes.has(attr),
    );
    return [instance, ...anew.map((cls) => ({ ...instance, cls }))];
  }

  private member(instance: Instance, attr: string): Folded | null {
    const outside = setOnInstance(this.ev, instance, attr);
    return this.withOutside(outside, () => this.ownMember(instance, attr));
  }

  /** What is set from outside replaces what the object itself gives, or has to agree with it. */
  private withOutside({ stores, replaced }: Outside, own: () => Folded | null): Folded | null {
    const set = stores.map(({ value, scope, block }) => value && this.folder.fold({ node: value, scope, block }));
    return agree(replaced ? set : [own(), ...set]);
  }

  private ownMember(instance: Instance, attr: string): Folded | null {
    const line = lineage(this.ev, instance.cls);
    for (const cls of line) {
      const set = (cls.scope.attributes.get(attr) ?? []).filter((b) => !this.isSkipped(b.scope.fn, line));
      if (!set.length) continue;
      const values = set.map((b) => this.attributeBinding(b, instance));
      // what only some method sets may not be set yet: the class's own value holds until then
      const made = set.some((b) => isRunFor(this.ev, b.scope.fn, line));
      return agree(made ? values : [...this.beforeSet(instance, attr), ...values]);
    }
    return this.classConstant(instance, attr);
  }

  /** An `__init__`, or another of the methods that make an instance, that the one of a subclass never calls. */
  private isSkipped(fn: FunctionInfo | null, line: readonly ClassInfo[]): boolean {
    const isRun = isRunFor(this.ev, fn, line);
    return isRun === true ? fn !== null && isReplacedIn(line, fn) : isRun === false;
  }

  /** What an attribute that some method sets is before that, if it is anything. */
  private beforeSet(instance: Instance, attr: string): (Folded | null)[] {
    const line = lineage(this.ev, instance.cls);
    const own = line.flatMap((cls) => ownBindings(cls, attr));
    const there =
      own.some((b) => b.kind !== 'annotated' || b.value) ||
      line.some((cls) => setOnClass(this.ev, cls, attr).stores.length) ||
      (own.length > 0 && fieldArgument(this.ev, instance, attr) !== null);
    return there ? [this.classConstant(instance, attr)] : [];
  }

  private attributeBinding(b: Binding, instance: Instance): Folded | null {
    const fn = b.scope.fn;
    if (fn?.node.name !== '__init__' && fn?.node.name !== '__new__')
      return this.folder.binding(b, { fn, self: instance, calls: [] });
    const frame = fn.node.name === '__new__' ? this.newFrame(instance, fn) : this.initFrame(instance, fn);
    return frame ? this.folder.binding(b, frame) : null;
  }

  initFrame(instance: Instance, init: FunctionInfo): Frame | null {
    return initFrame(this.ev, instance, init);
  }

  /** The frame of a `__new__`; null for that of a base, which may be given anything. */
  private newFrame(instance: Instance, fn: FunctionInfo): Frame | null {
    const { call, copyOf } = instance;
    if (copyOf) return this.newFrame(copyOf, fn);
    const maker = lineage(this.ev, instance.cls).find((c) => ownBindings(c, '__new__').length > 0);
    if (maker !== fn.cls) return null;
    return { fn, self: instance, calls: call ? [{ place: call, skip: 1, frame: instance.frame ?? null }] : [] };
  }

  classConstant(instance: Instance, attr: string): Folded | null {
    for (const cls of lineage(this.ev, instance.cls)) {
      const own = ownBindings(cls, attr);
      const outside = setOnClass(this.ev, cls, attr);
      if (!own.length && outside.stores.length) return this.withOutside({ ...outside, replaced: true }, () => null);
      if (!own.length) continue;
      const given = fieldArgument(this.ev, instance, attr);
      if (given === 'unknown') return null;
      if (given) {
        const v = this.folder.fold(given.place, given.frame ?? NO_FRAME);
        return v && { ...v, via: [`argument ${attr} of ${instance.cls.node.name}`, ...v.via] };
      }
      const got = this.withOutside(outside, () => agree(own.map((b) => this.classBinding(b, instance))));
      return got && isEnumeration(this.ev, cls) ? { ...got, member: attr } : got;
    }
    return null;
  }

  /** `Colour["RED"]`. */
  enumMember(object: Place, name: string): Folded | null {
    const values = [...this.ev.valueAt(object).values()];
    const [only] = values;
    if (values.length !== 1 || only?.value.k !== 'class' || !isEnumeration(this.ev, only.value.cls)) return null;
    return this.classConstant({ k: 'instance', cls: only.value.cls, call: null, viaSelf: false }, name);
  }

  private classBinding(b: Binding, instance: Instance): Folded | null {
    if (b.kind !== 'def') return this.folder.binding(b, { fn: null, self: instance, calls: [] });
    const property = b.fn.node.decorators.some((d) => {
      const name = lastNameOf(d);
      return name === 'property' || name === 'cached_property';
    });
    return property ? this.folder.returned(b.fn, { fn: b.fn, self: instance, calls: [] }) : null;
  }
}

const PARTS = new Set(['value', '_value_', 'name', '_name_', 'days', 'seconds', 'microseconds']);

/** Parts of known values: of a timedelta as Python keeps it, of an enumeration's member. */
function partOf(attr: string, v: Folded | null): Folded | null {
  if (!v) return null;
  if (v.member !== undefined) {
    if (attr === 'value' || attr === '_value_') return { value: v.value, via: v.via };
    if (attr === 'name' || attr === '_name_') return { value: v.member, via: v.via };
  }
  if (!isTimedelta(v.value)) return null;
  const days = Math.floor(v.value.seconds / 86400);
  const rest = modulo(v.value.seconds, 86400)!;
  if (attr === 'days') return { value: days, via: v.via };
  if (attr === 'seconds') return { value: Math.floor(micro(rest)), via: v.via };
  if (attr === 'microseconds') return { value: Math.round((rest - Math.floor(micro(rest))) * 1e6), via: v.via };
  return null;
}

/** The name that a chain of attributes starts with. */
function rootName(n: Expr): string | null {
  let at = n;
  while (at.kind === 'Attribute') at = at.value;
  return at.kind === 'Name' ? at.id : null;
}

function dottedText(n: Expr): string {
  return n.kind === 'Attribute' ? `${dottedText(n.value)}.${n.attr}` : n.kind === 'Name' ? n.id : '…';
}
