/** Classes whose constructor is made from their fields: dataclasses, pydantic models, named tuples, attrs; and enumerations. */
import { type Call, type Expr, lastNameOf } from '../syntax/index.ts';
import { lineage, ownBindings } from './classes.ts';
import { changedField } from './copies.ts';
import type { Evaluator } from './evaluate.ts';
import { type FramedPlace, mappingOf } from './mapping.ts';
import type { ClassInfo } from './scopes.ts';
import type { Instance } from './values.ts';

const MODEL_DECORATORS = /(^|\.)(dataclass|define|frozen|mutable|attrs|attributes|s|dataclass_transform)$/;
/** `@dataclass`, wherever it comes from: the class is what it was, with more in it. */
export function isModelDecorator(d: Expr): boolean {
  return MODEL_DECORATORS.test(writtenName(d));
}

const MODEL_BASES = /(^|\.)(BaseModel|BaseSettings|NamedTuple|Struct|SQLModel|RootModel)$/;
const ENUM_BASES = /^enum\.\w*(Enum|Flag)$/;

/** Qualified or written names of the bases outside the project. */
export function outerBases(ev: Evaluator, cls: ClassInfo): string[] {
  const at = cls.module.scopeOf.get(cls.node)!;
  return cls.node.bases.flatMap((base) => {
    const names: string[] = [];
    for (const { value } of ev.value(base, at.scope, at.block).values())
      if (value.k === 'name') names.push(value.q);
      else if (value.k === 'unknown' && lastNameOf(base) !== 'object') names.push('?');
    return names;
  });
}

export function isEnumeration(ev: Evaluator, cls: ClassInfo): boolean {
  return lineage(ev, cls).some((c) => outerBases(ev, c).some((q) => ENUM_BASES.test(q)));
}

export function isNamedTuple(ev: Evaluator, line: readonly ClassInfo[]): boolean {
  return line.some((c) => outerBases(ev, c).some((q) => /(^|\.)NamedTuple$/.test(q)));
}

/** `class Spec(TypedDict)`: its objects are plain dicts. */
export function isTypedDict(ev: Evaluator, cls: ClassInfo): boolean {
  return lineage(ev, cls).some((c) => c.node.bases.some((b) => lastNameOf(b) === 'TypedDict'));
}

/** Is `__init__` made from the fields? null when a base is out of reach. */
function isModel(ev: Evaluator, line: readonly ClassInfo[]): boolean | null {
  let unknown = false;
  for (const cls of line) {
    for (const d of cls.node.decorators) if (isModelDecorator(d)) return true;
    for (const q of outerBases(ev, cls)) {
      if (MODEL_BASES.test(q)) return true;
      unknown = true;
    }
  }
  return unknown ? null : false;
}

/** Is the constructor of a class made from its fields, without one of its own? */
export function isModelClass(ev: Evaluator, cls: ClassInfo): boolean {
  const line = lineage(ev, cls);
  return isModel(ev, line) === true && line.every((c) => ownBindings(c, '__init__').length === 0);
}

export function writtenName(d: Expr): string {
  return lastNameOf(d.kind === 'Call' ? d.func : d);
}

/** What the constructor call gives to a field: an expression, null when its default holds, or unknown. */
export function fieldArgument(ev: Evaluator, instance: Instance, field: string): FramedPlace | null | 'unknown' {
  const { call, cls, frame = null, copyOf } = instance;
  if (copyOf) return changedField(ev, instance, field) ?? fieldArgument(ev, copyOf, field);
  if (!call || (!call.node.args.length && !call.node.keywords.length)) return null;
  const line = lineage(ev, cls);
  const model = isModel(ev, line);
  const mentions = byKeyword(ev, instance, field);
  if (model === false || line.some((c) => ownBindings(c, '__init__').length > 0)) {
    // an `__init__` of the project's own may hand it on to the model
    return mentions === null || model === false ? null : 'unknown';
  }
  if (mentions !== null) return mentions;
  if (!call.node.args.length) return null;
  const index = positionalFields(line).indexOf(field);
  const star = call.node.args.findIndex((a) => a.kind === 'Starred');
  if (star >= 0 && (index < 0 || star <= index)) return 'unknown';
  const given = call.node.args[index];
  if (!given) return null;
  return model === null ? 'unknown' : { place: { ...call, node: given }, frame };
}

function byKeyword(ev: Evaluator, { call, cls, frame }: Instance, field: string): FramedPlace | null | 'unknown' {
  const names = new Set([field, ...aliases(ev, cls, field)]);
  for (const k of call!.node.keywords) {
    if (k.arg !== null && names.has(k.arg)) return { place: { ...call!, node: k.value }, frame: frame ?? null };
    if (k.arg !== null) continue;
    const spread = mappingOf(ev, { ...call!, node: k.value }, frame ?? null);
    if (!spread) return 'unknown';
    for (const name of names) if (spread.has(name)) return spread.get(name)!;
  }
  return null;
}

/** `Field(30, alias="POLL")` is given as `POLL=…`. */
function aliases(ev: Evaluator, cls: ClassInfo, field: string): string[] {
  for (const c of lineage(ev, cls)) {
    for (const b of ownBindings(c, field)) {
      if (b.kind !== 'annotated' || b.value?.kind !== 'Call') continue;
      return aliasKeywords(b.value);
    }
  }
  return [];
}

function aliasKeywords(call: Call): string[] {
  return call.keywords.flatMap((k) =>
    (k.arg === 'alias' || k.arg === 'validation_alias') && k.value.kind === 'Constant' ? [String(k.value.value)] : [],
  );
}

/** Fields in the order of the positional arguments: those of the bases first. */
export function positionalFields(line: readonly ClassInfo[]): string[] {
  const out: string[] = [];
  for (const cls of [...line].reverse()) {
    let keywordOnly = cls.node.decorators.some((d) => d.kind === 'Call' && hasTrue(d, 'kw_only'));
    for (const s of cls.node.body) {
      if (s.kind !== 'AnnAssign' || s.target.kind !== 'Name') continue;
      const note = s.annotation.kind === 'Subscript' ? s.annotation.value : s.annotation;
      const type = lastNameOf(note);
      if (type === 'KW_ONLY') keywordOnly = true;
      const skipped = type === 'ClassVar' || type === 'KW_ONLY' || keywordOnly;
      const own = s.value?.kind === 'Call' && (hasTrue(s.value, 'kw_only') || hasFalse(s.value, 'init'));
      if (!skipped && !own && !out.includes(s.target.id)) out.push(s.target.id);
    }
  }
  return out;
}

function hasTrue(call: Call, name: string): boolean {
  return call.keywords.some((k) => k.arg === name && k.value.kind === 'Constant' && k.value.value === true);
}

function hasFalse(call: Call, name: string): boolean {
  return call.keywords.some((k) => k.arg === name && k.value.kind === 'Constant' && k.value.value === false);
}
