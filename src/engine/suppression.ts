/** What `# looptag: ignore[…]` comments take away. */
import type { DirectiveProblem, Finding, SpawnSite } from '../model/index.ts';
import type { Suppression } from './directives.ts';

interface Suppressed {
  /** What is left to report. */
  kept: Finding[];
  taken: { finding: Finding; by: Suppression }[];
  /** Suppressed rules that took nothing away, of the rules that ran. */
  unused: DirectiveProblem[];
}

/**
 * Takes the suppressed findings away. A suppression covers a finding on any line of the finding's range, or of the
 * statement of the spawn that the finding speaks of.
 * @param ran ids of the rules that ran: a suppression of another rule is not called unused.
 */
export function applySuppressions(
  findings: readonly Finding[],
  suppressions: readonly Suppression[],
  context: { sites: readonly SpawnSite[]; ran: ReadonlySet<string>; sourceOf(file: string): string | null },
): Suppressed {
  const statements = statementLines(context.sites, suppressions, context.sourceOf);
  const used = new Set<string>();
  const kept: Finding[] = [];
  const taken: Suppressed['taken'] = [];
  for (const finding of findings) {
    const by = suppressions.find((s) => s.rules.includes(finding.rule) && covers(s, finding, statements));
    if (!by) {
      kept.push(finding);
      continue;
    }
    taken.push({ finding, by });
    // Two comments may cover the same finding: neither is to be called unused on account of the other.
    for (const s of suppressions) {
      if (s.rules.includes(finding.rule) && covers(s, finding, statements)) used.add(useKey(s, finding.rule));
    }
  }
  const unused = suppressions.flatMap((s) =>
    s.rules
      .filter((rule) => context.ran.has(rule) && !used.has(useKey(s, rule)))
      .map((rule): DirectiveProblem => ({ kind: 'unused', rule, range: s.range })),
  );
  return { kept, taken, unused };
}

interface Lines {
  file: string;
  first: number;
  last: number;
}

function covers(suppression: Suppression, finding: Finding, statements: ReadonlyMap<string, Lines>): boolean {
  const { range } = finding;
  const own = { file: range.file, first: range.line, last: range.endLine };
  const statement = finding.site === null ? undefined : statements.get(finding.site);
  return within(suppression, own) || (statement !== undefined && within(suppression, statement));
}

function within({ range, target }: Suppression, { file, first, last }: Lines): boolean {
  if (range.file !== file) return false;
  return (target >= first && target <= last) || (range.line >= first && range.line <= last);
}

function statementLines(
  sites: readonly SpawnSite[],
  suppressions: readonly Suppression[],
  sourceOf: (file: string) => string | null,
): Map<string, Lines> {
  const files = new Set(suppressions.map(({ range }) => range.file));
  const found = new Map<string, Lines>();
  for (const { id, range, shape } of sites) {
    const text = files.has(range.file) ? sourceOf(range.file) : null;
    if (text === null) continue;
    const first = range.line - lineBreaks(text.slice(shape.statement.start, range.start));
    const last = range.endLine + lineBreaks(text.slice(range.end, shape.statement.end));
    found.set(id, { file: range.file, first, last });
  }
  return found;
}

function lineBreaks(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}

function useKey({ range }: Suppression, rule: string): string {
  return `${range.file}:${range.line}:${range.column} ${rule}`;
}
