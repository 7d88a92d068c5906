import type { Evidence, Extent, Range } from './location.ts';

export type Lifecycle = 'loop' | 'one-shot' | 'unknown';
export type Certainty = 'proven' | 'likely' | 'unknown';
type TagVia = 'wrapper' | 'context-argument' | 'loop-body' | 'caller' | 'decorator';

/** The project id that a spawned coroutine runs under. */
export interface Tag {
  /** null when the id is set, but to a value not known statically. */
  projectId: string | null;
  via: TagVia;
  /** The call or statement that sets it, and where. */
  file: string;
  line: number;
  /** For `via: wrapper`: the extent of the wrapping call in the site's file, and of what it wraps. */
  wrapping?: { helper: string; call: Extent; inner: Extent; id: Extent };
}

/** What was derived about one coroutine, each with evidence. */
export interface LoopFacts {
  lifecycle: Lifecycle;
  /** Seconds between two rounds; null when not statically known (or no loop). */
  periodSeconds: number | null;
  /** Where the period was read: an expression with its place, or why there is none. */
  periodSource: string | null;
  /** Jitter or back-off: the bounds of the sleep, when they are known. */
  periodRange: { min: number; max: number } | null;
  /** The schedule in seconds when the sleep is computed but its cadence is known (until next midnight = 86,400). */
  nominalPeriodSeconds: number | null;
  /** A sleep before the loop starts. */
  initialDelaySeconds: number | null;
  /** The coroutine assigns a trace id context variable. */
  setsTraceId: boolean;
  heartbeat: Heartbeat | null;
  /** An exception in a round ends the loop (nothing catches it inside). null: no loop or unknown. */
  diesOnException: boolean | null;
  /** A handler inside the loop catches CancelledError (bare except, BaseException) and goes on. */
  swallowsCancellation: Evidence | null;
  /** Calls that open a database session or the like inside the coroutine: canonical or written names with place. */
  calls: CalledName[];
  /** run_in_executor / threads started in the body, which drop the context. */
  executorCalls: Evidence[];
  evidence: Evidence[];
}

export interface CalledName {
  /** As written, dotted. */
  name: string;
  /** Canonical qualified name where it resolves. */
  qualifiedName: string | null;
  file: string;
  line: number;
  column: number;
}

/** A gauge that the coroutine updates. */
export interface Heartbeat {
  /** Metric name, e.g. `awooop_background_loop_last_run_timestamp`; null when it is not literal. */
  metric: string | null;
  /** Name of the Python variable. */
  variable: string;
  file: string;
  line: number;
  /** Label names at the definition, null when unknown. */
  labelNames: string[] | null;
  /** Label values given at the update (`labels(a="x")`); value null when not literal; null when `.labels()` is not called. */
  labels: Record<string, string | null> | null;
  /** Updated only when a round succeeded (not in `except`/`finally`, inside the loop). */
  onSuccess: boolean;
  /** Inside the loop's body (each round), not only before it. */
  inLoop: boolean;
  /** No round that ends well goes without; absent when not known. */
  everyRound?: boolean;
  /** The labels are given by position and by name at once, which prometheus_client refuses. */
  mixedLabels?: boolean;
  /** Also set once before the loop, so that the series exists from the start. */
  atStart?: boolean;
  definition: { file: string; line: number; multiprocessMode: string | null } | null;
}

/** One coroutine that a site may start. */
export interface Target {
  /** As written at the site, dotted for attributes. */
  name: string;
  qualifiedName: string | null;
  /** The file of the `def`, null when outside the project or unknown. */
  file: string | null;
  /** The line of the `def`, null with `file`. */
  line: number | null;
  facts: LoopFacts;
  tag: Tag | null;
  /** A trace id is set for it, by the wrapper or in the body. */
  traceId: boolean;
  /** The spawning code set the variable earlier, so that the task happens to inherit it. No tag: moving the line loses it. */
  inherited?: { projectId: string | null; file: string; line: number } | null;
}

/** `task`: a coroutine that is spawned itself. */
export type CalledFrom = 'request' | 'task' | 'startup' | 'module';

