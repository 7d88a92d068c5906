import { duration } from '../../model/duration.ts';
import type {
  Analysis,
  Catalogue,
  Decision,
  Entry,
  Mention,
  MentionKind,
  Reconciliation,
  SpawnSite,
} from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { plural } from '../../model/plural.ts';

const KIND: Record<MentionKind, string> = {
  comment: 'a comment',
  string: 'inside a string',
  docstring: 'inside a docstring',
  reference: 'a reference that is not called there',
  import: 'an import',
  shadowed: 'another function of that name',
  'other-object': "another object's method",
  'wrapper-body': 'the body of a wrapper, whose callers are the spawns',
  unresolved: 'a call that cannot be resolved',
};

function ordinal(n: number): string {
  const tens = n % 100;
  const suffix = tens >= 11 && tens <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');
  return `${n}${suffix}`;
}

function list(items: string[]): string {
  const shown = items.length > 8 ? [...items.slice(0, 7), `${items.length - 7} more`] : items;
  if (shown.length < 2) return shown.join('');
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function nameOf(decision: Decision): string {
  return `\`${decision.target?.name ?? decision.site.argument.split('\n')[0] ?? decision.site.api}\``;
}

function at(decision: Decision): string {
  return `${decision.site.range.file}:${decision.site.range.line}`;
}

interface Counted {
  /** Lines that grep hits in the catalogue's file (in all files without one). */
  lines: { file: string; line: number }[];
  hit(site: SpawnSite): boolean;
  inSource(file: string): boolean;
}

function count(analysis: Analysis, catalogue: Catalogue | null): Counted {
  const source = catalogue?.sourceFile ?? null;
  const inSource = (file: string) => source === null || samePath(file, source);
  const lines = analysis.grepHits.filter((hit) => inSource(hit.file));
  const keys = new Set(analysis.grepHits.map((hit) => `${hit.file}:${hit.line}`));
  const hit = (site: SpawnSite) => keys.has(`${site.range.file}:${site.range.line}`);
  return { lines, hit, inSource };
}

/** Why a plain grep does not see a spawn. */
function missedBecause(site: SpawnSite): string {
  if (site.api.startsWith('wrapper:'))
    return `it is started through the wrapper \`${site.api.slice('wrapper:'.length)}\``;
  if (site.api !== 'asyncio.create_task') return `it is started with \`${site.api}\``;
  return 'its call is spelled differently (an alias, a from-import or several lines)';
}

/** A line that grep hits and that is no loop of its own, and what it is instead. */
interface Extra {
  /** `line 17`; `a.py:17` where lines of several files are counted. */
  at: string;
  is: string;
}

/** What stands on which line, and on which a row's loop is started first. */
interface Lines {
  mentions: ReadonlyMap<string, Mention>;
  decisions: ReadonlyMap<string, Decision[]>;
  firstOf: ReadonlyMap<Entry, number>;
  inOneFile: boolean;
}

const key = ({ file, line }: { file: string; line: number }): string => `${line}:${file}`;

function linesOf(analysis: Analysis, r: Reconciliation, counted: Counted): Lines {
  const mentions = new Map<string, Mention>();
  for (const m of analysis.mentions) if (!mentions.has(key(m))) mentions.set(key(m), m);
  const decisions = new Map<string, Decision[]>();
  const firstOf = new Map<Entry, number>();
  for (const d of r.decisions) {
    const { range } = d.site;
    const on = decisions.get(key(range));
    if (on) on.push(d);
    else decisions.set(key(range), [d]);
    if (d.entry) firstOf.set(d.entry, Math.min(range.line, firstOf.get(d.entry) ?? range.line));
  }
  return { mentions, decisions, firstOf, inOneFile: new Set(counted.lines.map(({ file }) => file)).size === 1 };
}

function explain(hit: { file: string; line: number }, lines: Lines): Extra | null {
  const { mentions, decisions, firstOf, inOneFile } = lines;
  const { file, line } = hit;
  const where = inOneFile ? `line ${line}` : `${file}:${line}`;
  const mention = mentions.get(key(hit));
  if (mention) return { at: where, is: KIND[mention.kind] };
  const on = decisions.get(key(hit)) ?? [];
  const [first] = on;
  if (!first) return null;
  if (on.every((d) => !d.required)) {
    const what = first.target?.facts.lifecycle === 'one-shot' ? 'a one-shot' : 'work';
    const when = first.site.shape.path === 'request' ? 'of a single request' : 'that is not started at start-up';
    return { at: where, is: `the start of ${nameOf(first)}, ${what} ${when} and no background loop` };
  }
  const again = first.entry !== null && firstOf.get(first.entry)! < line;
  return first.entry && again ? { at: where, is: `a second start of ${nameOf(first)}` } : null;
}

function aside(extras: Extra[]): string {
  return list(extras.map((e) => `${e.at} (${e.is})`));
}

function describe(decision: Decision): string {
  const facts = decision.target?.facts;
  const period = facts?.periodSeconds ?? facts?.nominalPeriodSeconds ?? null;
  if (facts?.lifecycle === 'one-shot') return 'a one-shot';
  if (facts?.lifecycle === 'loop') return period === null ? 'a loop' : `a loop, every ${duration(period)}`;
  return 'what it does is not known';
}

function filled(r: Reconciliation, counted: Counted, extras: Extra[]): string {
  const parts = r.undecided.flatMap(({ entry, decision }) => {
    if (!decision) return [];
    const which = entry.number === null ? 'The undecided row' : `The ${ordinal(entry.number)} loop`;
    const grep = counted.hit(decision.site) ? '' : `; a plain grep misses it: ${missedBecause(decision.site)}`;
    return [`${which} is ${nameOf(decision)} at ${at(decision)} (${describe(decision)}${grep})`];
  });
  const taken = new Set(r.undecided.map((u) => u.decision));
  const more = r.unlisted.filter((d) => d.required && !taken.has(d));
  const tail = more.length > 0 ? `, and ${more.length} more without a row: ${listed(more, counted)}` : '';
  const why = extras.length > 0 ? `; grep also counts ${aside(extras)}` : '';
  return `${parts.join('; ')}${tail}${why}.`;
}

function listed(decisions: Decision[], counted: Counted): string {
  return list(
    decisions.map((d) => `${nameOf(d)} at ${at(d)}${counted.hit(d.site) ? '' : ` (${missedBecause(d.site)})`}`),
  );
}

/** One sentence on the count: which loop the undecided row is, that there is none and why, or that there are more. */
export function verdictOf(analysis: Analysis, catalogue: Catalogue | null, r: Reconciliation): string {
  const counted = count(analysis, catalogue);
  const lines = plural(counted.lines.length, 'line');
  const wanted = r.unlisted.filter((d) => d.required);
  if (!catalogue) {
    const total = r.decisions.filter((d) => d.required).length;
    return `The code starts ${total} background tasks; grep hits ${lines}; no catalogue was given.`;
  }
  const all = linesOf(analysis, r, counted);
  const extras = counted.lines.flatMap((hit) => explain(hit, all) ?? []);
  if (r.undecided.some((u) => u.decision)) return filled(r, counted, extras);
  const rows = catalogue.entries.filter((e) => !e.struck && e.name !== null).length;
  const named = (entries: Entry[]) => list(entries.map((e) => `\`${e.name}\``));
  const unsaid = new Set(r.dynamic.map(({ entry }) => entry));
  const unsure = r.unseen.filter((e) => !e.struck && !unsaid.has(e));
  const maybe = list(
    r.dynamic.map(({ entry, site }) => `\`${entry.name}\` (by ${site.range.file}:${site.range.line})`),
  );
  const perhaps =
    (unsure.length > 0 ? `; in a file that was not read, or in a call that is not proven: ${named(unsure)}` : '') +
    (maybe ? `; perhaps started without its name: ${maybe}` : '');
  const gone = `${r.stale.length > 0 ? `; not found in the code: ${named(r.stale)}` : ''}${perhaps}`;
  const [open] = r.undecided;
  if (wanted.length > 0) {
    const loops = wanted.length === 1 ? 'one loop has' : `${wanted.length} loops have`;
    return `There are more: ${loops} no row yet, ${listed(wanted, counted)}${gone}.`;
  }
  const why = extras.length > 0 ? ` because ${list(extras.map((e) => `${e.at} is ${e.is}`))}` : '';
  if (open) {
    const which = open.entry.number === null ? 'further' : ordinal(open.entry.number);
    return `There is no ${which} loop: grep counts ${lines}${why}${gone}.`;
  }
  const missed = r.decisions.filter((d) => d.entry && counted.inSource(d.site.range.file) && !counted.hit(d.site));
  const unseen = missed.length > 0 ? `; grep misses ${listed(missed, counted)}` : '';
  const lost = r.stale.length + unsure.length + r.dynamic.length;
  const found = lost > 0 ? `${rows - lost} of the ${rows} loops` : `All ${rows} loops`;
  return `${found} of the catalogue are in the code; grep counts ${lines}${extras.length > 0 ? `, among them ${aside(extras)}` : ''}${unseen}${gone}.`;
}
