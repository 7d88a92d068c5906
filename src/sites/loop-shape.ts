/** Tree → plain data: how the body of a coroutine function is laid out. */
import type { BodyPlace, BodyStatement, LoopShape } from '../model/index.ts';
import { firstWhere } from '../model/order.ts';
import {
  type Call,
  descendants,
  type Expr,
  type ExprStmt,
  type FunctionDef,
  type Node,
  type Stmt,
} from '../syntax/index.ts';
import type { LayoutSource } from './layout.ts';
import { loopBody } from './loop-body.ts';
import { ownNodes } from './own-nodes.ts';
import { TextLines } from './text-lines.ts';

/** How many statements at the top of a body are looked at. */
const HEAD = 8;

/**
 * The shape of the function whose `def` stands on a line.
 * @param line 1-based line of the `def` (or `async`) keyword, as in `Target.line`.
 */
export function findLoopShape(source: LayoutSource, line: number): LoopShape | null {
  const { lines, defs } = laidOut(source);
  const [from, to] = lines.lineRange(line);
  const def = defs[firstWhere(defs, ({ start }) => start >= from)];
  return def && def.start < to ? loopShape(source.file, def, lines) : null;
}

interface LaidOut {
  lines: TextLines;
  /** In the order of the text. */
  defs: FunctionDef[];
}

const known = new WeakMap<LayoutSource['tree'], LaidOut>();

function laidOut({ text, tree }: LayoutSource): LaidOut {
  let got = known.get(tree);
  if (!got) {
    const defs = descendants(tree).filter((node) => node.kind === 'FunctionDef');
    got = { lines: new TextLines(text, tree.comments), defs: defs.sort((a, b) => a.start - b.start) };
    known.set(tree, got);
  }
  return got;
}

function loopShape(file: string, def: FunctionDef, lines: TextLines): LoopShape {
  const own = ownNodes(def);
  const docstring = isDocstring(def.body[0]) ? 1 : 0;
  return {
    file,
    name: def.name,
    extent: { start: def.start, end: def.end },
    isAsync: def.isAsync,
    isGenerator: own.some(({ kind }) => kind === 'Yield' || kind === 'YieldFrom'),
    top: topPlace(def, lines),
    head: headStatements(def.body.slice(docstring, docstring + HEAD), lines),
    calls: own.filter((node): node is Call => node.kind === 'Call').flatMap(namedCall),
    heartbeats: own.filter(isHeartbeat).map((statement) => bodyStatement(statement, lines)),
    loop: loopBody(def, own, lines),
  };
}

function isDocstring(statement: Stmt | undefined): boolean {
  return statement?.kind === 'ExprStmt' && statement.value.kind === 'Constant' && statement.value.type === 'str';
}

function topPlace(def: FunctionDef, lines: TextLines): BodyPlace {
  const [first, second] = def.body;
  if (isDocstring(first)) {
    const end = lines.logicalEnd(first!.end);
    const indent = lines.indentOf(first!.start);
    if (second && second.start < end) return { offset: second.start, indent: null, afterText: false };
    if (indent !== null) return { offset: end, indent, afterText: !lines.endsLine(end) };
    if (!second) return { offset: first!.end, indent: null, afterText: true };
  }
  const indent = lines.indentOf(first!.start);
  if (indent === null) return { offset: first!.start, indent: null, afterText: false };
  return { offset: lines.commentBlockStart(lines.lineStart(first!.start), indent), indent, afterText: false };
}

function headStatements(body: readonly Stmt[], lines: TextLines): BodyStatement[] {
  const out: BodyStatement[] = [];
  for (const statement of body) {
    if (statement.kind !== 'ExprStmt' && statement.kind !== 'Assign' && statement.kind !== 'AnnAssign') break;
    out.push(bodyStatement(statement, lines));
  }
  return out;
}

function bodyStatement(statement: Stmt, lines: TextLines): BodyStatement {
  const extent = { start: statement.start, end: statement.end };
  const end = lines.logicalEnd(statement.end);
  const alone = lines.indentOf(statement.start) !== null && lines.onlyComment(statement.end);
  const whole = alone ? lines.wholeLines(statement.start, end) : null;
  return { text: lines.text.slice(statement.start, statement.end), extent, lines: whole };
}

/** `NAME.labels(…).set_to_current_time()` as a statement. */
function isHeartbeat(node: Node): node is ExprStmt {
  if (node.kind !== 'ExprStmt' || node.value.kind !== 'Call') return false;
  const { func } = node.value;
  if (func.kind !== 'Attribute' || func.attr !== 'set_to_current_time' || func.value.kind !== 'Call') return false;
  const labels = func.value.func;
  return labels.kind === 'Attribute' && labels.attr === 'labels' && labels.value.kind === 'Name';
}

function namedCall(call: Call): { name: string; callee: { start: number; end: number } }[] {
  const name = dotted(call.func);
  return name ? [{ name, callee: { start: call.func.start, end: call.func.end } }] : [];
}

function dotted(expression: Expr): string | null {
  const parts: string[] = [];
  let at = expression;
  while (at.kind === 'Attribute') {
    parts.unshift(at.attr);
    at = at.value;
  }
  return at.kind === 'Name' ? [at.id, ...parts].join('.') : null;
}
