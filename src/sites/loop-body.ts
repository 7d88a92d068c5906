/** The forever loop of a coroutine, and where one of its rounds ends well. */
import type { BodyPlace, LoopBody } from '../model/index.ts';
import {
  type Continue,
  descendants,
  type ExceptHandler,
  type Expr,
  type For,
  type FunctionDef,
  type Node,
  type Stmt,
  type Try,
  type While,
} from '../syntax/index.ts';
import type { TextLines } from './text-lines.ts';

type Loop = While | For;
type SuccessEnd = LoopBody['successEnds'][number];

/** A shape that no heartbeat can be put into without guessing. */
class Unsafe extends Error {}

/** null when the function has no loop that could run for ever. */
export function loopBody(def: FunctionDef, own: readonly Node[], lines: TextLines): LoopBody | null {
  const loops = own.filter((node): node is Loop => isForever(node) && enclosingLoop(node, def) === null);
  const [loop] = loops;
  if (!loop) return null;
  const before = placeBefore(loop, lines);
  try {
    if (loops.length > 1) throw new Unsafe('the function has several loops one after the other');
    if (before.indent === null) throw new Unsafe('the loop shares its line with another statement');
    return { before, successEnds: successEnds(loop, own, lines), refusal: null };
  } catch (error) {
    if (!(error instanceof Unsafe)) throw error;
    return { before, successEnds: [], refusal: error.message };
  }
}

function isForever(node: Node): boolean {
  return node.kind === 'While' || (node.kind === 'For' && node.isAsync);
}

function enclosingLoop(node: Node, def: FunctionDef): Loop | null {
  for (let up = node.parent; up && up !== def; up = up.parent) if (up.kind === 'While' || up.kind === 'For') return up;
  return null;
}

function successEnds(loop: Loop, own: readonly Node[], lines: TextLines): SuccessEnd[] {
  const ends = blockEnd(loop.body, loop, lines, 'end of the round');
  for (const node of own) {
    if (node.kind !== 'Continue' || loopOf(node) !== loop) continue;
    const end = continueEnd(node, loop, lines);
    if (end) ends.push(end);
  }
  if (ends.length === 0) throw new Unsafe('no round of the loop ends normally');
  return [...new Map(ends.map((end) => [end.offset, end])).values()].sort((a, b) => a.offset - b.offset);
}

function loopOf(node: Node): Node | null {
  for (let up = node.parent; up; up = up.parent) if (up.kind === 'While' || up.kind === 'For') return up;
  return null;
}

/** Where the good path through a block ends; empty when it leaves by `continue`, `return`, `raise` or `break` anyway. */
function blockEnd(block: readonly Stmt[], loop: Loop, lines: TextLines, what: string): SuccessEnd[] {
  const work = upToLastTry(withoutTrailingWaits(block));
  const last = work.at(-1);
  for (const statement of work.slice(0, -1)) refuseSwallowing(statement);
  if (!last) return [{ ...placeBefore(block[0]!, lines), what }];
  if (leaves(last)) return [];
  if (last.kind === 'Try') return tryEnd(last, loop, lines);
  if (last.kind === 'With') return blockEnd(last.body, loop, lines, 'end of the `with`');
  refuseSwallowing(last);
  return [{ ...placeAfter(last, lines), what }];
}

/** What follows a `try` without awaiting anything (a counter, the next delay) is no work of the round. */
function upToLastTry(work: readonly Stmt[]): readonly Stmt[] {
  const index = work.findLastIndex(({ kind }) => kind === 'Try');
  const rest = index < 0 ? [] : work.slice(index + 1);
  const idle = rest.every(
    (statement) => SIMPLE.has(statement.kind) && !descendants(statement).some(({ kind }) => kind === 'Await'),
  );
  return index >= 0 && idle ? work.slice(0, index + 1) : work;
}

const SIMPLE = new Set<string>(['Assign', 'AugAssign', 'AnnAssign', 'ExprStmt', 'Delete', 'Pass']);

/** Inside the `try` (or its `else`) when a handler falls through to what follows; after it when none does. */
function tryEnd(statement: Try, loop: Loop, lines: TextLines): SuccessEnd[] {
  for (const handler of statement.handlers) refuseIdleContinue(handler);
  if (statement.orelse.length > 0) return blockEnd(statement.orelse, loop, lines, 'end of the `else`');
  return blockEnd(statement.body, loop, lines, 'end of the `try`');
}

/**
 * A statement in the middle of a round that swallows any exception: what comes after it also runs when it failed.
 * Handlers for named exceptions are normal control flow, and a `try` inside an inner loop is about one item, not the round.
 */
function refuseSwallowing(statement: Stmt): void {
  const stack: Node[] = [statement];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'Try') {
      for (const handler of node.handlers) {
        refuseIdleContinue(handler);
        if (catchesAll(handler) && !handler.body.some(leaves))
          throw new Unsafe('a `try` inside the round goes on after any exception, so its end does not mean success');
      }
    }
    if (node.kind === 'With' && node.items.some(({ contextExpr }) => isSuppress(contextExpr)))
      throw new Unsafe('a `suppress` inside the round goes on after an exception, so its end does not mean success');
    for (const block of blocksOf(node)) stack.push(...block);
  }
}

