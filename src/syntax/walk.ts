import type { Arguments, Call, ClassDef, Dict, Expr, Keyword, MatchMapping, Node, Span } from './ast.ts';

type Collect = (node: Node, out: Node[]) => void;
type Absent = null | undefined;

function add(out: Node[], ...nodes: (Node | Absent)[]): void {
  for (const node of nodes) if (node) out.push(node);
}

function addAll(out: Node[], nodes: readonly Node[]): void {
  for (let i = 0; i < nodes.length; i++) out.push(nodes[i]!);
}

/** Positional and keyword arguments may alternate in the source: `f(a=1, *rest)`. */
function addArguments(out: Node[], args: readonly Expr[], keywords: readonly Keyword[]): void {
  let k = 0;
  for (const arg of args) {
    while (k < keywords.length && keywords[k]!.start < arg.start) out.push(keywords[k++]!);
    out.push(arg);
  }
  while (k < keywords.length) out.push(keywords[k++]!);
}

function addPairs(out: Node[], left: readonly (Node | null)[], right: readonly Node[]): void {
  for (let i = 0; i < right.length; i++) add(out, left[i], right[i]);
}

function addParameters(node: Arguments, out: Node[]): void {
  addAll(out, node.posonly);
  addAll(out, node.args);
  add(out, node.vararg);
  addAll(out, node.kwonly);
  add(out, node.kwarg);
}

function addClass(node: ClassDef, out: Node[]): void {
  addAll(out, node.decorators);
  addAll(out, node.typeParams);
  addArguments(out, node.bases, node.keywords);
  addAll(out, node.body);
}

const none = (): void => {};

