/** The analysis of some files of a project: one call a stage. */
import type { SpawnApiDefinition } from '../engine/contracts.ts';
import type { FileSystem } from '../io/files.ts';
import type { Analysis, ContextVariable, Directive, FileError, Mention, ScheduledWork } from '../model/index.ts';
import { byFile, byPlace } from '../model/order.ts';
import { isTestFile } from '../model/test-file.ts';
import { Memory, type ModuleScopes, push, type Source } from '../semantics/index.ts';
import type { Node } from '../syntax/index.ts';
import { Attempts } from './attempts.ts';
import { SiteBuilder } from './build.ts';
import { findCallers } from './callers.ts';
import { ContextVariables, Helpers, variableName } from './context.ts';
import { Facts } from './facts.ts';
import { type LookAt, lookAgain, lookInTurn } from './first-look.ts';
import { type FlowResult, type SpawnEvent, SpawnFlow } from './flow.ts';
import { findLastingGroups } from './groups.ts';
import { HeirSearch } from './heirs.ts';
import { importedBy } from './imported.ts';
import { grepLineCount, grepOffsets, Mentions } from './mentions.ts';
import { anyOf, Project, type ProjectOptions } from './project.ts';
import { replacingWords } from './replaced.ts';
import { entryPoints, Scheduled } from './scheduled.ts';
import { buildTable, type SpawnTable } from './table.ts';
import { Tags } from './tags.ts';
import { Targets } from './targets.ts';

export interface AnalyseOptions extends ProjectOptions {
  spawnApis: readonly SpawnApiDefinition[];
  /** Modules (dotted) to read besides, for their helpers and context variables. */
  alsoRead?: readonly string[];
  /** Where else to look for context variables, asked when no module that was read has the project id's. */
  mayDefineVariables?: () => readonly string[];
  /** How the files are looked at first; by default one after the other. */
  look?: LookAt;
  /** Files that spawn nothing are parsed for faults only where somebody reports these. */
  reported?: (file: string) => boolean;
  /** Are the files all of the project's? Else what they import may define their wrappers. */
  whole?: boolean;
  /** Only what counting the sites takes: no mentions, nothing of rewrites, and of what is started what is asked for. */
  brief?: boolean;
  /** What an earlier look found out, for a process that stays; this one leaves there what it finds. */
  memory?: Memory;
}

export interface Analysed {
  analysis: Analysis;
  /** Sources read, by relative path: the requested files and all that imports led to. */
  sourceOf(file: string): Source | null;
  moduleOf(file: string): ModuleScopes | null;
  project: Project;
  /** Files that the others import, looked at for their wrappers. */
  beyond: readonly string[];
  /** Names by which the wrappers of the files and of what they import are called. */
  wrapperNames(): ReadonlySet<string>;
  /** Lines of a requested file that grep hits. */
  grepLinesOf(file: string): number;
}

/**
 * Finds the spawn sites of `files` (relative paths), follows what they start, and explains every line that a grep for
 * `asyncio.create_task` hits in them. Never throws on any Python text; faults are in `analysis.errors`.
 */
export function analyse(fs: FileSystem, files: readonly string[], options: AnalyseOptions): Analysed {
  const { memory = new Memory(false) } = options;
  memory.begin(fs, keyOf(options));
  const first = look(fs, files, options, memory);
  if (first) return first;
  memory.forget();
  return look(fs, files, options, memory)!;
}

/** What all facts rest on, beside the files. */
function keyOf({ spawnApis, contextVariable, traceVariable, helper, importRoots, whole }: AnalyseOptions): string {
  return JSON.stringify([spawnApis, contextVariable, traceVariable, helper, importRoots, whole]);
}

