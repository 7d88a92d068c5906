import type { Diagnostic } from '../../model/index.ts';

/** One task of a dump. */
export interface RuntimeTask {
  name: string | null;
  /** Qualified name of the coroutine, wrappers taken off where the dump allows it. */
  qualname: string;
  /** Names of the awaiting coroutines from the outermost inwards (`asyncio ps` only). */
  stack: string[];
  file: string | null;
  line: number | null;
  projectId: string | null;
  /** Whether the dump could see the task's context at all. */
  projectKnown: boolean;
  wrappers: string[];
  pid: number | null;
  /** 1-based line in the dump. */
  dumpLine: number;
}

export interface TaskDump {
  kind: 'probe' | 'asyncio-ps' | 'empty';
  tasks: RuntimeTask[];
  diagnostics: Diagnostic[];
}

export type RuntimeStatus =
  | 'tagged'
  | 'untagged'
  | 'wrong-tag'
  /** Runs, and the policy wants no tag on it. */
  | 'running'
  /** Runs; the dump does not show its context. */
  | 'tag-unknown'
  | 'never-started'
  /** A one-shot without a task: it has ended, or was never started. */
  | 'not-running';

/** One catalogued loop or analysed spawn, and what of it runs. */
export interface RuntimeLoop {
  number: number | null;
  functionName: string;
  site: string;
  file: string;
  line: number;
  expected: string | null;
  status: RuntimeStatus;
  seen: (string | null)[];
  tasks: RuntimeTask[];
}

export interface UnknownTask extends RuntimeTask {
  /** Entry points and libraries start tasks that no catalogue lists. */
  origin: 'project' | 'entry' | 'library';
}

/** Static inventory against live tasks. */
export interface RuntimeReport {
  kind: TaskDump['kind'];
  taskCount: number;
  loops: RuntimeLoop[];
  neverStarted: RuntimeLoop[];
  untagged: RuntimeLoop[];
  wrongTag: RuntimeLoop[];
  /** Tasks that no analysed spawn explains. */
  unknown: UnknownTask[];
  /** Tasks of entry points and libraries. */
  others: UnknownTask[];
  diagnostics: Diagnostic[];
}
