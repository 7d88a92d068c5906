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
  /** Names imported under TYPE_CHECKING alone; not bound when the program runs. */
  typeOnly: string[];
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
  /** The value as written, for an assignment; the text of a function. */
  value: string | null;
  decorated: boolean;
}

export interface ScopeNames {
  extent: Extent;
  names: string[];
}

/** How the body of one coroutine function is laid out. */
export interface LoopShape {
  file: string;
  name: string;
  /** From `async def` to the end of the body. */
  extent: Extent;
  isAsync: boolean;
  /** Contains `yield`: an async generator. */
  isGenerator: boolean;
  /** Where first statements go. */
  top: BodyPlace;
  /** Simple statements at the top of the body, after the docstring: what is there already. */
  head: BodyStatement[];
  /** Calls inside the function itself (not in nested ones), `name(…)` or `a.b(…)`, with the extent of the callee. */
  calls: { name: string; callee: Extent }[];
  /** Statements `NAME.labels(…).set_to_current_time()` of the function itself. */
  heartbeats: BodyStatement[];
  /** The forever loop; null when there is none. */
  loop: LoopBody | null;
}

/** A place between two statements of a body. */
export interface BodyPlace {
  offset: number;
  /** What each line starts with; null: on the line of another statement, which follows after `; `. */
  indent: string | null;
  /** The text before it ends without a line end: one is put first. */
  afterText: boolean;
}

export interface BodyStatement {
  text: string;
  /** The statement itself. */
  extent: Extent;
  /** Its whole lines, when it is alone on them; null otherwise. */
  lines: Extent | null;
}

export interface LoopBody {
  /** Directly before the loop. */
  before: BodyPlace;
  /** Places at which a good round ends. */
  successEnds: (BodyPlace & { what: string })[];
  /** Why a heartbeat cannot be put safely; null when it can. */
  refusal: string | null;
}
