/** Does each round of a loop that went well pass by one of some calls? */
import {
  type Call,
  encloses,
  type For,
  type Match,
  type Node,
  type Stmt,
  type Try,
  type While,
} from '../syntax/index.ts';

/** Whether a call was passed, for each way through; a block that is always left otherwise has none. */
interface Ways {
  on: Set<boolean>;
  rounds: Set<boolean>;
}

/** @returns false when a round can end well (at its end, or by `continue`) without any of the calls. */
export function isInEveryRound(loop: While | For, calls: readonly Call[]): boolean {
  const { on, rounds } = throughBlock(loop.body, new Set([false]), new Set(calls));
  return !on.has(false) && !rounds.has(false);
}

function throughBlock(block: readonly Stmt[], start: ReadonlySet<boolean>, calls: ReadonlySet<Node>): Ways {
  let on = new Set(start);
  const rounds = new Set<boolean>();
  for (const statement of block) {
    if (on.size === 0) break;
    const ways = through(statement, on, calls);
    on = ways.on;
    for (const each of ways.rounds) rounds.add(each);
  }
  return { on, rounds };
}

function through(statement: Stmt, start: ReadonlySet<boolean>, calls: ReadonlySet<Node>): Ways {
  const block = (body: readonly Stmt[], from = start): Ways => throughBlock(body, from, calls);
  switch (statement.kind) {
    case 'If':
      return either([block(statement.body), block(statement.orelse)]);
    case 'With': {
      const ways = block(statement.body);
      // a context manager that says when its body went well
      return statement.items.some((item) => holds(item, calls)) ? passed(ways) : ways;
    }
    case 'Match': {
      const cases = statement.cases.map(({ body }) => block(body));
      return either(takesAll(statement) ? cases : [...cases, { on: new Set(start), rounds: new Set() }]);
    }
    case 'Try':
      return throughTry(statement, block, start);
    case 'For':
    case 'While': {
      // its own rounds may be none at all, and its `continue` is not that of the loop around it
      const inner = block(statement.body);
      return { on: new Set([...start, ...inner.on, ...inner.rounds]), rounds: new Set() };
    }
    case 'Continue':
      return { on: new Set(), rounds: new Set(start) };
    case 'Break':
    case 'Return':
    case 'Raise':
      return { on: new Set(), rounds: new Set() };
    default:
      return { on: holds(statement, calls) ? new Set([true]) : new Set(start), rounds: new Set() };
  }
}

/** `case _:`, `case other:` */
function takesAll({ cases }: Match): boolean {
  return cases.some(({ pattern, guard }) => !guard && pattern.kind === 'MatchAs' && pattern.pattern === null);
}

function holds(node: Node, calls: ReadonlySet<Node>): boolean {
  return [...calls].some((call) => encloses(node, call));
}

function passed({ on, rounds }: Ways): Ways {
  return { on: new Set([...on].map(() => true)), rounds: new Set([...rounds].map(() => true)) };
}

/** A handler is the way of a round that failed, unless the block is left in any other case (`wait_for(stop.wait(), …); break`). */
function throughTry(
  { body, orelse, handlers, finalbody }: Try,
  block: (body: readonly Stmt[], from?: ReadonlySet<boolean>) => Ways,
  start: ReadonlySet<boolean>,
): Ways {
  const tried = block(body);
  const well = { ...block(orelse, tried.on), rounds: new Set([...tried.rounds, ...block(orelse, tried.on).rounds]) };
  const isLeft = well.on.size === 0 && well.rounds.size === 0;
  const ways = isLeft ? either(handlers.map((handler) => block(handler.body, start))) : well;
  const last = block(finalbody, ways.on);
  return { on: last.on, rounds: new Set([...ways.rounds, ...last.rounds]) };
}

function either(all: readonly Ways[]): Ways {
  return {
    on: new Set(all.flatMap(({ on }) => [...on])),
    rounds: new Set(all.flatMap(({ rounds }) => [...rounds])),
  };
}
