/** The burn-down over the commits of the project, measured from git's objects. */

import { Git } from '../io/git.ts';
import { Blobs, type CommitInfo, firstParents, type TreeChange, TreeFileSystem, treeChanges } from '../io/git-tree.ts';
import type { Status } from '../model/index.ts';
import { readCatalogue, statusReport } from '../policy/index.ts';
import type { Forecast, HistoryPoint } from '../report/status/index.ts';
import type { Run } from './define.ts';
import { Slices } from './history-slices.ts';
import type { OpenProject } from './project.ts';
import { Trouble } from './trouble.ts';
import { analyseFiles, reconcileWith } from './workspace.ts';

export interface HistoryOptions {
  max?: number;
  contextVar?: string;
}

/** Commits whose files are fetched from git together. */
const WINDOW = 250;
const WEEK = 7 * 86_400_000;

/** @throws Trouble when the root is no repository, or has no commit yet. */
export function burnDown(
  project: OpenProject,
  options: HistoryOptions,
  run: Run,
): { history: HistoryPoint[]; forecast: Forecast | null } {
  const { w } = project;
  const git = new Git(w.root);
  if (!git.isRepository()) throw new Trouble(`--history: ${w.shownRoot} is not in a git repository`);
  if (!git.commit('HEAD')) throw new Trouble('--history: there is no commit yet');
  const commits = firstParents(git, 'HEAD', options.max ?? null);
  const walk = new Walk(project, options, git);
  const history = walk.points(commits, treeChanges(git, commits));
  if (walk.unreadable.length > 0) {
    const few = walk.unreadable.slice(0, 3).map((id) => id.slice(0, 9));
    const more = walk.unreadable.length > few.length ? ', …' : '';
    run.streams.err(
      `--history: ${walk.unreadable.length} commits left out, not every file parses: ${few.join(', ')}${more}\n`,
    );
  }
  return { history, forecast: forecastOf(history) };
}

/** Goes from commit to commit and measures anew only what may have changed. */
class Walk {
  readonly unreadable: string[] = [];
  private readonly blobs: Blobs;
  private readonly fs: TreeFileSystem;
  private readonly slices: Slices | null;
  private last: Status['totals'] | null = null;

  constructor(
    private readonly project: OpenProject,
    private readonly options: HistoryOptions,
    git: Git,
  ) {
    this.blobs = new Blobs(git);
    this.fs = new TreeFileSystem(project.w.root, this.blobs, project.w.config.exclude);
    const [file, ...others] = project.scope;
    const whole = process.env.LOOPTAG_HISTORY === 'whole';
    this.slices = file?.endsWith('.py') && !others.length && !whole ? new Slices(file) : null;
  }

  points(commits: readonly CommitInfo[], changes: readonly TreeChange[]): HistoryPoint[] {
    const points: HistoryPoint[] = [];
    const wanted = this.wanted();
    for (const [i, commit] of commits.entries()) {
      if (i % WINDOW === 0) this.prefetch(changes.slice(i, i + WINDOW), wanted);
      this.fs.apply(changes[i]!);
      const totals = this.measure(commit);
      if (!totals) continue;
      const { untagged, legacy, loops } = totals;
      points.push({ commit: commit.id, date: commit.date, untagged, legacy, total: loops });
    }
    return points;
  }

  /** What the analysis of today reads; whatever else a commit needs is fetched when it is asked for. */
  private wanted(): (path: string) => boolean {
    const { analysed, catalogue, scope } = this.project;
    const files = new Set([...analysed.project.graph.modules()].map((m) => m.file));
    if (catalogue) files.add(catalogue.file);
    const folders = scope.filter((s) => !s.endsWith('.py'));
    const inScope = (path: string) => folders.some((f) => f === '.' || path.startsWith(`${f}/`));
    return (path) => files.has(path) || scope.includes(path) || (path.endsWith('.py') && inScope(path));
  }

  private prefetch(changes: readonly TreeChange[], wanted: (path: string) => boolean): void {
    this.blobs.retain(this.fs.ids());
    this.blobs.fetch(changes.flatMap((c) => [...c].flatMap(([path, id]) => (id && wanted(path) ? [id] : []))));
  }

  private measure(commit: CommitInfo): Status['totals'] | null {
    if (this.fs.asked.size > 0 && this.fs.unchanged()) return this.last;
    const { scope } = this.project;
    const files = this.fs.listPython(scope);
    const key = this.slices?.key(this.fs) ?? null;
    const known = key === null ? undefined : this.slices?.known(key);
    if (known) return this.keep(known);
    this.fs.asked.clear();
    // before the first of them was written there is nothing to count
    if (this.fs.listPython(scope).length === 0) return this.keep(null);
    const totals = this.analyse(files, commit);
    if (totals && key !== null) this.slices?.remember(this.fs, totals);
    return this.keep(totals);
  }

  private analyse(files: readonly string[], commit: CommitInfo): Status['totals'] | null {
    const { w } = this.project;
    const analysed = analyseFiles(w, files, this.options.contextVar, this.fs);
    if (analysed.analysis.errors.length > 0) {
      this.unreadable.push(commit.id);
      return null;
    }
    const catalogue = this.catalogue();
    const reconciliation = reconcileWith(w, analysed, catalogue);
    this.slices?.learn(analysed, reconciliation);
    const context = { labelHits: [], logging: null, alertTested: null };
    return statusReport(analysed.analysis, reconciliation, catalogue, w.policy, context).totals;
  }

  private keep(totals: Status['totals'] | null): Status['totals'] | null {
    this.last = totals;
    return totals;
  }

  /** As it stood at the commit; null before it was written. */
  private catalogue(): OpenProject['catalogue'] {
    const file = this.project.catalogue?.file;
    const bytes = file === undefined ? null : this.fs.read(file);
    if (file === undefined || !bytes) return null;
    return readCatalogue(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), file);
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
