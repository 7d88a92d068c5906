/** One run's project: root, configuration, policy, files, analysis, catalogue. */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import type { SpawnApiDefinition } from '../engine/contracts.ts';
import { readDirectives } from '../engine/directives.ts';
import { nearest } from '../engine/nearest.ts';
import { DiskFileSystem } from '../io/disk.ts';
import type { FileSystem } from '../io/files.ts';
import { RecordedFileSystem } from '../io/recorded.ts';
import type { Catalogue, Policy, Reconciliation } from '../model/index.ts';
import { samePath } from '../model/listed-line.ts';
import {
  type Hints,
  loadPolicyParser,
  type Outlook,
  PolicyError,
  type Progress,
  policyFromJson,
  progressOf,
  readCatalogue,
  reconcile,
} from '../policy/index.ts';
import { printable } from '../report/escape.ts';
import {
  type Analysed,
  type AnalyseOptions,
  analyse,
  lookInTurn,
  type Memory,
  type Question,
  type SyntaxVerdicts,
  variableName,
} from '../sites/index.ts';
import { POLICIES } from './bundled.ts';
import { type Config, findRoot, loadConfig } from './config.ts';
import { LookPool } from './look/pool.ts';
import { SYMBOL_EXAMPLE, SYMBOL_EXPECTED, symbolIn } from './symbols.ts';
import { Trouble } from './trouble.ts';

export type { Analysed } from '../sites/index.ts';

export interface CommonOptions {
  root?: string;
  config?: string;
  catalog?: string;
  policy?: string;
  contextVar?: string;
  cache?: boolean;
  cacheDir?: string;
  jobs?: number;
}

export interface Workspace {
  root: string;
  /** The root as shown to the user. */
  shownRoot: string;
  config: Config;
  policy: Policy;
  fs: FileSystem;
  /** Absolute paths of what it was opened with: configuration and policy. */
  consulted: string[];
  /** What is known of files by their contents. */
  syntax?: SyntaxVerdicts;
  /** What earlier looks found out, in a process that stays. */
  memory?: Memory;
  /** How many threads may work. */
  jobs: number;
  /** Folder of the built files. */
  dist: URL;
}

/** More threads take more memory than they save time: what they do is a part of the work only. */
const MOST_JOBS = 4;

