/**
 * Names of modules and members of classes that are set from somewhere else: `mod.run = other`, `setattr(mod, "run", other)`,
 * `globals()["run"] = other`, `vars(mod).update(run=other)`.
 */
import { type Call, type Expr, lastNameOf } from '../syntax/index.ts';
import { objectsAt } from './changed-objects.ts';
import { constantKey } from './entries.ts';
import type { Evaluator } from './evaluate.ts';
import { textsOf } from './literals.ts';
import { perModule, push } from './lookups.ts';
import { mappingOf } from './mapping.ts';
import { modulesByName } from './name-index.ts';
import { ofDict } from './open-fields.ts';
import { findScope } from './reaching.ts';
import type { Block, ClassInfo, FunctionInfo, ModuleScopes, Scope } from './scopes.ts';
import type { Place, Value } from './values.ts';

/** A name that is given another value. */
export interface Replacement {
  module: ModuleScopes;
  /** Of what it is a name. */
  of: Extract<Value, { k: 'module' | 'class' }>;
  /** null: it is not known. */
  value: Place | null;
  /** It is written as an attribute of the object: those of one module are known with the object. */
  plain: boolean;
}

/** A statement that sets a name. */
interface Setting {
  /** null: the module that it stands in. */
  object: Expr | null;
  /** Which name, where that is not written down. */
  name?: Expr | 'any';
  plain?: true;
  value: Expr | null;
  scope: Scope;
  block: Block;
}

/** Stands for names that are not written down. */
const ANY = '*';

const settingsIn = perModule((m: ModuleScopes): ReadonlyMap<string, Setting[]> => {
  const out = new Map<string, Setting[]>();
  for (const [name, stores] of m.attributeStores)
    out.set(
      name,
      stores.map((s) => ({ ...s, plain: true })),
    );
  if (!/\b(?:setattr|globals|vars|__dict__)\b/.test(m.text)) return out;
  for (const { object, key, value, scope, block } of m.stores) {
    const names = namesOf(object);
    if (names) note(out, key, { object: names.of, value, scope, block });
  }
  for (const { node, scope, block } of m.calls) {
    const { func, args } = node;
    if (func.kind === 'Name' && func.id === 'setattr' && args[2] && args[1]?.kind !== 'Constant')
      note(out, args[1]!, { object: args[0]!, value: args[2], scope, block });
    const names = func.kind === 'Attribute' && func.attr === 'update' ? namesOf(func.value) : null;
    if (names) updated(out, node, { object: names.of, value: null, scope, block });
  }
  return out;
});

function note(out: Map<string, Setting[]>, key: Expr, s: Setting): void {
  const name = constantKey(key);
  if (typeof name === 'string') push(out, name, s);
  else push(out, ANY, { ...s, name: key });
}

function updated(out: Map<string, Setting[]>, { args, keywords }: Call, s: Setting): void {
  for (const { arg, value } of keywords) if (arg !== null) push(out, arg, { ...s, value });
  const whole = [...args, ...keywords.filter((k) => k.arg === null).map((k) => k.value)];
  for (const value of whole) push(out, ANY, { ...s, name: 'any', value });
}

/** The mapping of names that an expression is: `globals()`, `vars(mod)`, `mod.__dict__`. */
function namesOf(n: Expr): { of: Expr | null } | null {
  if (n.kind === 'Call' && n.func.kind === 'Name' && n.func.id === 'globals') return { of: null };
  const of = ofDict(n);
  return of && { of };
}

/** The modules read so far that set a name somewhere. */
const modulesSetting = modulesByName((m) => settingsIn(m).keys());

/** What was set under a name somewhere, and of what. */
interface Owned extends Pick<Replacement, 'module' | 'plain'> {
  setting: Setting;
  owners: readonly Replacement['of'][];
}

interface Known {
  owned: Map<string, readonly Owned[]>;
  replacements: Map<string, readonly Replacement[]>;
}

/** Of each analysis by itself. */
const known = new WeakMap<Evaluator, Known>();

