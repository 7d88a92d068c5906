/** What `looptag explain WHAT` may mean in a project. */
import { nearest } from '../../engine/nearest.ts';
import type { Decision, Entry, Mention } from '../../model/index.ts';
import type { OpenProject } from '../project.ts';

/** Everything that carries the name, or stands at the place, that was asked for. */
export interface Found {
  decisions: Decision[];
  /** Rows whose loop the code does not start. */
  rows: Entry[];
  /** What the policy says about a loop that neither code nor catalogue has. */
  named: OpenProject['w']['policy']['named'];
  /** Lines that grep hits and that spawn nothing. */
  mentions: Mention[];
}

export function find(what: string, project: OpenProject): Found {
  const place = /^(.+?):(\d+)(?::\d+)?$/.exec(what);
  if (place) return atPlace(place[1]!.replace(/^\.\//, '').replaceAll('\\', '/'), Number(place[2]), project);
  const number = /^#?(\d+)$/.exec(what);
  return number ? byNumber(Number(number[1]), project) : byName(what.replace(/\(\)$/, ''), project);
}

export function isEmpty(found: Found): boolean {
  return !found.decisions.length && !found.rows.length && !found.named.length && !found.mentions.length;
}

function byNumber(number: number, project: OpenProject): Found {
  const { decisions } = project.reconciliation;
  const filling = undecidedOf(project).flatMap((u) => (u.entry.number === number && u.decision ? [u.decision] : []));
  const own = [...decisions.filter((d) => d.entry?.number === number), ...filling];
  const rows = own.length ? [] : (project.catalogue?.entries.filter((e) => e.number === number) ?? []);
  return { decisions: own, rows, named: [], mentions: [] };
}

function byName(what: string, project: OpenProject): Found {
  const same = (name: string | null | undefined) => name != null && (name === what || name.endsWith(`.${what}`));
  const decisions = project.reconciliation.decisions.filter(
    ({ target, entry, site }) =>
      same(target?.name) ||
      same(target?.qualifiedName) ||
      same(entry?.name) ||
      site.id === what ||
      site.argument === what,
  );
  const rows = decisions.length ? [] : (project.catalogue?.entries.filter((e) => same(e.name)) ?? []);
  const named = decisions.length || rows.length ? [] : project.w.policy.named.filter((n) => same(n.name));
  return { decisions, rows, named, mentions: [] };
}

function atPlace(file: string, line: number, project: OpenProject): Found {
  const here = (path: string | null) => path === file || (path?.endsWith(`/${file}`) ?? false);
  const { decisions } = project.reconciliation;
  const spawned = decisions.filter(
    ({ site: { range } }) => here(range.file) && range.line <= line && line <= range.endLine,
  );
  const defined = decisions.filter(({ target }) => here(target?.file ?? null) && target?.line === line);
  const row = here(project.catalogue?.file ?? null) ? (e: Entry) => e.row === line : () => false;
  const listed = decisions.filter(({ entry }) => entry && row(entry));
  const own = [spawned, defined, listed].find((list) => list.length) ?? [];
  const mentions = own.length ? [] : project.analysed.analysis.mentions.filter((m) => here(m.file) && m.line === line);
  const rows = own.length ? [] : (project.catalogue?.entries.filter(row) ?? []);
  return { decisions: own, rows, named: [], mentions };
}

function undecidedOf({ reconciliation }: OpenProject): OpenProject['reconciliation']['undecided'] {
  return reconciliation.undecided;
}

/** What was most likely meant: a name, or the nearest line that is one of a spawn. */
export function nearestTo(what: string, project: OpenProject, rules: readonly string[]): string | null {
  const place = /^(.+?):(\d+)(?::\d+)?$/.exec(what);
  if (place) return nearestPlace(place[1]!, Number(place[2]), project);
  const number = /^#?(\d+)$/.exec(what);
  if (number) return nearestNumber(Number(number[1]), project);
  const names = project.reconciliation.decisions.flatMap(({ target, entry }) => [
    target?.name ?? '',
    entry?.name ?? '',
  ]);
  const rows = project.catalogue?.entries.flatMap((e) => e.name ?? []) ?? [];
  const known = [...new Set([...names, ...rows, ...rules])].filter(Boolean);
  // `evolver` means `run_evolver_loop`
  // two letters are many words' beginning, two Chinese ones are a word
  const isWord = what.length > 2 || (what.length > 1 && /\P{ASCII}/u.test(what));
  return nearest(what, known) ?? (isWord ? (known.find((name) => name.includes(what)) ?? null) : null);
}

function nearestPlace(file: string, line: number, project: OpenProject): string | null {
  const sites = project.analysed.analysis.sites.map((s) => s.range);
  const own = sites.filter((r) => r.file === file || r.file.endsWith(`/${file.replace(/^\.\//, '')}`));
  own.sort((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line));
  if (own[0]) return `${own[0].file}:${own[0].line}`;
  const near = nearest(file, new Set(sites.map((r) => r.file)));
  return near === null ? null : `${near}:${line}`;
}

function nearestNumber(number: number, project: OpenProject): string | null {
  const numbers = project.catalogue?.entries.flatMap((e) => e.number ?? []) ?? [];
  numbers.sort((a, b) => Math.abs(a - number) - Math.abs(b - number));
  return numbers[0] === undefined ? null : `#${numbers[0]}`;
}
