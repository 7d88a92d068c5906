import { tail } from '../../model/identifier.ts';
import type { Analysis, Catalogue, Entry, SpawnSite } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { editDistance } from '../policy/shape.ts';
import { type Candidate, candidatesOf, type Hints, hintOf, isBackground, rangeDistance } from './candidates.ts';
import { dynamicSpawns, isComplete, type Outlook, unseenIn } from './unseen.ts';

interface Matching {
  candidates: Candidate[];
  /** Rows without a name, and what fills each. */
  undecided: { entry: Entry; candidate: Candidate | null }[];
  stale: Entry[];
  /** Rows whose loop is not among the spawns, and may be in the code. */
  unseen: Entry[];
  /** Of these, the ones that a spawn may start which does not say what it starts. */
  dynamic: { entry: Entry; site: SpawnSite }[];
}

/** How well a row's name names a candidate: 0 as written or by its definition, then the last part, then up to a leading underscore. */
function nameRank(entryName: string, candidate: Candidate): number | null {
  const { name, target } = candidate;
  const qualified = target?.qualifiedName ?? null;
  if (name === null) return null;
  if (name === entryName) return 0;
  if (qualified === entryName || (entryName.includes('.') && qualified?.endsWith(`.${entryName}`))) return 0;
  // An alias at the site (`import run_a as ra`) still starts run_a.
  if (!name.includes('.') && qualified !== null && tail(qualified) === entryName) return 0;
  if (name.includes('.') && tail(name) === entryName) return 1;
  if (bare(tail(name)) === bare(tail(entryName)) && entryName.includes('.') <= name.includes('.')) return 2;
  return null;
}

function bare(name: string): string {
  return name.replace(/^_+/, '');
}

function byNumber(candidates: Candidate[], entries: Entry[], hints: Hints): void {
  for (const candidate of candidates) {
    const number = hintOf(hints, candidate.site).number;
    const entry = number === undefined ? undefined : entries.find((e) => e.number === number);
    if (entry) Object.assign(candidate, { entry, matchedBy: 'hint' });
  }
}

/** Candidates by the last part of their names, up to leading underscores: whatever the rank, that part is the same. */
function byLastName(candidates: readonly Candidate[]): Map<string, Candidate[]> {
  const out = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { name, target } = candidate;
    if (name === null) continue;
    for (const key of new Set([name, target?.qualifiedName ?? name].map((n) => bare(tail(n)))))
      group(out, key, candidate);
  }
  return out;
}

function group<K, V>(groups: Map<K, V[]>, key: K, value: V): void {
  const list = groups.get(key);
  if (list) list.push(value);
  else groups.set(key, [value]);
}

/** Each row takes the candidates that fit its name best; each candidate the row that names it most exactly. */
function byName(candidates: Candidate[], entries: Entry[]): void {
  const offers = new Map<Candidate, { entry: Entry; rank: number }[]>();
  const alike = byLastName(candidates);
  for (const entry of entries) {
    if (entry.name === null) continue;
    let best: { rank: number; candidates: Candidate[] } | null = null;
    for (const candidate of alike.get(bare(tail(entry.name))) ?? []) {
      const rank = candidate.matchedBy === 'hint' ? null : nameRank(entry.name, candidate);
      if (rank === null || (best && rank > best.rank)) continue;
      if (!best || rank < best.rank) best = { rank, candidates: [] };
      best.candidates.push(candidate);
    }
    for (const candidate of best?.candidates ?? []) {
      const known = offers.get(candidate);
      const offer = { entry, rank: best?.rank ?? 0 };
      if (known) known.push(offer);
      else offers.set(candidate, [offer]);
    }
  }
  for (const [candidate, rows] of offers) {
    const length = (e: Entry) => e.name?.length ?? 0;
    rows.sort(
      (a, b) =>
        Number(a.entry.struck) - Number(b.entry.struck) ||
        a.rank - b.rank ||
        length(b.entry) - length(a.entry) ||
        rangeDistance(candidate, a.entry.line) - rangeDistance(candidate, b.entry.line),
    );
    const first = rows[0];
    if (first) Object.assign(candidate, { entry: first.entry, matchedBy: 'name' });
  }
}

function nearestOf(candidates: Candidate[], line: number | null): Candidate | undefined {
  return [...candidates].sort((a, b) => rangeDistance(a, line) - rangeDistance(b, line))[0];
}

/** A row may name the function that holds the spawn instead of what is spawned. */
function byEnclosing(candidates: Candidate[], entries: Entry[]): void {
  const alike = new Map<string, Candidate[]>();
  for (const c of candidates) if (!c.entry && isBackground(c)) group(alike, tail(c.site.enclosing), c);
  for (const entry of entries) {
    const { name } = entry;
    if (name === null) continue;
    const inside = (alike.get(tail(name)) ?? []).filter((c) => !c.entry);
    const nearest = nearestOf(inside, entry.line);
    const same = inside.filter((c) => nearest && loopOf(c) === loopOf(nearest));
    for (const spawn of same) Object.assign(spawn, { entry, matchedBy: 'enclosing' });
  }
}

/** Words of a loop's name that tell it apart. */
function stem(name: string): string {
  return tail(name)
    .replace(/^_*(?:run_|start_)?/, '')
    .replace(/_(?:loop|task|job)$/, '');
}

/** 0 (nothing in common) to 1 (same stem). */
function similarity(a: string, b: string): number {
  const [x, y] = [stem(a), stem(b)];
  const longest = Math.max(x.length, y.length, 1);
  const letters = 1 - editDistance(x, y) / longest;
  const words = new Set(x.split('_'));
  const others = new Set(y.split('_'));
  const common = [...words].filter((w) => others.has(w)).length;
  return Math.max(letters, (2 * common) / (words.size + others.size));
}