export async function openWorkspace(options: CommonOptions, dist: URL): Promise<Workspace> {
  if (options.root !== undefined && !statSync(options.root, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Trouble(`${options.root}: no such folder`, 'give an existing folder to --root');
  }
  if (options.contextVar !== undefined && !symbolIn(options.contextVar))
    throw new Trouble(
      `--context-var ${JSON.stringify(options.contextVar)}: ${SYMBOL_EXPECTED} is expected`,
      SYMBOL_EXAMPLE,
    );
  const root = options.root !== undefined ? resolve(options.root) : findRoot(process.cwd());
  const config = await loadConfig(root, options.config ?? null);
  const fs = new DiskFileSystem(root, config.exclude);
  const given = options.policy ?? process.env.LOOPTAG_POLICY ?? null;
  const name = given ?? config.policy ?? 'awoooi';
  const loaded = await loadPolicy(name, given !== null, fs, dist);
  const variable = options.contextVar ?? config.contextVar;
  const policy = variable === null ? loaded : { ...loaded, contextVariable: variableName(variable) };
  return {
    root,
    shownRoot: relative(process.cwd(), root) || '.',
    config,
    policy,
    fs,
    jobs: options.jobs ?? Math.min(availableParallelism(), MOST_JOBS),
    dist,
    consulted: [...(config.file ? [config.file] : []), ...policyFiles(name, root, dist)],
  };
}

/** Where a policy of this name may lie. */
function policyFiles(name: string, root: string, dist: URL): string[] {
  if (POLICIES.includes(name)) return [fileURLToPath(new URL(`./policies/${name}.json`, dist))];
  return [resolve(root, name), resolve(name)];
}

/** A policy named by the user may be any file; one that the project's configuration names stays inside the project. */
async function loadPolicy(name: string, isGiven: boolean, fs: FileSystem, dist: URL): Promise<Policy> {
  if (POLICIES.includes(name)) {
    const url = new URL(`./policies/${name}.json`, dist);
    return policyFromJson(JSON.parse(readFileSync(url, 'utf8')), `rules/policies/${name}.yaml`);
  }
  const text = isGiven ? userText(...policyFiles(name, fs.root, dist)) : projectText(fs, name);
  if (text === null) {
    const near = nearest(name, POLICIES);
    throw new Trouble(
      `there is no policy ${JSON.stringify(name)}`,
      near ? `did you mean "${near}"?` : `bundled: ${POLICIES.join(', ')}; or give a file`,
    );
  }
  const { parsePolicy } = await loadPolicyParser();
  try {
    return parsePolicy(text, name);
  } catch (e) {
    if (e instanceof PolicyError) throw new Trouble(e.message);
    throw e;
  }
}

function projectText(fs: FileSystem, file: string): string | null {
  try {
    const bytes = fs.read(file);
    return bytes ? new TextDecoder().decode(bytes) : null;
  } catch (e) {
    throw new Trouble((e as Error).message);
  }
}

function userText(...paths: string[]): string | null {
  for (const path of paths) if (statSync(path, { throwIfNoEntry: false })?.isFile()) return readFileSync(path, 'utf8');
  return null;
}

/** A path given by the user, relative to the root. */
export function insideRoot(w: Workspace, path: string): string {
  // a path is meant from where the user stands; from the root where that names nothing
  const here = resolve(path);
  const full = statOf(here, path) || isAbsolute(path) ? here : resolve(w.root, path);
  const inside = relative(w.root, full);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new Trouble(`${path}: outside the root ${w.shownRoot}`, 'choose another --root');
  return inside.split(sep).join('/');
}

/** Lists of all files of a project. */
const complete = new WeakSet<readonly string[]>();

/** Python files below the given paths (default: the configured ones, else the whole root). */
export function pythonFiles(w: Workspace, paths: readonly string[]): string[] {
  const given = paths.length ? paths : w.config.paths.length ? w.config.paths.map((p) => resolve(w.root, p)) : [w.root];
  const all: string[] = [];
  for (const path of given) {
    const inside = insideRoot(w, path);
    const stat = statOf(resolve(w.root, inside), path);
    if (!stat)
      throw new Trouble(
        `${printable(paths.length ? path : inside)}: no such file or folder`,
        paths.length
          ? 'check the path; it is meant from the current folder, or from the root'
          : 'correct paths in the configuration; they are relative to the root',
      );
    if (stat.isFile() && !/\.pyi?$/.test(inside) && !isPythonScript(w, inside))
      throw new Trouble(`${printable(path)}: not a Python file`, 'give a .py file or a folder that holds some');
    all.push(inside === '' ? '.' : inside);
  }
  const files = w.fs.listPython(all);
  if (!files.length)
    throw new Trouble(
      `${given.map((p) => relative(process.cwd(), p) || '.').join(', ')}: no Python files`,
      'give a .py file or a folder that holds some',
    );
  if (all.includes('.')) complete.add(files);
  return files;
}

function isPythonScript(w: Workspace, file: string): boolean {
  try {
    const bytes = w.fs.read(file);
    return bytes !== null && /^#!.*python/.test(Buffer.from(bytes).toString('latin1', 0, 80));
  } catch {
    return false;
  }
}

function statOf(path: string, shown: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (e) {
    throw new Trouble(
      `${printable(shown)}: cannot be looked at (${(e as NodeJS.ErrnoException).code})`,
      'check the path and its permissions',
    );
  }
}

export function analyseFiles(
  w: Workspace,
  files: readonly string[],
  contextVar?: string,
  fs: FileSystem = w.fs,
  more: Pick<AnalyseOptions, 'alsoRead' | 'brief' | 'mayDefineVariables' | 'memory' | 'reported' | 'whole'> = {},
): Analysed {
  const own = fs === w.fs;
  const pool = own ? poolOf(w) : null;
  const options: AnalyseOptions = {
    look: pool?.look ?? lookInTurn(fs, own ? w.syntax : undefined),
    whole: complete.has(files),
    memory: own && !more.alsoRead && !more.mayDefineVariables ? w.memory : undefined,
    ...more,
    spawnApis: [...spawnApis, ...ownApis(w.config)],
    contextVariable: contextVar ?? w.config.contextVar ?? w.policy.contextVariable,
    traceVariable: w.policy.traceVariable,
    helper: w.policy.helper,
    importRoots: w.config.importRoots,
  };
  try {
    return analyse(fs, files, options);
  } finally {
    pool?.close();
  }
}

/** Threads that help to look at files; null where one does it as fast, or where files are not on disk. */
function poolOf({ fs, jobs, dist, config, syntax }: Workspace): LookPool | null {
  const onDisk = fs instanceof DiskFileSystem || fs instanceof RecordedFileSystem;
  if (jobs === 1 || !onDisk || syntax?.isKnown) return null;
  return new LookPool(fs, { jobs, helper: new URL('./looker.js', dist), excluded: config.exclude, syntax });
}

function ownApis(config: Config): SpawnApiDefinition[] {
  const rows = config.spawnApis.map((a) => ({
    callee: a.callee,
    api: a.callee,
    takes: a.takes,
    argument: { position: a.argument, keyword: a.keyword },
  }));
  return rows.length ? [{ library: 'project', rows }] : [];
}

/**
 * A file of the project that is no Python; null when there is no such regular file.
 * @throws Trouble when it cannot be read.
 */
export function readProjectFile(w: Workspace, file: string): Uint8Array | null {
  try {
    return w.fs.read(file);
  } catch (e) {
    throw new Trouble(`${printable((e as Error).message)}`, 'check its permissions');
  }
}

/** The catalogue named by the user or the configuration; null when there is none. */
export function loadCatalogue(w: Workspace, given: string | undefined): Catalogue | null {
  const name = given ?? w.config.catalog;
  if (!name) return null;
  const file = given ? insideRoot(w, given) : name;
  const bytes = readProjectFile(w, file);
  if (!bytes)
    throw new Trouble(
      `${printable(name)}: no such catalogue`,
      given
        ? 'give the Markdown file to --catalog'
        : 'correct catalog in the configuration; `looptag catalog init --write` writes a new one there',
    );
  return readCatalogue(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), file, w.policy);
}

