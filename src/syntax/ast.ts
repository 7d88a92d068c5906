/**
 * The syntax tree of one Python file, named after CPython's own `ast` module.
 *
 * Offsets are UTF-16 indexes into the decoded text (a BOM is not part of it). `start`/`end` follow CPython:
 * redundant parentheses are outside; `outer` holds the extent with them.
 */

interface Base {
  start: number;
  end: number;
  /** Set by the parser for every node but the module. */
  parent: Node | null;
}

interface ExprBase extends Base {
  /** The extent with redundant parentheses around the expression, when it has any. */
  outer?: Span;
}

export interface Span {
  start: number;
  end: number;
}

export type Context = 'load' | 'store' | 'del';

// ---- module and statements ----

export interface Module extends Base {
  kind: 'Module';
  body: Stmt[];
  /** Every comment, `#` to the end of its line, in order. */
  comments: Span[];
}

export interface FunctionDef extends Base {
  kind: 'FunctionDef';
  isAsync: boolean;
  name: string;
  nameSpan: Span;
  typeParams: TypeParam[];
  args: Arguments;
  body: Stmt[];
  decorators: Expr[];
  returns: Expr | null;
}

export interface ClassDef extends Base {
  kind: 'ClassDef';
  name: string;
  nameSpan: Span;
  typeParams: TypeParam[];
  bases: Expr[];
  keywords: Keyword[];
  body: Stmt[];
  decorators: Expr[];
}

export interface Return extends Base {
  kind: 'Return';
  value: Expr | null;
}
export interface Delete extends Base {
  kind: 'Delete';
  targets: Expr[];
}
export interface Assign extends Base {
  kind: 'Assign';
  targets: Expr[];
  value: Expr;
}
export interface AugAssign extends Base {
  kind: 'AugAssign';
  target: Expr;
  /** The operator without `=`: `+`, `//`, … */
  op: string;
  value: Expr;
}
export interface AnnAssign extends Base {
  kind: 'AnnAssign';
  target: Expr;
  annotation: Expr;
  value: Expr | null;
}
export interface TypeAlias extends Base {
  kind: 'TypeAlias';
  name: Name;
  typeParams: TypeParam[];
  value: Expr;
}
export interface For extends Base {
  kind: 'For';
  isAsync: boolean;
  target: Expr;
  iter: Expr;
  body: Stmt[];
  orelse: Stmt[];
}
export interface While extends Base {
  kind: 'While';
  test: Expr;
  body: Stmt[];
  orelse: Stmt[];
}
export interface If extends Base {
  kind: 'If';
  test: Expr;
  body: Stmt[];
  /** An `elif` is one nested If, as in CPython. */
  orelse: Stmt[];
}
export interface With extends Base {
  kind: 'With';
  isAsync: boolean;
  items: WithItem[];
  body: Stmt[];
}
export interface WithItem extends Base {
  kind: 'WithItem';
  contextExpr: Expr;
  optionalVars: Expr | null;
}
export interface Match extends Base {
  kind: 'Match';
  subject: Expr;
  cases: MatchCase[];
}
export interface MatchCase extends Base {
  kind: 'MatchCase';
  pattern: Pattern;
  guard: Expr | null;
  body: Stmt[];
}
export interface Raise extends Base {
  kind: 'Raise';
  exc: Expr | null;
  cause: Expr | null;
}
export interface Try extends Base {
  kind: 'Try';
  /** `except*` */
  isStar: boolean;
  body: Stmt[];
  handlers: ExceptHandler[];
  orelse: Stmt[];
  finalbody: Stmt[];
}
export interface ExceptHandler extends Base {
  kind: 'ExceptHandler';
  type: Expr | null;
  name: string | null;
  nameSpan: Span | null;
  body: Stmt[];
}
export interface Assert extends Base {
  kind: 'Assert';
  test: Expr;
  msg: Expr | null;
}
export interface Alias extends Base {
  kind: 'Alias';
  /** Dotted; `*` for a star import. */
  name: string;
  asname: string | null;
}
export interface Import extends Base {
  kind: 'Import';
  names: Alias[];
}
export interface ImportFrom extends Base {
  kind: 'ImportFrom';
  /** Dotted module name; null for `from . import x`. */
  module: string | null;
  /** Number of leading dots. */
  level: number;
  names: Alias[];
}
export interface Global extends Base {
  kind: 'Global';
  names: string[];
}
export interface Nonlocal extends Base {
  kind: 'Nonlocal';
  names: string[];
}
export interface ExprStmt extends Base {
  kind: 'ExprStmt';
  value: Expr;
}
export interface Pass extends Base {
  kind: 'Pass';
}
export interface Break extends Base {
  kind: 'Break';
}
export interface Continue extends Base {
  kind: 'Continue';
}