/** What is set under a name, by all modules that are read. */
export function replacementsOf(ev: Evaluator, name: string): readonly Replacement[] {
  const own: Known = known.get(ev) ?? { owned: new Map(), replacements: new Map() };
  known.set(ev, own);
  const before = own.replacements.get(name);
  if (before) return before;
  const found = [name, ANY].flatMap((key) => {
    const owned = own.owned.get(key) ?? ownedUnder(ev, key);
    own.owned.set(key, owned);
    return owned.flatMap((o) => replacedBy(ev, name, o));
  });
  own.replacements.set(name, found);
  return found;
}

/** Those of a module or of a class. */
function ownedUnder(ev: Evaluator, key: string): Owned[] {
  const all = modulesSetting(ev.graph, key).flatMap((module) =>
    settingsIn(module)
      .get(key)!
      .map((setting) => {
        const fn = handedTo(setting);
        // what a decorator sets on what stands below it is not seen at the object
        const plain = setting.plain === true && !fn;
        return { module, plain, setting, owners: ownersOf(ev, module, fn, setting) };
      }),
  );
  return all.filter(({ owners }) => owners.length);
}

function replacedBy(ev: Evaluator, name: string, { module, plain, setting, owners }: Owned): Replacement[] {
  const value = valueSet(ev, name, setting);
  return value === 'none' ? [] : owners.map((of) => ({ module, of, value, plain }));
}

function ownersOf(ev: Evaluator, module: ModuleScopes, fn: FunctionInfo | null, s: Setting): Replacement['of'][] {
  const { object, scope, block } = s;
  if (!object) return [{ k: 'module', module }];
  const place = { node: object, scope, block };
  const all = fn
    ? [...objectsAt(ev, place), ...decoratedBy(ev, fn)]
    : mayBeOwner(object, scope)
      ? [...ev.valueAt(place).values()].map((v) => v.value)
      : [];
  return all.flatMap((value) => (value.k === 'module' || value.k === 'class' ? [value] : []));
}

/** The function of which an object is a parameter, but for that of its own object. */
function handedTo({ object, scope }: Setting): FunctionInfo | null {
  if (object?.kind !== 'Name') return null;
  const { id } = object;
  const where = findScope(id, scope);
  const fn = where?.fn;
  if (!fn || where.self?.name === id) return null;
  return where.bindings.get(id)?.some((b) => b.kind === 'param') ? fn : null;
}

/** The classes below a decorator. */
function decoratedBy(ev: Evaluator, fn: FunctionInfo): Value[] {
  const { name } = fn.node;
  const isBelow = ({ node, module }: ClassInfo): boolean =>
    node.decorators.some(
      (d) =>
        lastNameOf(d) === name &&
        [...ev.valueAt({ node: d, ...module.scopeOf.get(node)! }).values()].some(
          ({ value }) => value.k === 'function' && value.fn === fn,
        ),
    );
  return modulesDecorating(ev.graph, name)
    .flatMap((m) => m.classes.filter(isBelow))
    .map((cls): Value => ({ k: 'class', cls }));
}

/** The modules read so far with a class below something of a name. */
const modulesDecorating = modulesByName(
  (m) => new Set(m.classes.flatMap(({ node }) => node.decorators.map(lastNameOf))),
);

/** By what is written: a module or a class has a name that is imported or defined. */
function mayBeOwner(object: Expr, scope: Scope): boolean {
  if (object.kind === 'Attribute') return mayBeOwner(object.value, scope);
  // sys.modules["jobs"]
  if (object.kind === 'Subscript') return lastNameOf(object.value) === 'modules';
  if (object.kind !== 'Name') return false;
  const named = findScope(object.id, scope)?.bindings.get(object.id) ?? [];
  return named.some((b) => b.kind === 'import' || b.kind === 'from' || b.kind === 'class');
}

/** 'none' where it is another name that is set. */
function valueSet(
  ev: Evaluator,
  name: string,
  { name: which, value: node, scope, block }: Setting,
): Place | null | 'none' {
  const value = node && { node, scope, block };
  if (!which) return value;
  if (which === 'any') {
    const all = value && mappingOf(ev, value, null);
    return all ? (all.get(name)?.place ?? 'none') : null;
  }
  const texts = textsOf(ev, { node: which, scope, block });
  if (!texts) return null;
  return texts.includes(name) ? value : 'none';
}
