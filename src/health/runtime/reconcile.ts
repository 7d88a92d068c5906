import { tail } from '../../model/identifier.ts';
import type { Decision, Entry, EntryPoint } from '../../model/index.ts';
import type { RuntimeLoop, RuntimeReport, RuntimeStatus, RuntimeTask, UnknownTask } from './model.ts';
import { readDump } from './read-dump.ts';

interface RuntimeOptions {
  /** Where the program starts (`Analysis.entries`): their tasks need no catalogue. */
  entries?: readonly EntryPoint[];
  /** Rows whose loop the code no longer has: they are reported as never started. */
  stale?: readonly Entry[];
}

/**
 * Static inventory against a task dump: which catalogued loops never started, which run without their project id, and
 * which tasks the analysis did not know.
 */
export function reconcileRuntime(
  dump: string | readonly string[],
  decisions: readonly Decision[],
  options: RuntimeOptions = {},
): RuntimeReport {
  const { kind, tasks, diagnostics } = readDump(dump);
  const claimed = new Set<RuntimeTask>();
  const loops = decisions.flatMap((decision) => {
    if (decision.target === null) return [];
    const own = tasks.filter((task) => isTaskOf(task, decision, decisions));
    for (const task of own) claimed.add(task);
    return [loopOf(decision, own)];
  });
  loops.push(...(options.stale ?? []).flatMap(goneLoop));
  const rest = tasks.filter((task) => !claimed.has(task)).map((task) => ({ ...task, origin: originOf(task, options) }));
  return {
    kind,
    taskCount: tasks.length,
    loops,
    neverStarted: loops.filter((l) => l.status === 'never-started'),
    untagged: loops.filter((l) => l.status === 'untagged'),
    wrongTag: loops.filter((l) => l.status === 'wrong-tag'),
    unknown: rest.filter((task) => task.origin === 'project'),
    others: rest.filter((task) => task.origin !== 'project'),
    diagnostics,
  };
}

/** The names that a task may be known by, the likeliest first: a stack shows wrappers before what they wrap. */
function namesOf(task: RuntimeTask): string[] {
  return (task.stack.length > 0 ? task.stack : [task.qualname]).map(tail);
}

function isTaskOf(task: RuntimeTask, decision: Decision, all: readonly Decision[]): boolean {
  const target = decision.target!;
  const wanted = tail(target.name);
  const known = (name: string) => all.some((d) => d.target !== null && tail(d.target.name) === name);
  if (namesOf(task).find(known) !== wanted) return false;
  if (task.file === null || target.file === null) return true;
  const own = sharedSegments(task.file, target.file);
  const best = Math.max(
    ...all.map((d) =>
      d.target?.file && tail(d.target.name) === wanted ? sharedSegments(task.file!, d.target.file) : 0,
    ),
  );
  return own > 0 && own === best;
}

/** How many trailing parts two paths share: a service seldom runs where it was analysed. */
function sharedSegments(a: string, b: string): number {
  const [x, y] = [a, b].map((path) => path.replaceAll('\\', '/').split('/').reverse());
  let count = 0;
  while (count < x!.length && count < y!.length && x![count] === y![count]) count += 1;
  return count;
}

function loopOf(decision: Decision, tasks: RuntimeTask[]): RuntimeLoop {
  return {
    number: decision.entry?.number ?? null,
    functionName: decision.target!.name,
    site: decision.site.id,
    file: decision.site.range.file,
    line: decision.site.range.line,
    expected: decision.projectId,
    status: statusOf(decision, tasks),
    seen: [...new Set(tasks.filter((t) => t.projectKnown).map((t) => t.projectId))],
    tasks,
  };
}

function statusOf(decision: Decision, tasks: readonly RuntimeTask[]): RuntimeStatus {
  if (tasks.length === 0) {
    const once = decision.target!.facts.lifecycle === 'one-shot' || decision.entry?.frequency.kind === 'once';
    const optional = decision.entry === null && decision.site.shape.path === 'request';
    return once || optional ? 'not-running' : 'never-started';
  }
  const known = tasks.filter((task) => task.projectKnown);
  // One untagged worker among tagged ones is what somebody has to know.
  if (decision.required && known.some((task) => task.projectId === null)) return 'untagged';
  const wrong = (task: RuntimeTask) => task.projectId !== null && task.projectId !== decision.projectId;
  if (decision.projectId !== null && known.some(wrong)) return 'wrong-tag';
  if (known.some((task) => task.projectId !== null)) return 'tagged';
  return decision.required ? 'tag-unknown' : 'running';
}

function goneLoop(entry: Entry): RuntimeLoop[] {
  if (entry.name === null || entry.frequency.kind === 'once') return [];
  const place = { site: '', file: '', line: entry.line ?? 0 };
  const rest = { expected: null, status: 'never-started' as const, seen: [], tasks: [] };
  return [{ number: entry.number, functionName: entry.name, ...place, ...rest }];
}

function originOf(task: RuntimeTask, options: RuntimeOptions): UnknownTask['origin'] {
  const entries = (options.entries ?? []).flatMap((e) =>
    e.target === null ? [] : [tail(e.target.replace(/\(.*$/s, ''))],
  );
  if (namesOf(task).some((name) => entries.includes(name))) return 'entry';
  const file = task.file?.replaceAll('\\', '/') ?? '';
  return /\/(site|dist)-packages\/|\/lib\/python3[^/]*\/|^<frozen/.test(file) ? 'library' : 'project';
}