const RENAME_SIMILARITY = 0.6;
const RENAME_DISTANCE = 40;

/**
 * A row whose name is gone and a nearby spawn with a similar name that no row knows: the function was renamed.
 * Lines are compared after the drift of the rows around, since an inserted block moves everything below it.
 */
function byRename(candidates: Candidate[], entries: Entry[], catalogue: Catalogue): void {
  const free = candidates.filter((c) => !c.entry && c.name !== null && inSource(c, catalogue) && isBackground(c));
  if (!free.length) return;
  const pairs: { entry: Entry; candidate: Candidate; value: number; distance: number }[] = [];
  for (const entry of entries) {
    if (entry.name === null || entry.line === null) continue;
    const expected = entry.line + driftNear(candidates, entry.line);
    for (const candidate of free) {
      const distance = Math.abs(candidate.site.range.line - expected);
      if (distance > RENAME_DISTANCE) continue;
      const value = similarity(entry.name, candidate.name ?? '');
      if (value >= RENAME_SIMILARITY) pairs.push({ entry, candidate, value, distance });
    }
  }
  pairs.sort((a, b) => b.value - a.value || a.distance - b.distance);
  const taken = new Set<Entry>();
  for (const { entry, candidate } of pairs) {
    if (taken.has(entry) || candidate.entry) continue;
    taken.add(entry);
    const same = free.filter((c) => !c.entry && loopOf(c) === loopOf(candidate));
    for (const spawn of same) Object.assign(spawn, { entry, matchedBy: 'rename' });
  }
}

/** Spawns of one loop share it. */
function loopOf({ target, name, site }: Candidate): string {
  return target?.qualifiedName ?? name ?? site.id;
}

/** By how many lines the matched row nearest to `line` has moved. */
function driftNear(candidates: Candidate[], line: number): number {
  let drift = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const { entry, site } of candidates) {
    if (!entry || entry.line === null) continue;
    const distance = Math.abs(entry.line - line);
    if (distance < least) {
      least = distance;
      drift = site.range.line - entry.line;
    }
  }
  return drift;
}

function inSource(candidate: Candidate, catalogue: Catalogue): boolean {
  return catalogue.sourceFile === null || samePath(candidate.site.range.file, catalogue.sourceFile);
}

/** Rows without a name take the background spawns that are left: the catalogue's file and `701+` first, loops before one-shots. */
function fillUndecided(candidates: Candidate[], catalogue: Catalogue): Matching['undecided'] {
  const rows = catalogue.entries.filter((e) => e.name === null && !e.struck);
  const taken = new Set<string>();
  const order = { loop: 0, unknown: 1, 'one-shot': 2 };
  const first = new Map<Entry, Candidate>();
  for (const c of candidates) if (c.entry && !first.has(c.entry)) first.set(c.entry, c);
  let open = candidates.filter((c) => !c.entry && isBackground(c) && inSource(c, catalogue));
  return rows.map((entry) => {
    const hinted = first.get(entry);
    if (hinted) return { entry, candidate: hinted };
    const free = open.filter((c) => !taken.has(loopOf(c)));
    const below = (c: Candidate) => entry.line === null || c.site.range.line >= entry.line;
    const cost = (c: Candidate) => (below(c) ? 0 : 10) + order[c.target?.facts.lifecycle ?? 'unknown'];
    free.sort((a, b) => cost(a) - cost(b) || a.site.range.line - b.site.range.line);
    const candidate = free[0] ?? null;
    if (candidate) taken.add(loopOf(candidate));
    open = free;
    return { entry, candidate };
  });
}

const NOTHING_BESIDES: Outlook = { isThere: () => false, isDefined: () => false };

/** Matches spawns with rows: by target name first, then enclosing function, then a similar name near the line; never by line alone. */
export function matchRows(
  analysis: Analysis,
  catalogue: Catalogue | null,
  hints: Hints,
  outlook: Outlook = NOTHING_BESIDES,
): Matching {
  const candidates = candidatesOf(analysis.sites);
  if (!catalogue) return { candidates, undecided: [], stale: [], unseen: [], dynamic: [] };
  byNumber(candidates, catalogue.entries, hints);
  byName(candidates, catalogue.entries);
  const missing = () => {
    const matched = new Set(candidates.map((c) => c.entry));
    return catalogue.entries.filter((e) => !e.struck && !matched.has(e));
  };
  byEnclosing(candidates, missing());
  byRename(candidates, missing(), catalogue);
  const undecided = fillUndecided(candidates, catalogue);
  // a second row of a loop that is there is complained of as such
  const elsewhere = new Set(
    [
      ...candidates.map((c) => c.entry?.name),
      ...analysis.scheduled.map((w) => w.target),
      ...analysis.mentions.map((m) => m.spawns),
    ].flatMap((name) => (name ? [name, tail(name)] : [])),
  );
  const isUnseen = unseenIn(analysis, outlook.isThere);
  const matched = new Set(candidates.map((c) => c.entry));
  const unseen = new Set(catalogue.entries.filter((e) => e.name !== null && !matched.has(e) && isUnseen(e)));
  const lost = isComplete(analysis, catalogue)
    ? missing().filter(
        (e) => e.name !== null && !unseen.has(e) && !elsewhere.has(e.name) && !elsewhere.has(tail(e.name)),
      )
    : [];
  const perhaps = dynamicSpawns(candidates, catalogue, outlook);
  const dynamic = lost.flatMap((entry) => perhaps(entry) ?? []);
  const saved = new Set(dynamic.map(({ entry }) => entry));
  const stale = lost.filter((entry) => !saved.has(entry));
  return { candidates, undecided, stale, unseen: [...unseen, ...saved], dynamic };
}
