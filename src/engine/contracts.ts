/** What a rule author writes against. Nothing here has behaviour beyond handing its argument back, typed. */
import type { DefinitionRequest } from '../edit/module-lines.ts';
import type {
  Analysis,
  Catalogue,
  Decision,
  DirectiveProblem,
  Edit,
  Finding,
  LoopShape,
  ModuleLayout,
  Policy,
  Reconciliation,
  Refusal,
  SeveritySetting,
  SpawnSite,
  Target,
} from '../model/index.ts';

/** `true`, or why a migration would leave it as it is. */
export type Mend = true | { why: string };

/** What `looptag migrate` would put at one spawn. */
export interface Mends {
  projectId: Mend;
  traceId: Mend;
  /** With `--heartbeat`. */
  heartbeat: Mend;
  /** With `--method platform-session --unsafe`. */
  platformSession: Mend;
}

/** Everything a check may look at. Pure data: no tree, no disk. */
export interface CheckInput {
  analysis: Analysis;
  /** null without a catalogue. */
  catalogue: Catalogue | null;
  reconciliation: Reconciliation;
  policy: Policy;
  /** ISO date of the run, so that a check stays a pure function. */
  today: string;
  /** Does the project's logging read the context variable? Evidence, or null when nothing does. */
  logging: { file: string; line: number } | null;
  /** Text of an analysed file, for messages and suppression comments. */
  sourceOf(file: string): string | null;
  /** What a migration would mend; absent: not known, so that the decision alone is gone by. */
  mends?(decision: Decision): Mends;
  /** Troubles of `# looptag:` comments; only checks of the phase `directives` see them. */
  directiveProblems?: DirectiveProblem[];
}

export type RawFinding = Omit<Finding, 'rule' | 'code' | 'severity' | 'related' | 'fix'> &
  Partial<Pick<Finding, 'related' | 'fix' | 'severity'>>;

export interface CheckDefinition {
  id: string;
  /** `LT001`; never used again for another rule. */
  code: string;
  severity: SeveritySetting;
  /** One line for tables. */
  summary: string;
  /** Whether `migrate` or `catalog sync` mends it. */
  fixable: boolean;
  /** One line: how to mend what it reports. */
  remedy?: string;
  /** `directives`: runs after all others, when it is known what each suppression did. Absent: `code`. */
  phase?: 'code' | 'directives';
  /** Yields findings; must not throw on any analysis. */
  run(input: CheckInput): Iterable<RawFinding>;
}

export function defineCheck(check: CheckDefinition): CheckDefinition {
  return check;
}

/** One row of a spawn-API table. */
export interface SpawnApiRow {
  /** Qualified callee: `asyncio.create_task`, or an object kind and method: `LOOP.create_task`. */
  callee: string;
  /** Canonical name shown to users. */
  api: string;
  takes: 'coroutine' | 'callable';
  /** Index and keyword name of the argument that is spawned. */
  argument: { position: number; keyword: string };
  /** A task group or nursery that awaits what it starts. */
  structured?: boolean;
  /** The callee starts nothing by itself: `scheduled` work. */
  scheduled?: boolean;
}

export interface SpawnApiDefinition {
  /** Library name, `asyncio`. */
  library: string;
  rows: SpawnApiRow[];
  /** Calls that yield an object kind: `asyncio.get_running_loop` → `LOOP`. */
  makers?: Record<string, string>;
  /** Types whose instances are an object kind: `asyncio.AbstractEventLoop` → `LOOP`. */
  types?: Record<string, string>;
  /** Attributes of an object kind that are one: `AIOHTTP_APP.loop` → `LOOP`. */
  attributes?: Record<string, string>;
  /** Coroutine functions that end by themselves: `asyncio.sleep`. */
  ends?: readonly string[];
}

export function defineSpawnApi(table: SpawnApiDefinition): SpawnApiDefinition {
  return table;
}

/** A module-level name; `name: null` for the module itself (`import os`). */
export interface ModuleName {
  module: string;
  name: string | null;
}

/** A module-level name of the project. */
export interface SymbolRef extends ModuleName {
  name: string;
}

/** Something that a file must hold for an edit to work; wanted by many edits, brought once. */
export type Need =
  | { kind: 'import'; file: string; module: string; name: string | null; at: number }
  | { kind: 'definition'; file: string; definition: DefinitionRequest; at: number };