/** null when something that was known before is not as it would be found now. */
function look(fs: FileSystem, files: readonly string[], options: AnalyseOptions, memory: Memory): Analysed | null {
  const table = buildTable(options.spawnApis);
  const project = new Project(fs, table, options, memory);
  const variables = new ContextVariables(project);
  const helpers = new Helpers(project, variables);
  const targets = new Targets(project, helpers);
  const requested = inOrder(files);
  const { modules, errors, flow, beyond } = scanAll(project, targets, requested, table, options);
  for (const name of options.alsoRead ?? []) if (modules[0]) project.graph.load(modules[0], 0, name);
  project.graph.searched();
  const brief = options.brief === true;
  const facts = new Facts(project, variables, brief);
  const tags = new Tags(project, variables, helpers, facts.loops);
  const builder = new SiteBuilder(project, facts, tags, new Attempts(project, variables), brief);
  const result = flow.result();
  const mine = new Set(modules);
  const imported = helpers.imported(modules);
  const sites = builder.build(result.sites.filter((e) => mine.has(e.module)));
  const beside = (): Beside => {
    const grep = grepHits(project, modules);
    return {
      forwarders: builder.build(
        result.forwards.filter((e) => e.alternatives.some((a) => a.kind === 'parameter' && a.mode === 'callable')),
      ),
      mentions: mentionsOf(project, targets, modules, result),
      entries: modules.flatMap((m) => project.ev.fact(m, m, 'entries', () => entryPoints(project, m))),
      contextVariables: contextVariables(project, options.mayDefineVariables),
      helpers: [...helpers.list(), ...imported],
      grepLines: grep.lines,
      grepHits: grep.hits,
      multiprocessMetrics: multiprocess(project),
    };
  };
  const { forwarders, mentions, entries, ...more } = brief ? NOTHING_BESIDE : beside();
  const analysis: Analysis = {
    files: [...requested],
    parsed: requested.length - errors.length,
    sites,
    forwarders,
    mentions,
    scheduled: scheduledOf(project, targets, modules, result),
    entries,
    errors,
    directives: modules.flatMap((m) => project.ev.fact(m, m, 'directives', () => directives(project, m))),
    ...more,
  };
  findLastingGroups(sites);
  if (!memory.told(project.graph.evidence)) return null;
  // last: it reads files that nothing else here should see
  findCallers(project, requested, sites);
  const source = (file: string): Source | null => project.graph.file(file)?.source ?? null;
  const counted = new Set(modules.map((m) => m.file));
  return {
    analysis,
    project,
    sourceOf: source,
    beyond,
    wrapperNames: () => new Set(flow.words().map(([name]) => name!)),
    moduleOf: (file) => project.loaded(file)?.scopes ?? null,
    grepLinesOf: (file) => (counted.has(file) ? grepLineCount(project.loaded(file)!.scopes.text) : 0),
  };
}

/** What is found beside the sites. */
type Beside = Omit<Analysis, 'files' | 'parsed' | 'sites' | 'scheduled' | 'errors' | 'directives'>;

const NOTHING_BESIDE: Beside = {
  forwarders: [],
  mentions: [],
  entries: [],
  contextVariables: [],
  helpers: [],
  grepLines: 0,
  grepHits: [],
  multiprocessMetrics: null,
};

