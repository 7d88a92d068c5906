/** Which conditions mean "until told to stop", and which mean "until the work is done"? */
import { type Expr, lastNameOf, type Node, type Stmt } from '../syntax/index.ts';
import { nodesBelow } from './own-nodes.ts';

type TestKind = 'stop' | 'finish' | 'unknown';

const STOP_WORDS =
  /(^|_)(run|running|stop|stopp?ed|stopping|shut|shutdown|shutting|closed?|closing|cancel(l?ed)?|exit(ing|ed)?|quit|alive|active|enabled|disabled|terminat\w*|kill(ed)?|connected|started|keep|should|finali[sz]\w*|is_set|done|interrupt\w*|abort\w*|drain(ing)?)(_|$)/i;

/** Names of questions whose answer is that something has come to its end, or is there at last. */
const FINISH_WORDS =
  /(^|_)(done|finish(ed)?|complete(d)?|completion|ready|success(ful)?|succeeded|resolved|eof|exhausted|empty|full|qsize|has_next|has_more|exists|loaded|healthy|isalive|is_alive|poll|exitcode|returncode)(_|$)/i;

/** Words of an order, as a message or a state may spell it. */
const ORDERS =
  /(^|[_\-. ])(stop|stopp?(ed|ing)|shut_?down|shutting|quit|exit|terminate|kill|cancel|close|closing|abort|poison\w*)($|[_\-. ])/i;

/** Is a name one that tells a loop to go on or to stop? */
function isStopWord(name: string): boolean {
  return STOP_WORDS.test(name);
}

/** Classifies the test of a `while`, or of an `if` that leaves a loop. `loop` is the loop's body. */
export function classifyTest(test: Expr, loop: readonly Stmt[]): TestKind {
  switch (test.kind) {
    case 'UnaryOp':
      return test.op === 'not' ? classifyTest(test.operand, loop) : 'unknown';
    case 'BoolOp': {
      const kinds = test.values.map((v) => classifyTest(v, loop));
      if (kinds.includes('finish')) return 'finish';
      return kinds.every((k) => k === 'stop') ? 'stop' : 'unknown';
    }
    case 'NamedExpr':
      return classifyTest(test.value, loop);
    case 'Await':
      return test.value.kind === 'Call' && classifyCall(test.value) === 'stop' ? 'stop' : 'finish';
    case 'Call':
      return classifyCall(test);
    case 'Attribute':
      if (isResult(test.value, loop)) return ORDERS.test(test.attr) ? 'stop' : 'finish';
      return isStopWord(test.attr) ? 'stop' : FINISH_WORDS.test(test.attr) ? 'finish' : 'unknown';
    case 'Name':
      return classifyName(test.id, loop);
    case 'Compare':
      return classifyCompare(test, loop);
    default:
      return 'unknown';
  }
}

function classifyCall(call: Extract<Expr, { kind: 'Call' }>): TestKind {
  const { func } = call;
  const name = lastNameOf(func);
  if (name === 'is_set') return 'stop';
  // `event.wait(1)` of a thread's event says whether it is set
  if (name === 'wait' && func.kind === 'Attribute') return 'stop';
  if (name === 'done' && func.kind === 'Attribute') return isStopObject(func.value) ? 'stop' : 'finish';
  if (name === 'is_alive' && func.kind === 'Attribute' && !isSelf(func.value)) return 'finish';
  if (isStopWord(name)) return 'stop';
  return FINISH_WORDS.test(name) ? 'finish' : 'unknown';
}

function isSelf(n: Expr): boolean {
  return n.kind === 'Name' && (n.id === 'self' || n.id === 'cls');
}

/** `stop.done()`: a future that stands for the order to stop. */
function isStopObject(n: Expr): boolean {
  const name = lastNameOf(n);
  return ORDERS.test(name) || /(^|_)stop(_|$|per|ped|ping)/i.test(name);
}

function classifyName(id: string, loop: readonly Stmt[]): TestKind {
  const stores = storesOf(id, loop);
  if (!stores.length) return isStopWord(id) ? 'stop' : FINISH_WORDS.test(id) ? 'finish' : 'unknown';
  // set only when the loop is cancelled or told to stop: a flag, not a result
  return isStopWord(id) && stores.every((n) => isOrder(n, loop)) ? 'stop' : 'finish';
}

/** Does an assignment of a flag stand where the loop is told to stop? */
function isOrder(store: Node, loop: readonly Stmt[]): boolean {
  const statement = store.parent;
  if (statement?.kind !== 'Assign' && statement?.kind !== 'AnnAssign') return false;
  const { value } = statement;
  if (value?.kind === 'Call' && classifyCall(value) === 'stop') return true;
  if (value?.kind !== 'Constant' || value.type !== 'bool') return false;
  for (let n: Node | null = statement.parent; n && !('body' in n && n.body === loop); n = n.parent) {
    if (n.kind === 'ExceptHandler') return true;
    if (n.kind === 'If' && classifyTest(n.test, loop) === 'stop') return true;
  }
  return false;
}

