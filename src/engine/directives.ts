/** `# looptag:` comments: `ignore[rule] until=DATE -- reason` takes a finding away, `class=B project=x id=17` adds what the code can't say. */
import type { Directive, DirectiveProblem, Range } from '../model/index.ts';
import type { Hint } from '../policy/index.ts';
import { nearest } from './nearest.ts';

export interface Suppression {
  range: Range;
  /** Line of the code it speaks of: its own, or the next one below when it stands alone. */
  target: number;
  /** Rule ids, each once. */
  rules: string[];
  /** Last day of validity, ISO; null: for ever. */
  until: string | null;
  reason: string;
}

interface Directives {
  suppressions: Suppression[];
  /** By `file:line` of the code that each speaks of. */
  hints: Map<string, Hint>;
  problems: DirectiveProblem[];
}

interface DirectiveContext {
  /** Id and code of every rule there is, whether it runs or not. */
  rules: readonly { id: string; code: string }[];
  /** ISO date of the run. */
  today: string;
  sourceOf(file: string): string | null;
}

const HINT_KEYS = ['class', 'project', 'id'];

/**
 * Reads every directive. A comment that says something unknown, or a suppression without a reason or past its date,
 * takes nothing away and is listed among the problems.
 */
export function readDirectives(directives: readonly Directive[], context: DirectiveContext): Directives {
  const read: Directives = { suppressions: [], hints: new Map(), problems: [] };
  const lines = new Map<string, string[]>();
  for (const directive of directives) {
    const body = /#\s*looptag:\s*(.*)$/s.exec(directive.text)?.[1]?.trim();
    if (body === undefined) continue;
    if (!lines.has(directive.file)) lines.set(directive.file, splitLines(context.sourceOf(directive.file) ?? ''));
    const range = rangeOf(directive);
    const target = targetLine(directive, lines.get(directive.file)!);
    if (/^ignore\b/.test(body)) readIgnore(body, range, target, context, read);
    else readHint(body, range, target, read);
  }
  return read;
}

function readIgnore(body: string, range: Range, target: number, context: DirectiveContext, read: Directives): void {
  const parts = /^ignore\s*\[([^\]]*)\](.*)$/s.exec(body);
  const names =
    parts?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean) ?? [];
  if (!parts || names.length === 0) {
    read.problems.push({ kind: 'no-rules', range });
    return;
  }
  const [options = '', ...reasons] = withoutNextComment(parts[2]!).split(/(?:^|\s)--(?=\s|$)/);
  const reason = reasons.join(' -- ').trim();
  const rules = knownRules(names, range, context, read.problems);
  const until = readOptions(options, range, read.problems);
  if (until === undefined || rules.length === 0) return;
  if (reason === '') read.problems.push({ kind: 'no-reason', rules, range });
  else if (until !== null && until < context.today) read.problems.push({ kind: 'expired', rules, until, range });
  else read.suppressions.push({ range, target, rules, until, reason });
}

/** Another comment may follow on the line; a `#` in the reason (an issue's number) belongs to the reason. */
function withoutNextComment(text: string): string {
  const hash = text.search(/(?:^|\s)#/);
  const dashes = text.indexOf('--');
  return hash >= 0 && (dashes < 0 || hash < dashes) ? text.slice(0, hash) : text;
}

function knownRules(
  names: string[],
  range: Range,
  { rules }: DirectiveContext,
  problems: DirectiveProblem[],
): string[] {
  const found = new Set<string>();
  for (const name of names) {
    const rule = rules.find(({ id, code }) => id === name || code === name.toUpperCase());
    if (rule) found.add(rule.id);
    else {
      const all = rules.flatMap(({ id, code }) => [id, code]);
      problems.push({ kind: 'unknown-rule', rule: name, nearest: nearest(name, all), range });
    }
  }
  return [...found];
}

/** The date; null without one; undefined when the options can't be read. */
function readOptions(text: string, range: Range, problems: DirectiveProblem[]): string | null | undefined {
  let until: string | null = null;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const value = /^until=(.*)$/.exec(word)?.[1];
    if (value === undefined) {
      problems.push({ kind: 'malformed', text: word, range });
      return undefined;
    }
    if (!isDate(value)) {
      problems.push({ kind: 'bad-date', value, range });
      return undefined;
    }
    until = value;
  }
  return until;
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

function readHint(body: string, range: Range, target: number, read: Directives): void {
  const hint: Hint = {};
  const words = body
    .split(/\s+(?:--|#)(?:\s|$)/)[0]!
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) read.problems.push({ kind: 'malformed', text: body, range });
  for (const word of words) {
    const problem = readWord(word, hint);
    if (problem) {
      read.problems.push({ ...problem, range });
      return;
    }
  }
  const key = `${range.file}:${target}`;
  if (words.length > 0) read.hints.set(key, { ...read.hints.get(key), ...hint });
}

type WordProblem =
  | { kind: 'malformed'; text: string }
  | { kind: 'unknown-key'; key: string; nearest: string | null }
  | { kind: 'bad-value'; key: string; value: string; expected: string };

function readWord(word: string, hint: Hint): WordProblem | null {
  const [, key, value] = /^([^=]+)=(.*)$/.exec(word) ?? [];
  if (key === undefined || value === undefined) return { kind: 'malformed', text: word };
  switch (key) {
    case 'class':
      if (value !== 'A' && value !== 'B' && value !== 'C')
        return { kind: 'bad-value', key, value, expected: 'A, B or C' };
      hint.class = value;
      return null;
    case 'project':
      if (!/^[\w.-]+$/.test(value)) return { kind: 'bad-value', key, value, expected: 'a project id' };
      hint.projectId = value;
      return null;
    case 'id':
      if (!/^#?\d+$/.test(value)) return { kind: 'bad-value', key, value, expected: 'the number of a row' };
      hint.number = Number(value.replace('#', ''));
      return null;
    default:
      return { kind: 'unknown-key', key, nearest: nearest(key, HINT_KEYS) };
  }
}

/** A comment alone on its line speaks of the next line that is no comment; several of them may stand on each other. */
function targetLine({ line, column }: Directive, lines: readonly string[]): number {
  const before = [...(lines[line - 1] ?? '')].slice(0, column - 1).join('');
  if (before.trim() !== '') return line;
  let next = line + 1;
  while (/^\s*#/.test(lines[next - 1] ?? '')) next++;
  return next;
}

/** Offsets are not known for comments, and nothing edits them. */
function rangeOf({ file, line, column, text }: Directive): Range {
  return { file, line, column, endLine: line, endColumn: column + [...text].length, start: 0, end: 0 };
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
