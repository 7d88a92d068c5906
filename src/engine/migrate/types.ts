import type { Analysis, Decision, Edit, NewFile, Policy, Refusal, SpawnSite, Target } from '../../model/index.ts';
import type { Module } from '../../syntax/index.ts';
import type { CodemodDefinition, SymbolRef } from '../contracts.ts';

/** One Python file of the project, read and parsed. */
export interface MigrateSource {
  file: string;
  bytes: Uint8Array;
  text: string;
  encoding: string;
  bom: boolean;
  tree: Module;
  /** Dotted name, and whether the file is a package's `__init__`. */
  module: string;
  isPackage: boolean;
}

export interface MigrateOptions {
  /** Id of the codemod; each has its folder under `rules/codemods`. */
  method: string;
  /** A trace id for every site, not only where the policy's priority asks for it. */
  trace?: boolean;
  heartbeat?: boolean;
  /** Module of the heartbeat gauge; default: `loop_health` beside the context variable's module. */
  gaugeModule?: string;
  /** `inline`, a module to import the helper from, or null for the default. */
  helper?: 'inline' | { module: string } | null;
  contextVariable?: SymbolRef | null;
  traceVariable?: SymbolRef | null;
  unsafe?: boolean;
  /** From `requires-python`. */
  pythonMinimum?: readonly [number, number] | null;
}

/** Everything a migration is planned from. Functions are questions to the module graph; nothing is written. */
export interface MigrateInput {
  analysis: Analysis;
  /** One a site and target; those selected for this run. */
  decisions: readonly Decision[];
  /** Those that are not selected: what one call starts beside a selected one shares its tag, and who starts the same function its body. */
  beside?: readonly Decision[];
  /** Sites that are not to be touched, by `placeKey`: why, or null when there is nothing to say about it. */
  leave?: ReadonlyMap<string, LeftAlone | null>;
  policy: Policy;
  options: MigrateOptions;
  codemods: Readonly<Record<string, CodemodDefinition>>;
  sources: ReadonlyMap<string, MigrateSource>;
  /** File of a project module, as it is imported from a file; null when it is none. */
  resolveModule(module: string, from?: string): string | null;
  /** Where the file of a module that is not there yet belongs, so that a file can import it. */
  newModuleFile(module: string, from?: string): string;
  /** Follow a name through re-exports to the module that defines it; absent: names are taken as written. */
  canonical?(symbol: SymbolRef): SymbolRef;
  /** Where a coroutine function is awaited as a plain call, outside of any spawn; absent: not known. */
  awaitedAt?(target: Target): { file: string; line: number } | null;
  /** Project files that a file imports when it is imported. */
  importsOf(file: string): readonly string[];
  /** Whether the layout, or what it imports already, shows that a file can import a module; absent: not known. */
  canImport?(file: string, module: string): boolean;
  /** Texts of a file's earlier versions, the latest first; absent: not known. */
  earlier?(file: string): Iterable<string>;
}

/** Why a site is left alone. */
export interface LeftAlone {
  code: Refusal['code'] | 'tagged' | 'not-required' | 'undecided' | 'unproven';
  /** One sentence: why, and what to do by hand. */
  reason: string;
}

export interface SkippedSite extends LeftAlone {
  site: SpawnSite;
}

/** A site that the plan changes. */
export interface PlannedSite {
  site: SpawnSite;
  decisions: Decision[];
  method: string;
  projectIds: readonly string[];
  trace: boolean;
  edits: Edit[];
  notes: string[];
  unsafe: string | null;
}

export interface FilePlan {
  file: string;
  /** All edits, in the order of the text. */
  edits: Edit[];
  /** The edits that serve no site alone: imports, helper, constants. */
  shared: Edit[];
  text: string;
  newText: string;
  bytes: Uint8Array;
  newBytes: Uint8Array;
}

export interface MigrationPlan {
  method: string;
  sites: PlannedSite[];
  files: FilePlan[];
  newFiles: NewFile[];
  /** Files that held nothing but what an earlier run brought (revert). */
  deletedFiles?: string[];
  /** Their bytes. */
  deleted?: { file: string; bytes: Uint8Array }[];
  skipped: SkippedSite[];
  /** Once a run, for people. */
  notes: string[];
  /** What the rewritten code does otherwise than before. */
  limits: string[];
}

/** A refusal on its way up. */
export const refused = (code: Refusal['code'], reason: string): { refusal: Refusal } => ({ refusal: { code, reason } });
