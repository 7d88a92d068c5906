import type { Extent } from './location.ts';

/** Where things stand in one module: what an editor must know to put a line, without a tree. */
export interface ModuleLayout {
  file: string;
  /** Dotted module name; `''` when unknown. */
  module: string;
  /** The line end that most lines have. */
  eol: string;
  /** One level of indentation. */
  indent: string;
  /** Length of the text in UTF-16 units. */
  length: number;
  /** Offset after the shebang, the coding cookie and a comment block of its own at the top. */
  headerEnd: number;
  /** Blank lines after it. */
  headerBlank: number;
  /** The text ends with a line end (or is empty). */
  finalNewline: boolean;
  /** The logical lines at module level, in order. */
  lines: TopLine[];
  /** `from … import …` and `import …` that run at import time whatever happens: direct children of the module. */
  imports: TopImport[];
  /** Names bound at module level, wherever they stand (also in `if` and `try`, not under TYPE_CHECKING). */
  bound: ModuleBinding[];
  /** Names bound inside functions, lambdas and comprehensions. */
  scopes: ScopeNames[];
  /** Every identifier that is read or written in the module, with its number of mentions. */
  mentions: Record<string, number>;
}

/** One logical line at module level: `a = 1; import b` is one, and so is a decorated function with its body. */
export interface TopLine {
  kind: 'docstring' | 'future' | 'import' | 'definition' | 'other';
  /** Start of its first physical line, decorators included. */
  start: number;
  /** Just after its line end (the end of the text when there is none). */
  end: number;
  /** Offset of the comment block directly above it; `start` when there is none. */
  blockStart: number;
  /** Blank lines between it and what follows (comment or code). */
  blankAfter: number;
  /** Nothing but blank lines follows. */
  last: boolean;
}

export interface TopImport {
  /** Absolute dotted module; null for a plain `import`. */
  module: string | null;
  /** As written, with its dots. */
  written: string;
  names: ImportedName[];
  parens: Extent | null;
  extent: Extent;
  /** Index into `lines`. */
  line: number;
  /** Alone on its logical line. */
  alone: boolean;
}

export interface ImportedName {
  name: string;
  asname: string | null;
  extent: Extent;
  /** The only thing on its physical line beside a comma and a comment. */
  ownLine: boolean;
  /** A comment follows on its own line, and speaks of it. */
  comment: boolean;
  /** Blanks before it on its line, when `ownLine`. */
  indent: string;
}

export interface ModuleBinding {
  name: string;
  how: 'import' | 'function' | 'class' | 'assignment' | 'other';
  /** For an import: the absolute module, and the name in it (null for `import m`). */
  from: { module: string; name: string | null } | null;
  extent: Extent;
  /** Only under a condition (`if`, `try`, loop, `with`). */
  conditional: boolean;
  /** Index into `lines`. */
  line: number;
  /** The value as written, for an assignment. */
  value: string | null;
}

export interface ScopeNames {
  extent: Extent;
  names: string[];
}

/** How the body of one coroutine function is laid out. */
export interface LoopShape {
  file: string;
  name: string;
  /** The whole `def`, decorators included. */
  extent: Extent;
  isAsync: boolean;
  /** Contains `yield`: an async generator. */
  isGenerator: boolean;
  /** Where first statements go: before this offset… */
  bodyStart: number;
  /** …each on its own line with this indentation; null when the body stands on the `def` line (`async def f(): await g()`). */
  bodyIndent: string | null;
  /** The body holds nothing after the docstring: `bodyStart` is its end, and the statement goes after it. */
  docstringOnly: boolean;
  /** Parameters and local names. */
  locals: string[];
  /** Simple statements at the top of the body after the docstring, to see and to take out what is there. */
  head: BodyStatement[];
  /** Calls inside the function itself (not in nested ones), `name(…)` or `a.b(…)`, with the extent of the callee. */
  calls: { name: string; callee: Extent }[];
  /** The forever loop; null when there is none. */
  loop: LoopBody | null;
  /** Names that the body calls `.labels(…)` or `.set_to_current_time()` on. */
  gauges: string[];
}

export interface BodyStatement {
  text: string;
  /** From the start of its line to after its line end, when it is alone on its lines. */
  extent: Extent;
  alone: boolean;
}

export interface LoopBody {
  /** Start of the line of `while`. */
  lineStart: number;
  indent: string;
  /** A statement before the loop on the same line, or the loop's body on the line of `while`. */
  oneLine: boolean;
  /** Places at which a good round ends. */
  successEnds: SuccessEnd[];
  /** Why a heartbeat cannot be put safely; null when it can. */
  refusal: string | null;
}

export interface SuccessEnd {
  /** Start of a line, or the offset after a line end. */
  offset: number;
  indent: string;
  /** What the place is, for messages: `end of try`, `before sleep`, `before continue`, `end of loop`. */
  what: string;
  /** The previous line has no line end (end of file): one is put first. */
  afterText: boolean;
}
