/** The files of a commit, read from git's objects: nothing is checked out. */
import type { FileSystem } from './files.ts';
import type { Git } from './git.ts';
import type { Blobs } from './git-blobs.ts';

/** One commit of a line of history. */
export interface CommitInfo {
  id: string;
  tree: string;
  /** Committer date, ISO 8601. */
  date: string;
}

/** Regular files only: no links, no submodules. */
const REGULAR = /^100/;
const NOTHING = /^0+$/;

/** Commits reachable from a revision by first parents, oldest first. */
export async function firstParents(git: Git, revision: string, max: number | null): Promise<CommitInfo[]> {
  const limit = max === null ? [] : [`--max-count=${max}`];
  const got = await git.output([
    'rev-list',
    '--first-parent',
    ...limit,
    '--format=%T %cI',
    '--end-of-options',
    revision,
  ]);
  const lines = got.trimEnd().split('\n');
  const commits: CommitInfo[] = [];
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const id = lines[i]!.replace(/^commit /, '');
    const [tree = '', date = ''] = lines[i + 1]!.split(' ');
    commits.push({ id, tree, date });
  }
  return commits.reverse();
}

/** What changed from one commit to the next: blob id by path below the root; null: no longer there. */
export type TreeChange = Map<string, string | null>;

/**
 * For each commit what differs from the one before it; the first one is given whole. Two git processes in all.
 *
 * @param prefix folder of the root inside the work tree
 */
export async function treeChanges(git: Git, commits: readonly CommitInfo[], prefix: string): Promise<TreeChange[]> {
  const [first] = commits;
  if (!first) return [];
  const pairs = commits.slice(1).map((c, i) => `${commits[i]!.tree} ${c.tree}\n`);
  const [listing, raw] = await Promise.all([
    git.output(['ls-tree', '-r', '-z', '--full-tree', first.tree]),
    git.output(['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--no-abbrev'], pairs.join('')),
  ]);
  return [readListing(listing, prefix), ...readRaw(raw, commits, prefix)];
}

function readListing(out: string, prefix: string): TreeChange {
  const change: TreeChange = new Map();
  for (const record of out.split('\0')) {
    const [head = '', path = ''] = record.split('\t');
    const [mode = '', , id = ''] = head.split(' ');
    if (REGULAR.test(mode) && path.startsWith(prefix)) change.set(path.slice(prefix.length), id);
  }
  return change;
}

/** Records of `diff-tree -z`: a pair of trees, then for each path `:mode mode id id status` and the path. */
function readRaw(out: string, commits: readonly CommitInfo[], prefix: string): TreeChange[] {
  const changes = commits.slice(1).map((): TreeChange => new Map());
  // equal trees have no record of their own
  const pairs = new Map<string, TreeChange[]>();
  commits.slice(1).forEach((c, i) => {
    const key = `${commits[i]!.tree} ${c.tree}`;
    pairs.set(key, [...(pairs.get(key) ?? []), changes[i]!]);
  });
  const records = out.split('\0');
  let current: TreeChange[] = [];
  for (let i = 0; i < records.length; i++) {
    // a pair stands on a line of its own before its first path
    const lines = records[i]!.split('\n').filter(Boolean);
    const record = lines.pop();
    if (!record?.startsWith(':')) continue;
    if (lines.length) current = pairs.get(lines.at(-1)!) ?? [];
    const [, mode = '', , id = ''] = record.slice(1).split(' ');
    const path = records[++i] ?? '';
    if (!path.startsWith(prefix)) continue;
    const value = REGULAR.test(mode) && !NOTHING.test(id) ? id : null;
    for (const change of current) change.set(path.slice(prefix.length), value);
  }
  return changes;
}

/** The files of one commit; moved from commit to commit by `apply`. Notes what it was asked for. */
export class TreeFileSystem implements FileSystem {
  readonly keepsBytes = true;
  private readonly files = new Map<string, string>();
  /** How many files each folder holds, at any depth. */
  private readonly folders = new Map<string, number>();
  /** How many files have each content. */
  private readonly holders = new Map<string, number>();
  /** Grows when a file comes or goes. */
  private listing = 0;
  /** What was asked: blob id or null for a read, presence for a question, the state of the listing for a list. */
  private readonly asked = new Map<string, string | number | boolean | null>();
  /** Files that came, went or changed since the first question. */
  private readonly touched = new Set<string>();

