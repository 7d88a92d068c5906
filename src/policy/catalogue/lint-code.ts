import { calleeOf } from '../../model/identifier.ts';
import type { Decision, Entry, LintPlace, LintProblem, Reconciliation } from '../../model/index.ts';
import { fileOfRow, listsFile } from '../../model/listed-line.ts';
import { formatFrequency } from '../frequency.ts';
import { columnAt } from '../markdown/lines.ts';
import type { LintWork } from './lint-work.ts';
import { frequencyDrift } from './periods.ts';
import { primary } from './primary.ts';

/** The catalogue against the code. */
export function lintCode(work: LintWork, reconciliation: Reconciliation): LintProblem[] {
  const { catalogue } = work;
  const undecided = new Set(reconciliation.undecided.map((u) => u.entry));
  const rows = catalogue.entries.flatMap((entry) => {
    if (undecided.has(entry)) return [];
    const decision = primary(
      reconciliation.decisions.filter((d) => d.entry === entry),
      entry,
      catalogue,
    );
    return decision ? [...line(work, entry, decision), ...frequency(work, entry, decision)] : [];
  });
  const filling = new Set(reconciliation.undecided.map((u) => u.decision));
  return [
    ...rows,
    ...reconciliation.undecided.map(({ entry, decision }) => open(work, entry, decision, reconciliation.verdict)),
    ...reconciliation.stale.map((entry) => vanished(work, entry)),
    ...reconciliation.unlisted.flatMap((d) => (d.required && !filling.has(d) ? [unlisted(work, d)] : [])),
  ];
}

function at(work: LintWork, entry: Entry, column: 'line' | 'frequency' | 'function') {
  const { catalogue, layout } = work;
  const text = layout.blocks.lines[entry.row - 1];
  const cell = entry.cells[column];
  const offset = cell
    ? cell.extent.start + (/^[ \t]*/.exec(catalogue.text.slice(cell.extent.start))?.[0].length ?? 0)
    : 0;
  return { file: catalogue.file, line: entry.row, column: text && cell ? columnAt(catalogue.text, text, offset) : 1 };
}

function spawn(decision: Decision): LintPlace {
  const { file, line: number } = decision.site.range;
  return { file, line: number, message: `\`${decision.target?.name ?? decision.site.argument}\` is spawned here` };
}

/** The line of code that a row lists, where the catalogue says of which file. */
function listed({ catalogue }: LintWork, entry: Entry, message: string): LintPlace[] {
  const file = fileOfRow(entry) ?? catalogue.sourceFile;
  return file === null || entry.line === null ? [] : [{ file, line: entry.line, message }];
}

function label(entry: Entry): string {
  return entry.number === null ? `on line ${entry.row}` : `#${entry.number}`;
}

function line(work: LintWork, entry: Entry, decision: Decision): LintProblem[] {
  const { file, line: number } = decision.site.range;
  const there = listsFile(entry, file, work.catalogue.sourceFile);
  if (entry.line === null || (entry.line === number && there)) return [];
  const where = there ? `on line ${number}` : `at ${file}:${number}`;
  return [
    {
      code: 'line-drift',
      message: `row ${label(entry)} says line ${entry.lineText}, \`${entry.name}\` is spawned ${where}`,
      ...at(work, entry, 'line'),
      related: [spawn(decision)],
      remedy: 'run `looptag catalog sync`',
      fixable: true,
    },
  ];
}

function frequency(work: LintWork, entry: Entry, decision: Decision): LintProblem[] {
  const proven = frequencyDrift(entry, decision);
  if (proven === null) return [];
  const { target } = decision;
  const evidence = target?.facts.evidence.find((e) => e.fact === 'period');
  const words = formatFrequency(proven, 'en');
  const source = target?.facts.periodSource ? ` (${target.facts.periodSource})` : '';
  const file = evidence?.file ?? target?.file ?? decision.site.range.file;
  const number = evidence?.line ?? target?.line ?? decision.site.range.line;
  return [
    {
      code: 'frequency-drift',
      message: `row ${label(entry)} says ${entry.frequency.text}, the code of \`${entry.name}\` says ${words}${source}`,
      ...at(work, entry, 'frequency'),
      related: [{ file, line: number, message: `${words} is read here` }],
      remedy: 'run `looptag catalog sync`, or correct the code',
      fixable: true,
    },
  ];
}

function open(work: LintWork, entry: Entry, decision: Decision | null, verdict: string): LintProblem {
  return {
    code: 'undecided',
    message: `row ${label(entry)} is undecided: ${verdict}`,
    ...at(work, entry, 'function'),
    related: decision ? [spawn(decision)] : listed(work, entry, 'nothing is left for it here'),
    remedy: 'run `looptag catalog sync`',
    fixable: true,
  };
}

function vanished(work: LintWork, entry: Entry): LintProblem {
  return {
    code: 'vanished',
    message: `row ${label(entry)} names \`${entry.name}\`, which nothing in the code starts`,
    ...at(work, entry, 'function'),
    related: listed(work, entry, `line ${entry.lineText} does not start it`),
    remedy: 'run `looptag catalog sync` (with `--prune` to delete the row)',
    fixable: true,
  };
}

function unlisted(work: LintWork, decision: Decision): LintProblem {
  const { file, line: number, column } = decision.site.range;
  const table = work.layout.catalogue.at(-1)?.table;
  const hasName = decision.target !== null || calleeOf(decision.site) !== null;
  return {
    code: 'unlisted',
    message: `no row names \`${decision.target?.name ?? decision.site.argument}\``,
    file,
    line: number,
    column,
    related: [
      {
        file: work.catalogue.file,
        line: table?.rows.at(-1)?.line.number ?? 1,
        message: 'the table of loops ends here',
      },
    ],
    remedy: hasName
      ? 'run `looptag catalog sync` to add its row'
      : 'say at the spawn which row it is (`# looptag: id=…`), or spawn a named coroutine',
    fixable: hasName,
  };
}