export type TaskUse =
  | 'dropped' // expression statement, a local that is deleted, or never read by a function that then ends
  | 'held' // a local that nobody reads, of a function that waits: for as long as that goes on
  | 'kept' // attribute, container, global, add_done_callback with a stored reference
  | 'awaited' // awaited, gathered, waited for, result read
  | 'returned'
  | 'passed' // argument of some other call
  | 'structured'; // a task group or nursery owns it

/** A task group that the function which opens it leaves only when all of its tasks have ended. */
export interface OwnGroup {
  /** Offset of its `async with`. */
  start: number;
  /**
   * Why it is no place for work that goes on for ever: the function hands a result back afterwards, or nothing is done in
   * the block but to start what ends by itself. Null: nothing says so.
   */
  ends: 'for-result' | 'with-members' | null;
}

export interface SpawnSite {
  /** module:enclosing:target, `#n` when repeated. Survives line moves. */
  id: string;
  /** Dotted module name, e.g. `src.main`. */
  module: string;
  range: Range;
  /** Canonical name, see the contract; `wrapper:<qualified name>` for a project function. */
  api: string;
  /** What the API takes: a coroutine object, or a callable with its arguments (anyio, trio, some wrappers). */
  takes: 'coroutine' | 'callable';
  /** Qualified name of the enclosing scope inside the module; `<module>` at top level. */
  enclosing: string;
  /** Source text of what is spawned; '' when there is no argument. */
  argument: string;
  /** The extent of the argument, redundant parentheses included; null when there is none that can be edited. */
  argumentExtent: Extent | null;
  targets: Target[];
  /** A tag put at the call itself (wrapper, context argument); also when no target could be named. */
  tag?: Tag | null;
  /** Why no target could be named, or why the one that is named cannot be spawned; else null. */
  unresolved: string | null;
  certainty: Certainty;
  shape: SiteShape;
  evidence: Evidence[];
}

/** What an editor of the call must know, without a tree. */
export interface SiteShape {
  use: TaskUse;
  /** The statement that holds the call. */
  statement: Extent;
  /** Quotes of the f-strings around the call, innermost last: `"`, `'`, `"""`, `'''`; empty outside of any. */
  fstringQuotes: string[];
  /** Offset just after the last argument (before a trailing comma or comments); where a keyword can be appended. */
  lastArgumentEnd: number | null;
  /** Source text of what is handed to a callable that is spawned; absent when a coroutine is. */
  passed?: string;
  /** `context=` at the call. */
  contextArgument: {
    extent: Extent;
    value: string;
    kind: 'copied' | 'shared' | 'project' | 'empty' | 'unknown';
  } | null;
  /** Does a `**mapping` at the call hold a `context=`? Absent: there is no such mapping, or it holds none. */
  spreadContext?: 'yes' | 'maybe';
  /** `name=` at the call, as written. */
  nameArgument: string | null;
  /** Where control comes from: a request handler, start-up, import time, or neither is known. */
  path: 'request' | 'startup' | 'module' | 'unknown';
  /** The kinds of code whose calls lead to a function of unknown path; none when no caller is known. */
  calledFrom?: CalledFrom[];
  /** The group that owns the task, when the function of the call opens it and waits for it; absent when not. */
  group?: OwnGroup;
  /** Why a rewrite of the argument would be wrong; null when it is fine. */
  refusal: Refusal | null;
  /** Extents that must be wrapped instead of the argument (element of a generator, entries of a literal list); empty: the argument. */
  wrapExtents: Extent[];
  /** True when the coroutine's argument is a `*args`-style forward or the like. */
  starred: boolean;
  /** Gathered or shielded as the argument: a tag on it has no effect on the inner tasks. */
  ineffective: string | null;
  /** Somebody tried to tag this spawn in a way that does nothing; `line` is where, in the site's file. */
  ineffectiveTag?: {
    how: 'gather' | 'shield' | 'context-run' | 'set-after-spawn';
    projectId: string | null;
    line: number;
  } | null;
  /** `add_done_callback` on the task, in the site's file; null when there is provably none; absent when unknown. */
  doneCallback?: { line: number; name: string } | null;
  /**
   * Arms that hold the call, outermost first, each `<offset of the statement>:<index of its arm>` (`if`/`elif`/`else`,
   * `match`, `try` against `except`). Two sites exclude each other when one statement holds them in different arms.
   */
  branches?: string[];
}

