/** The baseline: findings accepted when the gate was introduced. One sorted line each, without line numbers and counts, so that branches merge. */
import type { BaselineEntry, Diagnostic, Finding, SpawnSite } from '../model/index.ts';
import { nearest } from './nearest.ts';

const TITLE = '# looptag baseline v1';
const PREAMBLE = `${TITLE}
# Findings accepted so far: rule, then the spawn (module:function:coroutine#ordinal). Written by \`looptag check --write-baseline\`.
`;

/** A file that does not parse hides other findings; accepting it would hide them for good. */
const NEVER_ACCEPTED = new Set(['syntax-error']);

/** What a finding speaks of, for whoever has to recognise it after lines moved. */
function identityOf(finding: Finding): string {
  return finding.identity ?? finding.site ?? finding.range.file;
}

/**
 * Keys of findings, in their order: rule and identity, with an ordinal when one rule says several things of one spawn.
 * Modules of two services may have the same name: then the file tells them apart.
 */
function baselineKeys(findings: readonly Finding[], sites: readonly SpawnSite[]): string[] {
  const shared = sharedIds(sites);
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const identity = identityOf(finding);
    const ambiguous = finding.site !== null && shared.has(finding.site);
    const key = keyOf(finding.rule, ambiguous ? `${identity} in ${finding.range.file}` : identity);
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    return times === 1 ? key : `${key} (${times})`;
  });
}

function sharedIds(sites: readonly SpawnSite[]): Set<string> {
  const files = new Map<string, string>();
  const shared = new Set<string>();
  for (const { id, range } of sites) {
    if ((files.get(id) ?? range.file) !== range.file) shared.add(id);
    files.set(id, range.file);
  }
  return shared;
}

/** The text of a baseline that accepts these findings, and what else it accepted already. */
export function writeBaseline(
  findings: readonly Finding[],
  sites: readonly SpawnSite[],
  others: readonly BaselineEntry[] = [],
): string {
  const accepted = findings.filter(({ rule }) => !NEVER_ACCEPTED.has(rule));
  return PREAMBLE + lines([...baselineKeys(accepted, sites), ...others.map((e) => keyOf(e.rule, e.identity))]);
}

/**
 * May what an entry speaks of be in one of these files? By its module, of which a file's path shows at least the end, or
 * by the path itself.
 */
export function speaksOf({ identity }: BaselineEntry, files: readonly string[]): boolean {
  const [module = ''] = identity.split(':', 1);
  return files.some((file) => {
    const dotted = file.replace(/(?:\/__init__)?\.pyi?$/, '').replaceAll('/', '.');
    return dotted === module || dotted.endsWith(`.${module}`) || identity.includes(file);
  });
}

/** The text without the entries that match nothing any more. */
export function pruneBaseline(entries: readonly BaselineEntry[], stale: readonly BaselineEntry[]): string {
  const gone = new Set(stale.map((entry) => keyOf(entry.rule, entry.identity)));
  const keys = entries.map((entry) => keyOf(entry.rule, entry.identity)).filter((key) => !gone.has(key));
  return PREAMBLE + lines(keys);
}

/** Sorted by code unit, not by locale: the same on every machine. */
function lines(keys: readonly string[]): string {
  return [...new Set(keys)]
    .sort()
    .map((key) => `${key}\n`)
    .join('');
}

/**
 * Reads a baseline. Order, repetition and blank lines do not matter (a merge leaves such things); anything else that
 * `--write-baseline` does not write is a problem with its line and remedy.
 */
export function readBaseline(
  text: string,
  file: string,
  rules: readonly { id: string; code: string }[],
): { entries: BaselineEntry[]; problems: Diagnostic[] } {
  const rows = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const entries = new Map<string, BaselineEntry>();
  const problems: Diagnostic[] = [];
  const wrongTitle = titleTrouble(rows[0] ?? '');
  if (wrongTitle) return { entries: [], problems: [{ level: 'error', file, line: 1, column: 1, ...wrongTitle }] };
  rows.forEach((row, index) => {
    if (row.trim() === '' || row.startsWith('#')) return;
    const read = readRow(row.trimEnd(), rules);
    if ('message' in read) problems.push({ level: 'error', file, line: index + 1, column: 1, ...read });
    else {
      const key = keyOf(read.rule, read.identity);
      if (!entries.has(key)) entries.set(key, { ...read, line: index + 1 });
    }
  });
  return { entries: [...entries.values()], problems };
}

interface Trouble {
  message: string;
  remedy: string;
}

const WRITE_AGAIN = 'write it again with `looptag check --write-baseline`';

function titleTrouble(row: string): Trouble | null {
  if (row.trim() === TITLE) return null;
  const version = /^# looptag baseline (\S+)/.exec(row)?.[1];
  const message = version
    ? `this baseline has the format ${version}, and this looptag reads v1`
    : `this is no looptag baseline: its first line must be "${TITLE}"`;
  return { message, remedy: WRITE_AGAIN };
}

function readRow(row: string, rules: readonly { id: string; code: string }[]): Omit<BaselineEntry, 'line'> | Trouble {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(row)) {
    const remedy = 'keep the entries of both sides and remove the conflict markers';
    return { message: 'a merge conflict is left in the baseline', remedy };
  }
  const [, name, identity] = /^(\S+) (\S.*)$/.exec(row) ?? [];
  if (name === undefined || identity === undefined) {
    return { message: 'an entry is a rule, a space and a spawn', remedy: `remove the line, or ${WRITE_AGAIN}` };
  }
  const rule = rules.find(({ id, code }) => id === name || code === name);
  if (rule) return { rule: rule.id, identity };
  const ids = rules.map(({ id }) => id);
  const near = nearest(name, ids);
  return { message: `there is no rule "${name}"`, remedy: near ? `did you mean "${near}"?` : 'remove the line' };
}

interface Baselined {
  kept: Finding[];
  accepted: Finding[];
  stale: BaselineEntry[];
}

/**
 * Takes the accepted findings away.
 * @param context.ran ids of the rules that ran: an entry of another rule is not called stale.
 */
export function applyBaseline(
  findings: readonly Finding[],
  entries: readonly BaselineEntry[],
  context: { ran: ReadonlySet<string>; sites: readonly SpawnSite[] },
): Baselined {
  const open = new Map(entries.map((entry) => [keyOf(entry.rule, entry.identity), entry]));
  const keys = baselineKeys(findings, context.sites);
  const kept: Finding[] = [];
  const accepted: Finding[] = [];
  findings.forEach((finding, index) => {
    const found = !NEVER_ACCEPTED.has(finding.rule) && open.delete(keys[index]!);
    (found ? accepted : kept).push(finding);
  });
  return { kept, accepted, stale: [...open.values()].filter((entry) => context.ran.has(entry.rule)) };
}

/** One physical line, whatever is in a file's name. */
function keyOf(rule: string, identity: string): string {
  const line = identity.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|^\s|\s$/gu,
    (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
  return `${rule} ${line}`;
}