function classifyCompare(test: Extract<Expr, { kind: 'Compare' }>, loop: readonly Stmt[]): TestKind {
  const [op] = test.ops;
  const right = test.comparators[0]!;
  if (op === 'is' || op === 'is not' || op === '==' || op === '!=') {
    const none = right.kind === 'Constant' && right.type === 'none';
    if (none) return isSentinel(test.left, loop) ? 'stop' : 'finish';
    const text = [test.left, right].find((e) => e.kind === 'Constant' && e.type === 'str');
    if (text) return classifyText(String((text as { value: unknown }).value), text === right ? test.left : right, loop);
    const names = [test.left, right].flatMap((e) => nodesBelow([e]).map(identifierOf));
    if (names.some((n) => n && isStopWord(n))) return 'stop';
    // a sentinel object: `if item is _STOP`
    if ((op === 'is' || op === 'is not') && right.kind === 'Name') return 'stop';
    if (isEndMark(test.left, right, op, loop) || isEndMark(right, test.left, op, loop)) return 'stop';
    return 'finish';
  }
  return 'finish';
}

/** `state == "stopping"`, `message == "quit"`; `result == "done"` is the answer that was waited for. */
function classifyText(text: string, subject: Expr, loop: readonly Stmt[]): TestKind {
  if (isPolled(subject, loop)) return 'finish';
  if (ORDERS.test(text)) return 'stop';
  // a state of its own that says to go on
  if (/^(run|running|started|active|alive)$/i.test(text) && isSelf(firstOf(subject))) return 'stop';
  const names = nodesBelow([subject]).map(identifierOf);
  return names.some((n) => n && isStopWord(n)) ? 'stop' : 'finish';
}

function identifierOf(n: Node): string | null {
  if (n.kind === 'Name') return n.id;
  return n.kind === 'Attribute' ? n.attr : null;
}

/** `item = await queue.get()`, `(item := await queue.get())`: None is the sentinel of a consumer. */
function isSentinel(left: Expr, loop: readonly Stmt[]): boolean {
  if (left.kind === 'NamedExpr' || left.kind === 'Await') return receives(left.value);
  return left.kind === 'Name' && valuesOf(left.id, loop).some(receives);
}

/** `item is self.END`, `item == _END`: a message that is one certain object. What is no constant may be the answer that was waited for. */
function isEndMark(item: Expr, mark: Expr, op: string, loop: readonly Stmt[]): boolean {
  if ((mark.kind !== 'Name' && mark.kind !== 'Attribute') || !isSentinel(item, loop)) return false;
  return op === 'is' || op === 'is not' || /^_*[A-Z][A-Z0-9_]*$/.test(lastNameOf(mark));
}

function receives(value: Expr): boolean {
  for (const x of nodesBelow([value]))
    if (
      x.kind === 'Call' &&
      x.func.kind === 'Attribute' &&
      /^(get|recv|receive|get_nowait|pop|read_message|getMessage|get_message)$/.test(x.func.attr)
    )
      return true;
  return false;
}

/** Is it (part of) what a call in the loop gave back? */
function isResult(n: Expr, loop: readonly Stmt[]): boolean {
  const name = rootName(n);
  if (!name) return false;
  return valuesOf(name, loop).some((v) => v.kind === 'Call' || v.kind === 'Await');
}

/** What a call in the loop gave back, unless it is a message that was received. */
function isPolled(n: Expr, loop: readonly Stmt[]): boolean {
  if (n.kind === 'Await' || n.kind === 'NamedExpr') return !receives(n);
  const name = rootName(n);
  return isResult(n, loop) && !valuesOf(name!, loop).some(receives);
}

/** The expression that a chain of attributes and subscripts starts with. */
function firstOf(n: Expr): Expr {
  let x = n;
  while (x.kind === 'Attribute' || x.kind === 'Subscript') x = x.value;
  return x;
}

function rootName(n: Expr): string | null {
  const x = firstOf(n);
  if (x.kind === 'Call' && x.func.kind === 'Attribute') return rootName(x.func.value);
  return x.kind === 'Name' ? x.id : null;
}

function storesOf(name: string, loop: readonly Stmt[]): Node[] {
  return nodesBelow(loop).filter((n) => n.kind === 'Name' && n.id === name && n.ctx === 'store');
}

/** The expressions that are assigned to a name in the loop. */
function valuesOf(name: string, loop: readonly Stmt[]): Expr[] {
  return storesOf(name, loop).flatMap((n) => {
    const p = n.parent;
    return (p?.kind === 'Assign' || p?.kind === 'AnnAssign' || p?.kind === 'NamedExpr') && p.value ? [p.value] : [];
  });
}