  constructor(
    readonly root: string,
    private readonly blobs: Blobs,
    private readonly excluded: readonly string[] = [],
  ) {}

  /** Moves on; contents that no file has any longer are forgotten. */
  apply(change: TreeChange): void {
    const gone: string[] = [];
    for (const [path, id] of change) {
      this.touched.add(path);
      const before = this.files.get(path);
      if (id === null) this.files.delete(path);
      else {
        this.files.set(path, id);
        this.holders.set(id, (this.holders.get(id) ?? 0) + 1);
      }
      if (before !== undefined) {
        this.holders.set(before, this.holders.get(before)! - 1);
        gone.push(before);
      }
      if ((before !== undefined) !== (id !== null)) this.count(path, id === null ? -1 : 1);
    }
    for (const id of gone) {
      if (this.holders.get(id)) continue;
      this.holders.delete(id);
      this.blobs.forget(id);
    }
  }

  private count(path: string, by: number): void {
    this.listing += 1;
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      this.folders.set(folder, (this.folders.get(folder) ?? 0) + by);
    }
  }

  idOf(file: string): string | null {
    return this.files.get(file) ?? null;
  }

  /** Content by blob id, without taking note of it. */
  bytes(id: string): Uint8Array | null {
    return this.blobs.get(id);
  }

  /** Forgets what was asked. */
  forget(): void {
    this.asked.clear();
    this.touched.clear();
    this.questions = null;
  }

  /** Would all that was asked be answered alike, the content of one file aside? Not when nothing was. */
  unchanged(except: string | null = null): boolean {
    if (this.asked.size === 0) return false;
    for (const key of this.inQuestion())
      if (key !== `=${except}` && this.answer(key) !== this.asked.get(key)) return false;
    return except === null || (this.idOf(except) === null) === (this.asked.get(`=${except}`) === null);
  }

  /** Of what was asked, what may be answered otherwise now. */
  private inQuestion(): readonly string[] {
    const known = this.questions;
    if (known?.asked === this.asked.size && known.touched === this.touched.size) return known.keys;
    let keys: string[];
    if (this.touched.size > this.asked.size) keys = [...this.asked.keys()];
    else {
      const all = new Set(['*']);
      for (const path of this.touched) {
        all.add(`=${path}`).add(`?${path}`);
        for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
          all.add(`?${path.slice(0, at)}`);
      }
      keys = [...all].filter((key) => this.asked.has(key));
    }
    this.questions = { asked: this.asked.size, touched: this.touched.size, keys };
    return keys;
  }
  private questions: { asked: number; touched: number; keys: readonly string[] } | null = null;

  private answer(key: string): string | number | boolean | null {
    if (key === '*') return this.listing;
    return key.startsWith('?') ? this.present(key.slice(1)) : this.idOf(key.slice(1));
  }

  read(file: string): Uint8Array | null {
    const id = this.idOf(file);
    this.asked.set(`=${file}`, id);
    return id === null ? null : this.blobs.get(id);
  }

  exists(file: string): boolean {
    const there = this.present(file);
    this.asked.set(`?${file}`, there);
    return there;
  }

  private present(file: string): boolean {
    return this.files.has(file) || (this.folders.get(file) ?? 0) > 0;
  }

  listPython(paths: readonly string[]): string[] {
    if (paths.some((p) => !p.endsWith('.py'))) this.asked.set('*', this.listing);
    else for (const p of paths) this.asked.set(`=${p}`, this.idOf(p));
    const below = (file: string, path: string) =>
      path === '.' || path === '' || file === path || file.startsWith(`${path}/`);
    const all = [...this.files.keys()].filter((f) => paths.some((p) => f === p || (f.endsWith('.py') && below(f, p))));
    return all.filter((f) => !this.excluded.some((x) => below(f, x))).sort();
  }
}
