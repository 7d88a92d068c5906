/** `looptag explain` */
import { readFileSync } from 'node:fs';
import { checks } from '../../../rules/checks/index.ts';
import type { CheckDefinition } from '../../engine/contracts.ts';
import { jsonText, printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { type LoopExplanation, loopFacts, type RowFacts, rowFacts } from '../explain/facts.ts';
import { type Found, find, isEmpty, nearestTo } from '../explain/find.ts';
import { loopText, mentionText, rowText } from '../explain/text.ts';
import { mendsIn } from '../mends.ts';
import { type OpenProject, openProject } from '../project.ts';
import { reportErrors } from '../report-errors.ts';
import { Trouble } from '../trouble.ts';
import type { CommonOptions } from '../workspace.ts';
import { resultOf } from './check.ts';

export interface ExplainOptions extends CommonOptions {
  format: 'text' | 'json';
}

export async function explain([what = '', ...paths]: string[], options: ExplainOptions, run: Run): Promise<number> {
  const rule = checks.find((c) => c.id === what || c.code === what.toUpperCase());
  if (rule) return explainRule(rule, options, run);
  const project = await openProject(paths, options, run);
  const found = find(what, project);
  if (isEmpty(found)) throw unknown(what, project);
  const { findings } = await resultOf(project.w, project, options, null);
  const mends = mendsIn(project.w, project, options);
  const loops = found.decisions.map((d) => loopFacts(d, project, findings, mends(d)));
  const rows = found.rows.map((e) => rowFacts(e, project.catalogue?.file ?? ''));
  run.streams.out(options.format === 'json' ? json(what, loops, rows, found) : text(loops, rows, found, project, run));
  return reportErrors(project.analysed.analysis, run);
}

function unknown(what: string, project: OpenProject): Trouble {
  const rules = checks.flatMap((c) => [c.id, c.code]);
  const near = nearestTo(what, project, rules);
  const shown = JSON.stringify(printable(what));
  if (!project.catalogue && /^#?\d+$/.test(what)) {
    return new Trouble(
      `${shown}: a row's number means nothing without a catalogue`,
      'name the Markdown file with --catalog',
    );
  }
  const remedy = near
    ? `did you mean ${printable(near)}?`
    : '`looptag inventory` lists the loops, `looptag rules` the rules';
  return new Trouble(`${shown} is no row, function, place or rule that is known here`, remedy);
}

function explainRule(rule: CheckDefinition, options: ExplainOptions, run: Run): number {
  const text = readFileSync(new URL(`./rules/${rule.id}.md`, run.dist), 'utf8');
  const { id, code, severity, summary, fixable, remedy } = rule;
  const data = { schema: 'looptag/explain@1', kind: 'rule', id, code, severity, summary, fixable, remedy, text };
  run.streams.out(options.format === 'json' ? jsonText(data) : text);
  return 0;
}

function json(what: string, loops: LoopExplanation[], rows: RowFacts[], { named, mentions }: Found): string {
  return jsonText({ schema: 'looptag/explain@1', kind: 'loop', what, loops, rows, named, mentions });
}

function text(loops: LoopExplanation[], rows: RowFacts[], found: Found, project: OpenProject, run: Run): string {
  const { chalk } = run.streams;
  const { name } = project.w.policy;
  const blocks = [
    ...loops.map((l) => loopText(l, chalk)),
    ...rows.map((r) => `${chalk.bold(printable(rowText(r)))}\n  ${rowLeft(r)}`),
    ...found.named.map((n) =>
      printable(
        `${n.name}: policy ${name} counts it in class ${n.class}${n.phase ? ` (${n.phase})` : ''}: ${n.note}; the code does not start it`,
      ),
    ),
    ...found.mentions.map(mentionText),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function rowLeft(row: RowFacts): string {
  if (row.struck) return 'struck out: the loop is gone';
  return row.name === null
    ? 'undecided: nothing in the code waits for a row'
    : 'the code does not start it: `looptag catalog sync` strikes the row out';
}