/** How a name is written at a place, and what that takes; or why it cannot be. */
export type Reference = { name: string; needs: Need[] } | { refusal: Refusal };

/** The project's helper as it is called in one file. */
export interface HelperReference {
  name: string;
  needs: Need[];
  coroParam: number;
  idParam: number;
  idParamName: string;
  /** False for INV-8's helper as printed. */
  returnsResult: boolean;
  /** Keyword that switches the trace id on; `always` when it sets one anyway; null when it cannot. */
  trace: string | 'always' | null;
}

/** The names that a helper's text is written with. */
export interface HelperNames {
  helper: string;
  /** `''` for a helper that does not use it. */
  contextVariable: string;
  /** null: without trace ids. */
  trace: { variable: string; generator: string } | null;
  /** `HelperDefinition.imports`, as the file writes them. */
  imports: string[];
  policy: Policy;
}

/** A module-level name that a codemod brings to the project. */
export interface HelperDefinition {
  name(policy: Policy): string;
  kind: 'function' | 'assignment';
  /** It sets the context variable, so that name must be at hand. */
  usesContext: boolean;
  /** Library names that it uses. */
  imports: SymbolRef[];
  /** Docstring of a new module that holds nothing else. */
  moduleDoc: string;
  /** Python text with LF, four blanks a level, no line end after the last line. */
  render(names: HelperNames): string;
  /** Does what the project binds to the name serve as well? Absent: only the very same text does. */
  accepts?(text: string, policy: Policy): boolean;
}

/** What one rewrite may look at: one site, what was decided for it, and the layout of the files in question. */
export interface CodemodInput {
  site: SpawnSite;
  target: Target | null;
  decision: Decision;
  /** Ids to carry, one for every extent to wrap, or one for all. */
  projectIds: readonly string[];
  trace: boolean;
  /** What the gauge's label calls the loop, so that no other one is called the same. */
  loopName: string;
  policy: Policy;
  /** The oldest Python that the project runs on; null when it does not say. */
  pythonMinimum: readonly [number, number] | null;
  layout: ModuleLayout;
  /** The coroutine function that the site starts; null when it is not at hand. */
  loop: LoopShape | null;
  loopLayout: ModuleLayout | null;
  /** Where else the coroutine function is awaited as a plain call; null when nowhere, or not known. */
  awaited: { file: string; line: number } | null;
  /** Where else the coroutine function is started by whoever's id it is to keep; null when nowhere. */
  inherited: { file: string; line: number } | null;
  /** Decoded text of a file. */
  textOf(file: string): string;
  /** How to write a module-level name of the project at an offset of a file. */
  refer(file: string, symbol: ModuleName | null, at: number): Reference;
  /** A definition that the codemod brings itself to a file, or the one that is there. */
  define(file: string, definition: DefinitionRequest, at: number): Reference;
  /** null when the project has none, or several; `refer` then says why. */
  contextVariable: SymbolRef | null;
  traceVariable: SymbolRef | null;
  traceGenerator: SymbolRef | null;
  /** The helper of this codemod (`CodemodDefinition.helper`) at an offset of a file. */
  helper(file: string, at: number): HelperReference | { refusal: Refusal };
}

export type CodemodResult =
  | {
      edits: Edit[];
      needs: Need[];
      /** Why this edit is not safe; absent for a safe one. */
      unsafe?: string;
      /** What a reviewer should know of this site. */
      notes?: string[];
    }
  | { refusal: Refusal };

export interface CodemodDefinition {
  id: string;
  /** One line for tables. */
  summary: string;
  safe: boolean;
  /** Whether it edits the call, or the coroutine function (which several calls may share). */
  scope: 'site' | 'target';
  /** Whether it is a way to carry a project id: a choice of `--method`. */
  carriesId: boolean;
  /** It changes more than the tag: it is asked for what carries the right id in its coroutine already, too. */
  doesMore?: boolean;
  /** What the rewritten code does otherwise than before, for the header of the diff. */
  limits: string[];
  helper?: HelperDefinition;
  /** The id that it puts whatever was decided; absent: the decided one. */
  projectId?(policy: Policy): string;
  /** Edits for one site, or why there are none; must not throw on any site. */
  run(input: CodemodInput): CodemodResult;
  /** The edits that take its tag out of a site again; what the tag needed is cleaned up elsewhere. */
  undo?(input: CodemodInput): CodemodResult;
}

export function defineCodemod(codemod: CodemodDefinition): CodemodDefinition {
  return codemod;
}