export type Stmt =
  | FunctionDef
  | ClassDef
  | Return
  | Delete
  | Assign
  | AugAssign
  | AnnAssign
  | TypeAlias
  | For
  | While
  | If
  | With
  | Match
  | Raise
  | Try
  | Assert
  | Import
  | ImportFrom
  | Global
  | Nonlocal
  | ExprStmt
  | Pass
  | Break
  | Continue;

// ---- expressions ----

export interface BoolOp extends ExprBase {
  kind: 'BoolOp';
  op: 'and' | 'or';
  values: Expr[];
}
export interface NamedExpr extends ExprBase {
  kind: 'NamedExpr';
  target: Name;
  value: Expr;
}
export interface BinOp extends ExprBase {
  kind: 'BinOp';
  left: Expr;
  op: string;
  right: Expr;
}
export interface UnaryOp extends ExprBase {
  kind: 'UnaryOp';
  op: 'not' | '-' | '+' | '~';
  operand: Expr;
}
export interface Lambda extends ExprBase {
  kind: 'Lambda';
  args: Arguments;
  body: Expr;
}
export interface IfExp extends ExprBase {
  kind: 'IfExp';
  test: Expr;
  body: Expr;
  orelse: Expr;
}
export interface Dict extends ExprBase {
  kind: 'Dict';
  /** null for `**mapping`. */
  keys: (Expr | null)[];
  values: Expr[];
}
export interface SetDisplay extends ExprBase {
  kind: 'Set';
  elts: Expr[];
}
export interface ListComp extends ExprBase {
  kind: 'ListComp';
  elt: Expr;
  generators: Comprehension[];
}
export interface SetComp extends ExprBase {
  kind: 'SetComp';
  elt: Expr;
  generators: Comprehension[];
}
export interface DictComp extends ExprBase {
  kind: 'DictComp';
  key: Expr;
  value: Expr;
  generators: Comprehension[];
}
export interface GeneratorExp extends ExprBase {
  kind: 'GeneratorExp';
  elt: Expr;
  generators: Comprehension[];
  /** True when the parentheses belong to the call: `f(x for x in y)`. start/end then span those parentheses, as in CPython. */
  bare: boolean;
}
export interface Comprehension extends Base {
  kind: 'Comprehension';
  isAsync: boolean;
  target: Expr;
  iter: Expr;
  ifs: Expr[];
}
export interface Await extends ExprBase {
  kind: 'Await';
  value: Expr;
}
export interface Yield extends ExprBase {
  kind: 'Yield';
  value: Expr | null;
}
export interface YieldFrom extends ExprBase {
  kind: 'YieldFrom';
  value: Expr;
}
export interface Compare extends ExprBase {
  kind: 'Compare';
  left: Expr;
  /** `<`, `==`, `in`, `not in`, `is`, `is not`, … */
  ops: string[];
  comparators: Expr[];
}
export interface Call extends ExprBase {
  kind: 'Call';
  func: Expr;
  /** Positional arguments, Starred ones included. */
  args: Expr[];
  keywords: Keyword[];
  /** Offset of `(`; `end - 1` is the matching `)`. */
  open: number;
}
export interface Keyword extends Base {
  kind: 'Keyword';
  /** null for `**mapping`. */
  arg: string | null;
  value: Expr;
}
/** `f"…"` or `t"…"`, possibly implicitly concatenated with plain strings. */
export interface JoinedStr extends ExprBase {
  kind: 'JoinedStr';
  isTemplate: boolean;
  /** One entry a physical literal, in order. */
  parts: StringPart[];
  /** The replacement fields of all parts, in order (nested format specs are inside their field). */
  values: FormattedValue[];
}
export interface FormattedValue extends Base {
  /** start is the `{`, end one past the `}`. */
  kind: 'FormattedValue';
  value: Expr;
  /** `r`, `s`, `a` or null. */
  conversion: string | null;
  /** Replacement fields nested in the format spec. */
  specValues: FormattedValue[];
  /** The quote of the literal that the field stands in: `"`, `'`, `"""` or `'''`. */
  quote: string;
}
export interface StringPart extends Span {
  /** Lower-case prefix letters: ``, `r`, `b`, `f`, `rb`, … */
  prefix: string;
  quote: string;
}
export type ConstantType = 'str' | 'bytes' | 'int' | 'float' | 'complex' | 'bool' | 'none' | 'ellipsis';
export interface Constant extends ExprBase {
  kind: 'Constant';
  type: ConstantType;
  /**
   * str: the decoded text. int and float: a number (an int beyond 2^53 loses precision). bool: a boolean.
   * bytes: latin-1 text. complex, none, ellipsis: null.
   */
  value: string | number | boolean | null;
}
export interface Attribute extends ExprBase {
  kind: 'Attribute';
  value: Expr;
  attr: string;
  /** Where the attribute's name begins; it ends with the node. */
  attrStart: number;
  ctx: Context;
}
export interface Subscript extends ExprBase {
  kind: 'Subscript';
  value: Expr;
  slice: Expr;
  ctx: Context;
}
export interface Starred extends ExprBase {
  kind: 'Starred';
  value: Expr;
  ctx: Context;
}
export interface Name extends ExprBase {
  kind: 'Name';
  /** NFKC-normalised, as Python does. */
  id: string;
  ctx: Context;
}
export interface List extends ExprBase {
  kind: 'List';
  elts: Expr[];
  ctx: Context;
}
export interface Tuple extends ExprBase {
  kind: 'Tuple';
  elts: Expr[];
  ctx: Context;
}
export interface Slice extends ExprBase {
  kind: 'Slice';
  lower: Expr | null;
  upper: Expr | null;
  step: Expr | null;
}

