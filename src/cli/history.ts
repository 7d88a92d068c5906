/** The burn-down over the commits of the project, measured from git's objects. */

import type { Git, Head } from '../io/git.ts';
import { Blobs } from '../io/git-blobs.ts';
import { type CommitInfo, firstParents, type TreeChange, TreeFileSystem, treeChanges } from '../io/git-tree.ts';
import type { Catalogue } from '../model/index.ts';
import { type Progress, readCatalogue } from '../policy/index.ts';
import type { Forecast, HistoryPoint } from '../report/status/index.ts';
import { Memory } from '../sites/index.ts';
import type { Run } from './define.ts';
import { Slices } from './history-slices.ts';
import type { OpenProject } from './project.ts';
import { measureTotals } from './status.ts';
import { Trouble } from './trouble.ts';
import { analyseFiles, progressWith } from './workspace.ts';

export interface HistoryOptions {
  max?: number;
  contextVar?: string;
}

const WEEK = 7 * 86_400_000;

/** The commits of a root, listed by git while other work goes on. */
export interface Line {
  git: Git;
  head: Head | null;
  commits: Promise<CommitInfo[]>;
  changes: Promise<TreeChange[]>;
}

export function lineOf(git: Git, head: Head | null, max: number | undefined): Line {
  const commits = head?.commit ? firstParents(git, head.commit, max ?? null) : Promise.resolve([]);
  return { git, head, commits, changes: commits.then((list) => treeChanges(git, list, head?.prefix ?? '')) };
}

const ASK_WITHOUT = '`looptag status` without --history tells how things stand now';

/** @throws Trouble when the root is no repository, or has no commit yet. */
export async function burnDown(
  project: OpenProject,
  { git, head, commits, changes }: Line,
  options: HistoryOptions,
  run: Run,
): Promise<{ history: HistoryPoint[]; forecast: Forecast | null }> {
  const { w } = project;
  if (!head) throw new Trouble(`--history: ${w.shownRoot} is not in a git repository`, ASK_WITHOUT);
  if (!head.commit) throw new Trouble('--history: there is no commit yet', ASK_WITHOUT);
  const walk = new Walk(project, options, git);
  const history = await walk.points(await commits, await changes);
  if (walk.unreadable.length > 0) {
    const few = walk.unreadable.slice(0, 3).map((id) => id.slice(0, 9));
    const more = walk.unreadable.length > few.length ? ', …' : '';
    run.streams.err(
      `--history: ${walk.unreadable.length} commits left out, not every file parses: ${few.join(', ')}${more}\n`,
    );
  }
  return { history, forecast: forecastOf(history) };
}

/** Numbers of one commit; null before there was anything to count. */
type Measured = Progress | 'unreadable' | null;

/** Goes from commit to commit and measures anew only what may have changed. */
class Walk {
  readonly unreadable: string[] = [];
  private readonly blobs: Blobs;
  private readonly fs: TreeFileSystem;
  private slices: Slices | null = null;
  private last: Measured = null;
  private readonly memory = new Memory();
  /** Every version that differs is measured as `status` measures: what tests compare with. */
  private readonly whole = process.env.LOOPTAG_HISTORY === 'whole';
  /** The latest content of the catalogue that was read. */
  private read: { bytes: Uint8Array; catalogue: Catalogue } | null = null;

  constructor(
    private readonly project: OpenProject,
    private readonly options: HistoryOptions,
    git: Git,
  ) {
    this.blobs = new Blobs(git);
    this.fs = new TreeFileSystem(project.w.root, this.blobs, project.w.config.exclude);
  }

  async points(commits: readonly CommitInfo[], changes: readonly TreeChange[]): Promise<HistoryPoint[]> {
    const points: HistoryPoint[] = [];
    if (!this.whole) this.slices = this.slicesOf(changes);
    const wanted = this.wanted();
    const ids = changes.map((c) => [...c].flatMap(([path, id]) => (id && wanted(path) ? [id] : [])));
    this.blobs.announce(ids.flat());
    for (const [i, commit] of commits.entries()) {
      await this.blobs.arrive(ids[i]!.length);
      this.fs.apply(changes[i]!);
      const totals = this.measure();
      if (totals === 'unreadable') this.unreadable.push(commit.id);
      if (!totals || totals === 'unreadable') continue;
      const { untagged, legacy, loops } = totals;
      points.push({ commit: commit.id, date: commit.date, untagged, legacy, total: loops });
    }
    return points;
  }

