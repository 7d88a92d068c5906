/** Which methods have run when an instance is there. */
import { ownBindings } from './classes.ts';
import type { Evaluator } from './evaluate.ts';
import { outerBases, writtenName } from './fields.ts';
import { mentions } from './replaced.ts';
import type { ClassInfo, FunctionInfo } from './scopes.ts';

interface Generator {
  decorators: RegExp;
  bases: RegExp;
}

/** Bases that bring no constructor. */
const PLAIN = /(^|\.)(object|ABC|Generic|Protocol)$/;

/** What a constructor that is made from the fields calls at its end, by the decorators and the bases that make one. */
const AFTER: Readonly<Record<string, Generator>> = {
  __post_init__: { decorators: /^(dataclass|dataclass_transform)$/, bases: /(^|\.)(Struct|MappedAsDataclass)$/ },
  __attrs_post_init__: { decorators: /^(define|frozen|mutable|attrs|attributes|s)$/, bases: /^$/ },
  model_post_init: { decorators: /^$/, bases: /(^|\.)(BaseModel|BaseSettings|SQLModel|RootModel)$/ },
};

/**
 * Has a method run when an instance of a class (its `line`) is there? False for one that only a generated constructor
 * calls, where there is none; null for any other, which may have.
 */
export function isRunFor(ev: Evaluator, fn: FunctionInfo | null, line: readonly ClassInfo[]): boolean | null {
  const name = fn?.node.name ?? '';
  if (name === '__init__' || name === '__new__') return true;
  const by = Object.hasOwn(AFTER, name) ? AFTER[name]! : null;
  if (!by) return null;
  const generated = isGenerated(ev, line, by);
  // whoever calls it by name makes it a method like others
  return generated === false && line.some((cls) => mentions(cls.node, name)) ? null : generated;
}

/** Is the constructor made from the fields, or does one that is written by hand hand on to such a one? */
function isGenerated(ev: Evaluator, line: readonly ClassInfo[], by: Generator): boolean | null {
  let known = true;
  for (const cls of line) {
    const [init] = ownBindings(cls, '__init__');
    const byHand = init?.kind === 'def' && !mentions(init.fn.node, '__attrs_init__');
    if (byHand && !mentions(init.fn.node, '__init__')) break;
    if (!byHand && cls.node.decorators.some((d) => by.decorators.test(writtenName(d)))) return true;
    const bases = outerBases(ev, cls).filter((q) => !PLAIN.test(q));
    if (bases.some((q) => by.bases.test(q))) return true;
    if (bases.length) known = false;
  }
  return known ? false : null;
}
