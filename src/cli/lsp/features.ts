/** What an editor shows, as pure functions of one look at the project. */
import { Chalk } from 'chalk';
import {
  type CodeLens,
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Hover,
  type Location,
  type MarkupKind,
  type Position,
} from 'vscode-languageserver/node';
import { mendsAt } from '../../../rules/checks/about.ts';
import type { Decision, Entry, Finding, Severity } from '../../model/index.ts';
import { printable } from '../../report/escape.ts';
import { loopFacts, periodText } from '../explain/facts.ts';
import { loopText } from '../explain/text.ts';
import type { Snapshot } from './session.ts';

const SEVERITY = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
} satisfies Record<Severity, DiagnosticSeverity>;

/** Diagnostics of every file that has some, by relative path. */
export function diagnostics(s: Snapshot, uri: (file: string) => string): Map<string, Diagnostic[]> {
  const out = new Map<string, Diagnostic[]>();
  for (const f of s.result.findings) out.set(f.range.file, [...(out.get(f.range.file) ?? []), diagnostic(f, s, uri)]);
  // the rule for it may be switched off; that a file is not understood must show all the same
  for (const e of s.result.errors) {
    const own = out.get(e.file) ?? [];
    if (own.some((d) => d.code === 'syntax-error')) continue;
    const range = s.linesOf(e.file).range({ ...e, endLine: e.line, endColumn: e.column + 1 });
    const message = printable(e.message);
    out.set(e.file, [
      ...own,
      { range, message, severity: DiagnosticSeverity.Error, code: 'syntax-error', source: 'looptag' },
    ]);
  }
  return out;
}

function diagnostic(f: Finding, s: Snapshot, uri: (file: string) => string): Diagnostic {
  return {
    range: s.linesOf(f.range.file).range(f.range),
    severity: SEVERITY[f.severity],
    code: f.rule,
    source: 'looptag',
    message: printable(f.message),
    tags: f.rule === 'unused-suppression' ? [DiagnosticTag.Unnecessary] : undefined,
    relatedInformation: f.related.map(({ message, range }) => ({
      message: printable(message),
      location: { uri: uri(range.file), range: s.linesOf(range.file).range(range) },
    })),
    data: { site: f.site },
  };
}

/** `INV-8 #18 · class B · P2 · every 1 h` above each spawn. */
export function lenses(file: string, s: Snapshot): CodeLens[] {
  return s.project.reconciliation.decisions
    .filter((d) => d.site.range.file === file && d.required)
    .map((d) => ({
      range: s.linesOf(file).range({ ...d.site.range, endLine: d.site.range.line, endColumn: d.site.range.column }),
      command: { title: lensTitle(d, s), command: '' },
    }));
}

function lensTitle(decision: Decision, s: Snapshot): string {
  const { catalogue, reconciliation } = s.project;
  const fills = reconciliation.undecided.find((u) => u.decision === decision)?.entry.number ?? null;
  const number = decision.entry?.number ?? null;
  const row = number !== null ? `#${number}` : fills !== null ? `#${fills}?` : 'no row';
  const facts = decision.target?.facts;
  const every = facts && {
    seconds: facts.periodSeconds,
    range: facts.periodRange,
    nominalSeconds: facts.nominalPeriodSeconds,
    initialDelaySeconds: null,
    source: null,
    catalogue: null,
  };
  const parts = [
    catalogue && `${stem(catalogue.file)} ${row}`,
    decision.class === null ? 'no class' : `class ${decision.class}`,
    decision.priority,
    facts?.lifecycle === 'loop' && every ? `every ${periodText(every)}` : (facts?.lifecycle ?? 'unknown'),
  ];
  return printable(parts.filter((p) => p !== null).join(' · '));
}

function stem(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
}

/** Decisions whose spawn or definition stands at a place of a file. */
export function decisionsAt(file: string, position: Position, s: Snapshot): Decision[] {
  const { line, column } = s.linesOf(file).place(position);
  const { decisions } = s.project.reconciliation;
  const spawned = decisions.filter(({ site: { range: r } }) => {
    if (r.file !== file || line < r.line || line > r.endLine) return false;
    return (line > r.line || column >= r.column) && (line < r.endLine || column <= r.endColumn);
  });
  return spawned.length ? spawned : decisions.filter(({ target }) => target?.file === file && target.line === line);
}

export function hover(file: string, position: Position, s: Snapshot, kind: MarkupKind): Hover | null {
  const found = decisionsAt(file, position, s);
  if (!found.length) return null;
  const chalk = new Chalk({ level: 0 });
  const text = found
    .map((d) => loopText(loopFacts(d, s.project, s.result.findings, mendsAt({}, d)), chalk))
    .join('\n\n');
  if (kind === 'plaintext') return { contents: { kind, value: text } };
  // a fence longer than any run of back-ticks in it: nothing from the repository is read as Markdown
  const runs = text.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((n) => n + 1)));
  return { contents: { kind, value: `${fence}text\n${text}\n${fence}` } };
}

/** From a spawn or a definition to its row of the catalogue; from a row to the spawn. */
export function definition(file: string, position: Position, s: Snapshot, uri: (file: string) => string): Location[] {
  const { catalogue, reconciliation } = s.project;
  if (!catalogue) return [];
  if (file === catalogue.file) {
    const rows = reconciliation.decisions.filter((d) => rowOf(d, s)?.row === position.line + 1);
    return rows.map(({ site: { range } }) => ({ uri: uri(range.file), range: s.linesOf(range.file).range(range) }));
  }
  return decisionsAt(file, position, s).flatMap((d) => {
    const row = rowOf(d, s)?.row;
    return row === undefined ? [] : [{ uri: uri(catalogue.file), range: s.linesOf(catalogue.file).line(row) }];
  });
}

/** Its row, or the undecided one that it would fill. */
function rowOf(decision: Decision, { project }: Snapshot): Entry | null {
  return decision.entry ?? project.reconciliation.undecided.find((u) => u.decision === decision)?.entry ?? null;
}