  /** Of the file that is counted alone, or that changes most among those with a part in today's numbers. */
  private slicesOf(changes: readonly TreeChange[]): Slices | null {
    const { analysed, scope } = this.project;
    const [first, ...others] = scope;
    if (first?.endsWith('.py') && !others.length) return new Slices(first, true);
    const times = new Map<string, number>();
    for (const change of changes.slice(1))
      for (const path of change.keys()) if (analysed.moduleOf(path)) times.set(path, (times.get(path) ?? 0) + 1);
    const [most] = [...times].sort(([, a], [, b]) => b - a);
    return most ? new Slices(most[0], false) : null;
  }

  /** What the analysis of today reads; whatever else a commit needs is fetched when it is asked for. */
  private wanted(): (path: string) => boolean {
    const { analysed, catalogue, scope } = this.project;
    const files = new Set([...analysed.beyond, ...[...analysed.project.graph.modules()].map((m) => m.file)]);
    if (catalogue) files.add(catalogue.file);
    const folders = scope.filter((s) => !s.endsWith('.py'));
    const inScope = (path: string) => folders.some((f) => f === '.' || path.startsWith(`${f}/`));
    return (path) => files.has(path) || scope.includes(path) || (path.endsWith('.py') && inScope(path));
  }

  private measure(): Measured {
    if (this.fs.unchanged()) return this.last;
    const { scope } = this.project;
    const files = this.fs.listPython(scope);
    const key = this.slices?.key(this.fs) ?? null;
    const known = key === null ? undefined : this.slices?.known(key);
    if (known) return this.keep(known);
    // what was asked for a number that is still in use must go on being watched
    if (!this.slices) this.fs.forget();
    // before the first of them was written there is nothing to count
    if (this.fs.listPython(scope).length === 0) return this.keep(null);
    const totals = this.analyse(files);
    if (totals !== 'unreadable' && key !== null) this.slices?.remember(this.fs, totals);
    return this.keep(totals);
  }

  private analyse(files: readonly string[]): Progress | 'unreadable' {
    const { w, scope } = this.project;
    const more = { whole: scope.includes('.'), brief: !this.whole, memory: this.memory };
    const analysed = analyseFiles(w, files, this.options.contextVar, this.fs, more);
    if (analysed.analysis.errors.length > 0) return 'unreadable';
    const catalogue = this.catalogue();
    if (this.whole) {
      const { loops, untagged, legacy } = measureTotals(w, analysed, catalogue);
      return { loops, untagged, legacy, byLine: true };
    }
    const progress = progressWith(w, analysed, catalogue);
    this.slices?.learn(analysed, progress.byLine);
    return progress;
  }

  private keep(totals: Measured): Measured {
    this.last = totals;
    return totals;
  }

  /** As it stood at the commit; null before it was written. */
  private catalogue(): OpenProject['catalogue'] {
    const file = this.project.catalogue?.file;
    const bytes = file === undefined ? null : this.fs.read(file);
    if (file === undefined || !bytes) return null;
    if (this.read?.bytes !== bytes) {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      this.read = { bytes, catalogue: readCatalogue(text, file) };
    }
    return this.read.catalogue;
  }
}

/** What is left on the road to zero. */
const left = (p: HistoryPoint): number => Math.max(p.untagged, p.legacy);

/** The pace from the last time that most was left until the last commit, carried on. */
export function forecastOf(history: readonly HistoryPoint[]): Forecast | null {
  const last = history.at(-1);
  if (!last) return null;
  const most = Math.max(...history.map(left));
  const start = history.findLast((p) => left(p) === most)!;
  const weeks = (Date.parse(last.date) - Date.parse(start.date)) / WEEK;
  const done = most - left(last);
  const perWeek = weeks > 0 ? done / weeks : null;
  if (left(last) === 0) {
    const open = history.findLastIndex((p) => left(p) > 0);
    return { date: day(Date.parse(history[open + 1]!.date)), perWeek };
  }
  if (!perWeek || perWeek <= 0) return { date: null, perWeek };
  return { date: day(Date.parse(last.date) + (left(last) / perWeek) * WEEK), perWeek };
}

/** An ISO date; null when it lies beyond what a date can hold. */
function day(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 ? null : date.toISOString().slice(0, 10);
}