/** The same; unreadable rows stop the run. */
export function readableCatalogue(w: Workspace, given: string | undefined): Catalogue | null {
  const catalogue = loadCatalogue(w, given);
  if (!catalogue?.problems.length) return catalogue;
  throw new Trouble(
    catalogue.problems.map((p) => `${catalogue.file}:${p.line}:${p.column}: ${p.message}\n  ${p.remedy}`).join('\n'),
  );
}

export function reconcileWith(w: Workspace, analysed: Analysed, catalogue: Catalogue | null): Reconciliation {
  return reconcile(analysed.analysis, catalogue, w.policy, hintsOf(analysed), outlookOf(w, analysed));
}

/** The project's files are listed once, and only for a name that is no path from the root or that is looked for in all. */
function outlookOf({ fs }: Workspace, { project }: Analysed): Outlook {
  let listed: readonly string[] | null = null;
  const all = () => {
    listed ??= fs.listPython(['.']);
    return listed;
  };
  return {
    isThere: (named) => fs.exists(named) || all().some((file) => samePath(file, named)),
    isDefined: (name) => {
      if (!/^[\p{L}\p{N}_]+$/u.test(name)) return false;
      const words = [['def', name]];
      const definition = new RegExp(`(?<![\\p{L}\\p{N}_])def\\s+${name}\\s*[[(]`, 'u');
      const question: Question = {
        id: `definition of ${name}`,
        may: (file, sieve) => sieve.mayHold(file, words),
        is: (bytes) => definition.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()),
      };
      return project.filesWith(all(), question).length > 0;
    },
  };
}

/** What a burn-down counts, of an analysis that may be brief. */
export function progressWith(w: Workspace, analysed: Analysed, catalogue: Catalogue | null): Progress {
  return progressOf(analysed.analysis, catalogue, w.policy, hintsOf(analysed));
}

/** Hints in comments, by the line of the code that each speaks of. */
function hintsOf(analysed: Analysed): Hints {
  const directives = analysed.analysis.directives ?? [];
  if (!directives.length) return new Map();
  return readDirectives(directives, { rules: [], today: '', sourceOf: (file) => analysed.sourceOf(file)?.text ?? null })
    .hints;
}