type RefusalCode =
  | 'existing-task'
  | 'gathered'
  | 'async-generator'
  | 'not-a-coroutine'
  | 'starred'
  | 'shared-context'
  | 'no-safe-quote'
  | 'dynamic'
  | 'mixed-classes'
  | 'callable'
  | 'name-clash'
  | 'import-cycle'
  | 'parse-error'
  | 'encoding'
  | 'no-context-variable'
  | 'python-version'
  | 'unsafe'
  | 'no-definition'
  | 'shape';

export interface Refusal {
  code: RefusalCode;
  /** One sentence for a person: why, and what to do by hand. */
  reason: string;
}

export type MentionKind =
  | 'comment'
  | 'string'
  | 'docstring'
  | 'reference'
  | 'import'
  | 'shadowed'
  | 'other-object'
  | 'wrapper-body'
  | 'unresolved';

/** A line that grep hits and that is no spawn site. */
export interface Mention {
  file: string;
  line: number;
  column: number;
  kind: MentionKind;
  text: string;
  /** Name of the coroutine that a passed reference will spawn. */
  spawns?: string;
  /** Why, in one sentence. */
  detail?: string;
}

/** Background work that starts without a task of its own. */
export interface ScheduledWork {
  file: string;
  line: number;
  column: number;
  /** `APScheduler.add_job`, `repeat_every`, `BackgroundTasks.add_task`, `asyncio.gather`. */
  how: string;
  target: string | null;
  periodSeconds: number | null;
}

/** `asyncio.run`, `Runner.run`, `run_until_complete`: where the program starts. */
export interface EntryPoint {
  file: string;
  line: number;
  column: number;
  how: string;
  target: string | null;
}

/** A file that could not be analysed. */
export interface FileError {
  file: string;
  line: number;
  column: number;
  message: string;
  kind: 'syntax' | 'encoding' | 'unreadable';
}

/** A `ContextVar` of the project. */
export interface ContextVariable {
  /** Module and variable name, `src.core.context:project_id_ctx_var`. */
  module: string;
  name: string;
  /** The literal first argument of `ContextVar("…")`. */
  label: string | null;
  file: string;
  line: number;
}

/** A function `(coro, project_id)` that sets the context variable and awaits the coroutine. */
export interface ContextHelper {
  module: string;
  name: string;
  /** '' when its module is out of reach and only the name vouches for it. */
  file: string;
  line: number;
  /** Position of the coroutine and of the id among its parameters; -1 for one that is keyword-only. */
  coroParam: number;
  idParam: number;
  idParamName: string;
  /** False for INV-8's helper as printed: `await coro` without `return`. */
  returnsResult: boolean;
  setsTraceId: boolean;
  /** Keyword that switches the trace id on; absent when nobody has to ask. */
  traceParam?: string;
  /** The context variable that it sets; absent when not known. */
  variable?: { module: string; name: string } | null;
}

/** What the analysis of a project found. */
export interface Analysis {
  /** Files asked for, relative to root, sorted. */
  files: string[];
  parsed: number;
  sites: SpawnSite[];
  /**
   * Forwarding calls of wrappers that take a callable: no sites, but the only place where a tag can be put,
   * since their callers hand over a function. Same shape as a site.
   */
  forwarders?: SpawnSite[];
  mentions: Mention[];
  scheduled: ScheduledWork[];
  entries: EntryPoint[];
  errors: FileError[];
  contextVariables: ContextVariable[];
  helpers: ContextHelper[];
  /** Lines that a plain `grep asyncio.create_task` hits. */
  grepLines: number;
  /** Hits of that grep, each `{file, line}`, sorted. */
  grepHits: { file: string; line: number }[];
  /** Every comment that contains `looptag:`, from the `#` to the end of the line. Strings that look like one are left out. */
  directives?: Directive[];
  /** Where the project switches prometheus_client to multiprocess mode; null when nowhere. */
  multiprocessMetrics?: { file: string; line: number } | null;
}

/** A `# looptag: …` comment, as written. */
export interface Directive {
  file: string;
  line: number;
  column: number;
  text: string;
}