export type Expr =
  | BoolOp
  | NamedExpr
  | BinOp
  | UnaryOp
  | Lambda
  | IfExp
  | Dict
  | SetDisplay
  | ListComp
  | SetComp
  | DictComp
  | GeneratorExp
  | Await
  | Yield
  | YieldFrom
  | Compare
  | Call
  | JoinedStr
  | Constant
  | Attribute
  | Subscript
  | Starred
  | Name
  | List
  | Tuple
  | Slice;

// ---- parameters, patterns, type parameters ----

export interface Arguments extends Base {
  kind: 'Arguments';
  posonly: Arg[];
  args: Arg[];
  vararg: Arg | null;
  kwonly: Arg[];
  kwarg: Arg | null;
}
export interface Arg extends Base {
  kind: 'Arg';
  arg: string;
  annotation: Expr | null;
  default: Expr | null;
}

export interface MatchValue extends Base {
  kind: 'MatchValue';
  value: Expr;
}
export interface MatchSingleton extends Base {
  kind: 'MatchSingleton';
  value: boolean | null;
}
export interface MatchSequence extends Base {
  kind: 'MatchSequence';
  patterns: Pattern[];
}
export interface MatchMapping extends Base {
  kind: 'MatchMapping';
  keys: Expr[];
  patterns: Pattern[];
  rest: string | null;
}
export interface MatchClass extends Base {
  kind: 'MatchClass';
  cls: Expr;
  patterns: Pattern[];
  kwdAttrs: string[];
  kwdPatterns: Pattern[];
}
export interface MatchStar extends Base {
  kind: 'MatchStar';
  name: string | null;
}
export interface MatchAs extends Base {
  kind: 'MatchAs';
  pattern: Pattern | null;
  name: string | null;
}
export interface MatchOr extends Base {
  kind: 'MatchOr';
  patterns: Pattern[];
}
export type Pattern =
  | MatchValue
  | MatchSingleton
  | MatchSequence
  | MatchMapping
  | MatchClass
  | MatchStar
  | MatchAs
  | MatchOr;

export interface TypeParam extends Base {
  kind: 'TypeParam';
  /** `T`, `*Ts` or `**P`. */
  variety: 'TypeVar' | 'TypeVarTuple' | 'ParamSpec';
  name: string;
  bound: Expr | null;
  default: Expr | null;
}

export type Node =
  | Module
  | Stmt
  | Expr
  | WithItem
  | MatchCase
  | ExceptHandler
  | Alias
  | Comprehension
  | Keyword
  | FormattedValue
  | Arguments
  | Arg
  | Pattern
  | TypeParam;