function blocksOf(node: Node): readonly Node[][] {
  if (node.kind === 'Try') return [node.body, node.orelse, node.finalbody];
  if (node.kind === 'If') return [node.body, node.orelse];
  return node.kind === 'With' ? [node.body] : [];
}

function isSuppress(expression: Expr): boolean {
  if (expression.kind !== 'Call') return false;
  const { func } = expression;
  return (func.kind === 'Name' && func.id === 'suppress') || (func.kind === 'Attribute' && func.attr === 'suppress');
}

/** `except TimeoutError: continue` may be an idle round or a failed one. */
function refuseIdleContinue(handler: ExceptHandler): void {
  if (catchesAll(handler) || handler.body.at(-1)?.kind !== 'Continue') return;
  throw new Unsafe(
    'a handler for a named exception ends the round with `continue`: only a person knows whether that round was good',
  );
}

function catchesAll(handler: ExceptHandler): boolean {
  const names = handler.type?.kind === 'Tuple' ? handler.type.elts : [handler.type];
  return names.some((name) => name === null || (name.kind === 'Name' && /^(Base)?Exception$/.test(name.id)));
}

function leaves(statement: Stmt): boolean {
  return (
    statement.kind === 'Continue' ||
    statement.kind === 'Break' ||
    statement.kind === 'Return' ||
    statement.kind === 'Raise'
  );
}

/** Before a `continue` of a good round; null for one in a handler. */
function continueEnd(node: Continue, loop: Loop, lines: TextLines): SuccessEnd | null {
  for (let up: Node | null = node.parent; up && up !== loop; up = up.parent)
    if (up.kind === 'ExceptHandler') return null;
  const block = blockWith(node);
  const work = withoutTrailingWaits(block.slice(0, block.indexOf(node)));
  const last = work.at(-1);
  for (const statement of work) refuseSwallowing(statement);
  return { ...(last ? placeAfter(last, lines) : placeBefore(block[work.length]!, lines)), what: 'before `continue`' };
}

function blockWith(node: Stmt): readonly Stmt[] {
  const parent = node.parent!;
  const blocks = Object.values(parent).filter((value): value is Stmt[] => Array.isArray(value) && value.includes(node));
  return blocks[0]!;
}

/** Without the sleeps and waits at the end: a heartbeat comes before them. */
function withoutTrailingWaits(block: readonly Stmt[]): readonly Stmt[] {
  let end = block.length;
  while (end > 0 && isWait(block[end - 1]!)) end--;
  return block.slice(0, end);
}

const WAITS = new Set(['sleep', 'wait']);

/** `await asyncio.sleep(…)`, `await stop.wait()`, `await asyncio.wait_for(stop.wait(), …)`, also in a `try` of its own. */
function isWait(statement: Stmt): boolean {
  if (statement.kind === 'Try') return isWaitTry(statement);
  if (statement.kind === 'With')
    return statement.items.every(({ contextExpr }) => isSuppress(contextExpr)) && statement.body.every(isWait);
  if (statement.kind !== 'ExprStmt' || statement.value.kind !== 'Await') return false;
  return isWaitCall(statement.value.value);
}

/** `try: await asyncio.wait_for(stop.wait(), 30); break` with a handler that does nothing. */
function isWaitTry({ body, orelse, handlers }: Try): boolean {
  const [first, ...rest] = body;
  return (
    isWait(first!) &&
    rest.every((statement) => isWait(statement) || leaves(statement)) &&
    orelse.length === 0 &&
    handlers.every(isQuiet)
  );
}

function isWaitCall(expression: Expr): boolean {
  if (expression.kind !== 'Call') return false;
  const name =
    expression.func.kind === 'Attribute'
      ? expression.func.attr
      : expression.func.kind === 'Name'
        ? expression.func.id
        : '';
  if (name === 'wait_for') return expression.args[0] !== undefined && isWaitCall(expression.args[0]);
  return WAITS.has(name) || /^_?sleep(_|$)/.test(name);
}

const isQuiet = (handler: ExceptHandler): boolean =>
  handler.body.every(
    ({ kind }) => kind === 'Pass' || kind === 'Continue' || kind === 'Break' || kind === 'Return' || kind === 'Raise',
  );

function placeBefore(statement: Stmt, lines: TextLines): BodyPlace {
  const indent = lines.indentOf(statement.start);
  if (indent === null) throw new Unsafe('two statements of the round share a line');
  return { offset: lines.commentBlockStart(lines.lineStart(statement.start), indent), indent, afterText: false };
}

function placeAfter(statement: Stmt, lines: TextLines): BodyPlace {
  const indent = lines.indentOf(statement.start);
  if (indent === null || !lines.onlyComment(statement.end))
    throw new Unsafe('two statements of the round share a line');
  const offset = lines.afterDeeperComments(lines.logicalEnd(statement.end), indent);
  return { offset, indent, afterText: !lines.endsLine(offset) };
}