/** Each once; the same list where it is so already: what is kept of it is kept by the list. */
function inOrder(files: readonly string[]): readonly string[] {
  if (!sets.has(files) && !files.every((file, i) => i === 0 || files[i - 1]! < file)) return [...new Set(files)].sort();
  setOf(files);
  return files;
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(files: readonly string[]): ReadonlySet<string> {
  const known = sets.get(files) ?? new Set(files);
  sets.set(files, known);
  return known;
}

interface Scan {
  modules: ModuleScopes[];
  errors: FileError[];
  flow: SpawnFlow;
  beyond: readonly string[];
}

/** From so many files on it pays to note their words: fewer are read in the time that the code takes to warm. */
const MANY = 256;

/** Reads the files that can spawn, then, as wrappers turn up, those that name one. */
function scanAll(
  project: Project,
  targets: Targets,
  files: readonly string[],
  table: SpawnTable,
  { look = lookInTurn(project.fs), reported = () => true, whole }: Pick<AnalyseOptions, 'look' | 'reported' | 'whole'>,
): Scan {
  const beyond = whole ? [] : importedBy(project.fs, project.graph, files);
  const others = new Set(beyond);
  const asked = others.size ? [...files, ...others] : files;
  const flow = new SpawnFlow(project, targets, setOf(asked));
  const { fs, memory } = project;
  const lookAt = memory.stays && fs.changes ? lookAgain(fs, memory.answers) : look;
  const sieve = asked.length < MANY ? undefined : project.sieve;
  const scan: Scan = { modules: [], errors: [], flow, beyond };
  const faults = new Map<string, FileError | null>();
  const heirs = new HeirSearch(project);
  let rest = asked;
  let words: string[][] = [...table.words, ['looptag:']];
  // what grep hits may be a part of a word; the names of wrappers are words
  let later = false;
  const known = new Set<string>();
  while (words.length && rest.length) {
    // in the same look: what has a part in something else by its classes only
    heirs.ask(flow.overridable());
    const classes = heirs.words();
    const sought = { words: [...words, ...classes.map((word) => [word])], whole: later };
    const judged = (file: string): boolean => !others.has(file) && !faults.has(file) && reported(file);
    const looked = lookAt(rest, sought, judged, sieve);
    for (const [file, error] of looked.faults) faults.set(file, error);
    heirs.look(looked.hits);
    const own = classes.length ? lookAt(looked.hits, { words, whole: later }, () => false, sieve).hits : looked.hits;
    const hits = new Set(own);
    const readAll = (more: Iterable<string>): void => {
      for (const file of more) admit(project, file, scan, !others.has(file));
      flow.settle();
    };
    readAll(hits);
    for (let more = handedOver(flow, hits); more.length; more = handedOver(flow, hits)) {
      for (const file of more) hits.add(file);
      readAll(more);
    }
    words = flow.words().filter((w) => !known.has(w.join(' ')));
    for (const w of words) known.add(w.join(' '));
    rest = rest.filter((file) => !hits.has(file));
    later = true;
  }
  heirs.ask(flow.overridable());
  heirs.read(rest);
  // what does nothing but replace functions of others names no spawn
  const replacing = replacingWords(targets, flow.events);
  const apart = rest.filter((file) => !isTestFile(file));
  if (replacing.length) for (const file of project.filesWith(apart, anyOf(replacing))) project.graph.file(file);
  flow.revisit();
  // a broken file is reported even when nothing in it could spawn
  const admitted = new Set([...scan.modules, ...scan.errors].map(({ file }) => file));
  for (const [file, error] of faults) if (error && !admitted.has(file) && !others.has(file)) scan.errors.push(error);
  scan.errors.sort(byFile);
  return scan;
}

/** Files that name no wrapper and are handed one. */
function handedOver(flow: SpawnFlow, read: ReadonlySet<string>): string[] {
  return flow
    .handedOn()
    .map(({ file }) => file)
    .filter((file) => !read.has(file));
}

/** Reads and scans one file. What one file does to the analysis never costs the others' results. */
function admit(project: Project, file: string, scan: Scan, requested: boolean): void {
  try {
    admitFile(project, file, scan, requested);
  } catch (e) {
    if (!(e instanceof RangeError)) throw e;
    if (!requested) return;
    scan.modules = scan.modules.filter((m) => m.file !== file);
    scan.errors.push({ file, line: 1, column: 1, message: 'too tangled to analyse', kind: 'unreadable' });
  }
}

function admitFile(project: Project, file: string, scan: Scan, requested: boolean): void {
  const got = project.graph.file(file);
  if (!requested) {
    if (got && 'scopes' in got) scan.flow.scan(got.scopes);
  } else if (!got) scan.errors.push({ file, line: 1, column: 1, message: 'no such file', kind: 'unreadable' });
  else if ('error' in got) scan.errors.push(got.error);
  else {
    scan.modules.push(got.scopes);
    scan.flow.scan(got.scopes);
  }
}

function grepHits(
  project: Project,
  modules: readonly ModuleScopes[],
): { lines: number; hits: { file: string; line: number }[] } {
  let lines = 0;
  const hits: { file: string; line: number }[] = [];
  for (const m of modules) {
    const own = project.ev.fact(m, m, 'grep', () => ({
      lines: grepLineCount(m.text),
      at: new Set(grepOffsets(m.text).map((at) => project.line(m, at))),
    }));
    lines += own.lines;
    for (const line of own.at) hits.push({ file: m.file, line });
  }
  return { lines, hits };
}

function mentionsOf(
  project: Project,
  targets: Targets,
  modules: readonly ModuleScopes[],
  result: FlowResult,
): Mention[] {
  const mentions = new Mentions(project, targets);
  const sites = new Set<Node>(result.sites.map((e) => e.call.node));
  const forwards = byModule(result.forwards);
  const started = byModule(result.sites);
  const all = modules.flatMap((m) => {
    const own = forwards.get(m) ?? [];
    const calls = [...own, ...(started.get(m) ?? [])].map((e) => e.call.node.start);
    return project.ev.fact(m, m, `mentions ${calls}`, () => mentions.of(m, sites, own));
  });
  return all.sort(byPlace);
}

function byModule(events: readonly SpawnEvent[]): Map<ModuleScopes, SpawnEvent[]> {
  const out = new Map<ModuleScopes, SpawnEvent[]>();
  for (const e of events) push(out, e.module, e);
  return out;
}

function scheduledOf(
  project: Project,
  targets: Targets,
  modules: readonly ModuleScopes[],
  result: FlowResult,
): ScheduledWork[] {
  const scheduled = new Scheduled(project, targets);
  const mine = new Set(modules);
  const all = result.scheduled.filter((s) => mine.has(s.module)).flatMap((s) => scheduled.of(s));
  return all.sort(byPlace);
}

/** Those of the files that were read; without one that carries the id, also those `elsewhere`. */
export function contextVariables(project: Project, elsewhere?: () => readonly string[]): ContextVariable[] {
  const found = variablesRead(project);
  const name = variableName(project.options.contextVariable);
  if (!elsewhere || found.some((v) => v.name === name)) return found;
  // nothing of the sites rests on these: all that they do is known by now
  for (const file of elsewhere()) project.graph.file(file);
  return variablesRead(project);
}

function variablesRead(project: Project): ContextVariable[] {
  const out: ContextVariable[] = [];
  // more are read meanwhile
  for (const m of project.graph.modules())
    out.push(...project.ev.fact(m, m, 'variables', () => variablesIn(project, m)));
  return out.sort(byPlace);
}

function variablesIn(project: Project, m: ModuleScopes): ContextVariable[] {
  const out: ContextVariable[] = [];
  for (const [name, list] of m.scope.bindings) {
    for (const b of list) {
      const value = b.kind === 'assign' || b.kind === 'annotated' ? b.value : null;
      if (value?.kind !== 'Call' || !project.namesOf(m, value.func).includes('contextvars.ContextVar')) continue;
      const first = value.args[0];
      const label = first?.kind === 'Constant' && first.type === 'str' ? String(first.value) : null;
      out.push({ module: m.name, name, label, file: m.file, line: project.line(m, value.start) });
    }
  }
  return out;
}

function directives(project: Project, m: ModuleScopes): Directive[] {
  const out: Directive[] = [];
  for (const c of m.tree.comments) {
    const text = m.text.slice(c.start, c.end);
    if (!text.includes('looptag:')) continue;
    out.push({ file: m.file, ...project.source(m).lines.position(c.start), text });
  }
  return out;
}

function multiprocess(project: Project): { file: string; line: number } | null {
  for (const m of project.graph.modules()) {
    const line = project.ev.fact(m, m, 'multiprocess', () => multiprocessIn(project, m));
    if (line !== null) return { file: m.file, line };
  }
  return null;
}

function multiprocessIn(project: Project, m: ModuleScopes): number | null {
  if (!m.text.includes('MultiProcessCollector')) return null;
  for (const { node } of m.calls)
    if (project.namesOf(m, node.func).some((q) => q === 'prometheus_client.multiprocess.MultiProcessCollector'))
      return project.line(m, node.start);
  return null;
}
