/** Which conditions mean "until told to stop", and which mean "until the work is done"? */
import type { Expr, Node, Stmt } from '../syntax/index.ts';
import { nodesBelow } from './own-nodes.ts';

export type TestKind = 'stop' | 'finish' | 'unknown';

const STOP_WORDS =
  /(^|_)(run|running|stop|stopp?ed|stopping|shut|shutdown|shutting|closed?|closing|cancel(l?ed)?|exit(ing|ed)?|quit|alive|active|enabled|disabled|terminat\w*|kill(ed)?|connected|started|keep|should|finali[sz]\w*|is_set|done|interrupt\w*|abort\w*|drain(ing)?)(_|$)/i;

/** Is a name one that tells a loop to go on or to stop? */
export function isStopWord(name: string): boolean {
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
      return 'finish';
    case 'Call': {
      const name = test.func.kind === 'Attribute' ? test.func.attr : test.func.kind === 'Name' ? test.func.id : '';
      if (name === 'empty' || name === 'full') return 'finish';
      return isStopWord(name) || name === 'is_set' ? 'stop' : 'unknown';
    }
    case 'Attribute':
      return isStopWord(test.attr) ? 'stop' : 'unknown';
    case 'Name':
      if (isAssignedIn(test.id, loop)) return 'finish';
      return isStopWord(test.id) ? 'stop' : 'unknown';
    case 'Compare':
      return classifyCompare(test, loop);
    default:
      return 'unknown';
  }
}

function classifyCompare(test: Extract<Expr, { kind: 'Compare' }>, loop: readonly Stmt[]): TestKind {
  const [op] = test.ops;
  const right = test.comparators[0]!;
  if (op === 'is' || op === 'is not' || op === '==' || op === '!=') {
    const none = right.kind === 'Constant' && right.type === 'none';
    if (none) return test.left.kind === 'Name' && comesFromQueue(test.left.id, loop) ? 'stop' : 'finish';
    const names = [test.left, right].flatMap((e) => [...nodesBelow([e])].map(identifierOf));
    if (names.some((n) => n && isStopWord(n))) return 'stop';
    // a sentinel object: `if item is _STOP`
    if ((op === 'is' || op === 'is not') && right.kind === 'Name') return 'stop';
    return 'finish';
  }
  return 'finish';
}

function identifierOf(n: Node): string | null {
  if (n.kind === 'Name') return n.id;
  if (n.kind === 'Attribute') return n.attr;
  return n.kind === 'Constant' && n.type === 'str' ? String(n.value) : null;
}

/** `item = await queue.get()`: None is the sentinel of a consumer. */
function comesFromQueue(name: string, loop: readonly Stmt[]): boolean {
  for (const n of nodesBelow(loop)) {
    const target =
      n.kind === 'Assign' ? n.targets[0] : n.kind === 'NamedExpr' ? n.target : n.kind === 'AnnAssign' ? n.target : null;
    const value = n.kind === 'Assign' || n.kind === 'NamedExpr' || n.kind === 'AnnAssign' ? n.value : null;
    if (target?.kind !== 'Name' || target.id !== name || !value) continue;
    for (const x of nodesBelow([value]))
      if (
        x.kind === 'Call' &&
        x.func.kind === 'Attribute' &&
        /^(get|recv|receive|get_nowait|pop|read_message|getMessage|get_message)$/.test(x.func.attr)
      )
        return true;
  }
  return false;
}

function isAssignedIn(name: string, loop: readonly Stmt[]): boolean {
  for (const n of nodesBelow(loop)) if (n.kind === 'Name' && n.id === name && n.ctx === 'store') return true;
  return false;
}