/** How to collect the children of each kind, in source order. */
const CHILDREN: { [K in Node['kind']]: (node: Extract<Node, { kind: K }>, out: Node[]) => void } = {
  Module: (n, out) => addAll(out, n.body),
  FunctionDef: (n, out) => {
    addAll(out, n.decorators);
    addAll(out, n.typeParams);
    add(out, n.args, n.returns);
    addAll(out, n.body);
  },
  ClassDef: addClass,
  Return: (n, out) => add(out, n.value),
  Delete: (n, out) => addAll(out, n.targets),
  Assign: (n, out) => {
    addAll(out, n.targets);
    out.push(n.value);
  },
  AugAssign: (n, out) => add(out, n.target, n.value),
  AnnAssign: (n, out) => add(out, n.target, n.annotation, n.value),
  TypeAlias: (n, out) => {
    out.push(n.name);
    addAll(out, n.typeParams);
    out.push(n.value);
  },
  For: (n, out) => {
    add(out, n.target, n.iter);
    addAll(out, n.body);
    addAll(out, n.orelse);
  },
  While: (n, out) => {
    out.push(n.test);
    addAll(out, n.body);
    addAll(out, n.orelse);
  },
  If: (n, out) => {
    out.push(n.test);
    addAll(out, n.body);
    addAll(out, n.orelse);
  },
  With: (n, out) => {
    addAll(out, n.items);
    addAll(out, n.body);
  },
  WithItem: (n, out) => add(out, n.contextExpr, n.optionalVars),
  Match: (n, out) => {
    out.push(n.subject);
    addAll(out, n.cases);
  },
  MatchCase: (n, out) => {
    add(out, n.pattern, n.guard);
    addAll(out, n.body);
  },
  Raise: (n, out) => add(out, n.exc, n.cause),
  Try: (n, out) => {
    addAll(out, n.body);
    addAll(out, n.handlers);
    addAll(out, n.orelse);
    addAll(out, n.finalbody);
  },
  ExceptHandler: (n, out) => {
    add(out, n.type);
    addAll(out, n.body);
  },
  Assert: (n, out) => add(out, n.test, n.msg),
  Alias: none,
  Import: (n, out) => addAll(out, n.names),
  ImportFrom: (n, out) => addAll(out, n.names),
  Global: none,
  Nonlocal: none,
  ExprStmt: (n, out) => add(out, n.value),
  Pass: none,
  Break: none,
  Continue: none,
  BoolOp: (n, out) => addAll(out, n.values),
  NamedExpr: (n, out) => add(out, n.target, n.value),
  BinOp: (n, out) => add(out, n.left, n.right),
  UnaryOp: (n, out) => add(out, n.operand),
  Lambda: (n, out) => add(out, n.args, n.body),
  IfExp: (n, out) => add(out, n.body, n.test, n.orelse),
  Dict: (n: Dict, out) => addPairs(out, n.keys, n.values),
  Set: (n, out) => addAll(out, n.elts),
  ListComp: (n, out) => {
    out.push(n.elt);
    addAll(out, n.generators);
  },
  SetComp: (n, out) => {
    out.push(n.elt);
    addAll(out, n.generators);
  },
  DictComp: (n, out) => {
    add(out, n.key, n.value);
    addAll(out, n.generators);
  },
  GeneratorExp: (n, out) => {
    out.push(n.elt);
    addAll(out, n.generators);
  },
  Comprehension: (n, out) => {
    add(out, n.target, n.iter);
    addAll(out, n.ifs);
  },
  Await: (n, out) => add(out, n.value),
  Yield: (n, out) => add(out, n.value),
  YieldFrom: (n, out) => add(out, n.value),
  Compare: (n, out) => {
    out.push(n.left);
    addAll(out, n.comparators);
  },
  Call: (n: Call, out) => {
    out.push(n.func);
    addArguments(out, n.args, n.keywords);
  },
  Keyword: (n, out) => add(out, n.value),
  JoinedStr: (n, out) => addAll(out, n.values),
  FormattedValue: (n, out) => {
    out.push(n.value);
    addAll(out, n.specValues);
  },
  Constant: none,
  Attribute: (n, out) => add(out, n.value),
  Subscript: (n, out) => add(out, n.value, n.slice),
  Starred: (n, out) => add(out, n.value),
  Name: none,
  List: (n, out) => addAll(out, n.elts),
  Tuple: (n, out) => addAll(out, n.elts),
  Slice: (n, out) => add(out, n.lower, n.upper, n.step),
  Arguments: addParameters,
  Arg: (n, out) => add(out, n.annotation, n.default),
  MatchValue: (n, out) => add(out, n.value),
  MatchSingleton: none,
  MatchSequence: (n, out) => addAll(out, n.patterns),
  MatchMapping: (n: MatchMapping, out) => addPairs(out, n.keys, n.patterns),
  MatchClass: (n, out) => {
    out.push(n.cls);
    addAll(out, n.patterns);
    addAll(out, n.kwdPatterns);
  },
  MatchStar: none,
  MatchAs: (n, out) => add(out, n.pattern),
  MatchOr: (n, out) => addAll(out, n.patterns),
  TypeParam: (n, out) => add(out, n.bound, n.default),
};

/** The name at the end of a chain: `c` of `a.b.c`; '' for what ends in none. */
export function lastNameOf(node: Node | null | undefined): string {
  return node?.kind === 'Name' ? node.id : node?.kind === 'Attribute' ? node.attr : '';
}

/** `super()`. */
export function isSuper(node: Node): boolean {
  return node.kind === 'Call' && node.func.kind === 'Name' && node.func.id === 'super';
}

/** Does one extent hold all of another? */
export function encloses(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The direct children of a node, in source order (decorators of a definition first). */
export function childrenOf(node: Node): Node[] {
  const out: Node[] = [];
  (CHILDREN[node.kind] as Collect)(node, out);
  return out;
}

/** `root` and everything below it, parents before children and in source order. */
export function descendants(root: Node): Node[] {
  return nodesBelow([root], () => true);
}

/**
 * Some nodes and what lies below them, parents before children and in source order.
 *
 * @param isEntered - whether what lies below a node is asked for, too.
 */
export function nodesBelow(roots: readonly Node[], isEntered: (node: Node) => boolean): Node[] {
  const out: Node[] = [];
  const stack: Node[] = [];
  for (let i = roots.length - 1; i >= 0; i--) stack.push(roots[i]!);
  const children: Node[] = [];
  for (let node = stack.pop(); node; node = stack.pop()) {
    out.push(node);
    if (!isEntered(node)) continue;
    children.length = 0;
    (CHILDREN[node.kind] as Collect)(node, children);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return out;
}
