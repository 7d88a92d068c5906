import type { AcceptanceStatus, MilestoneStatus, Missing, Status, Titles } from '../../model/index.ts';
import { nullLast } from '../../model/order.ts';
import { printable } from '../escape.ts';
import type { ReportOptions } from '../format.ts';
import { padEnd, padStart, truncate, widthOf } from '../width.ts';
import type { Language, StatusReport } from './model.ts';

type StatusTextOptions = Pick<ReportOptions, 'chalk' | 'width' | 'verbose'> & { language?: Language };

/** Missing things that a report names when it is not verbose. */
const FEW = 3;

/** For people: how far the migration is, milestone by milestone. */
export function statusText(report: StatusReport, options: StatusTextOptions): string {
  const { status } = report;
  const sections = [
    headline(status, options),
    section(
      'Milestones',
      status.milestones.flatMap((m) => milestone(m, options)),
      options,
    ),
    section('Acceptance', acceptance(status.acceptance, options), options),
    section('Tagged by class and priority', matrix(status, options), options),
    section('Burn-down', burnDown(report), options),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, lines: string[], { chalk }: StatusTextOptions): string[] {
  return lines.length === 0 ? [] : [chalk.bold(title), ...lines];
}

function headline(status: Status, { chalk }: StatusTextOptions): string[] {
  const { totals: t } = status;
  const where = status.catalogue === null ? 'no catalogue' : status.catalogue;
  const facts = [
    [t.untagged, 'untagged'],
    [t.wrong, 'with another id'],
    [t.dynamic, 'with an id not known statically'],
    [t.legacy, 'on the transitional marker'],
    [t.undecided, 'undecided'],
    [t.unlisted, 'not in the catalogue'],
    [t.vanished, 'gone from the code'],
  ] as const;
  const rest = facts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return [
    `${chalk.bold(`${t.tagged} of ${t.loops} loops tagged`)} (${printable(status.policy.title)}, ${printable(where)})`,
    ...(rest.length > 0 ? [`${rest.join(', ')}.`] : []),
    `Trace id: ${t.traceId}. Heartbeat: ${t.heartbeat}.`,
    ...(status.complete ? [] : [chalk.yellow('Some files could not be analysed: the counts are lower bounds.')]),
  ];
}

type Judged = Pick<AcceptanceStatus, 'met' | 'applies' | 'done' | 'total'>;

/** Sign and count; nobody's work is no work that is done. */
function mark({ met, applies, done, total }: Judged, { chalk }: StatusTextOptions): string {
  const count = padStart(met === null || !applies ? '–' : `${done}/${total}`, 7);
  if (met === null) return `${chalk.dim('[?]')} ${count}`;
  if (!applies) return `${chalk.dim('[-]')} ${count}`;
  return `${met ? chalk.green('[x]') : chalk.red('[ ]')} ${count}`;
}

function noLoops({ met, applies }: Judged, { chalk }: StatusTextOptions): string[] {
  return met === null || applies ? [] : [`${' '.repeat(13)}${chalk.dim('there is no such loop, so nothing to do')}`];
}

function titleOf(titles: Titles, { language = 'en' }: StatusTextOptions): string {
  return printable(titles[language]);
}

function milestone(m: MilestoneStatus, options: StatusTextOptions): string[] {
  const target = titleOf(m.targets, options);
  const head = `${mark(m, options)}  ${titleOf(m.titles, options)}`;
  const due = m.due === null ? target : `${target}, ${printable(m.due)}`;
  return [
    `${head} ${options.chalk.dim(`(${due})`)}`,
    ...(m.note === null ? [] : [`${' '.repeat(13)}${printable(m.note)}`]),
    ...noLoops(m, options),
    ...missing(m.missing, options),
  ];
}

function acceptance(items: readonly AcceptanceStatus[], options: StatusTextOptions): string[] {
  return items.flatMap((item, i) => [
    ...(item.document === items[i - 1]?.document ? [] : [options.chalk.underline(printable(item.document))]),
    `${mark(item, options)}  ${titleOf(item.titles, options)}`,
    ...noLoops(item, options),
    ...missing(item.missing, options),
  ]);
}

function missing(all: readonly Missing[], { chalk, width, verbose }: StatusTextOptions): string[] {
  const shown = verbose ? all : all.slice(0, FEW);
  const lines = shown.map(({ what, why, file, line }) => {
    const place = file === null ? '' : ` ${file}${line === null ? '' : `:${line}`}`;
    return truncate(`${' '.repeat(13)}- ${printable(`${what}: ${why}${place}`)}`, Math.max(40, width));
  });
  if (shown.length < all.length) lines.push(`${' '.repeat(13)}… and ${all.length - shown.length} more (--verbose)`);
  return lines.map((line) => chalk.dim(line));
}

function matrix(status: Status, { chalk }: StatusTextOptions): string[] {
  if (status.matrix.length === 0) return [];
  const columns = [...new Set(status.matrix.map((cell) => cell.priority))].sort(nullLast);
  const rows = [...new Set(status.matrix.map((cell) => cell.class))].sort(nullLast);
  const cells = rows.map((row) =>
    columns.map((column) => {
      const cell = status.matrix.find((c) => c.class === row && c.priority === column);
      return cell ? `${cell.tagged}/${cell.total}` : '·';
    }),
  );
  const titles = columns.map((column) => printable(column ?? 'none'));
  const widths = titles.map((title, i) => Math.max(widthOf(title), ...cells.map((row) => row[i]!.length)));
  const line = (head: string, row: string[]) =>
    `${padEnd(head, 8)}${row.map((c, i) => padStart(c, widths[i]! + 2)).join('')}`;
  return [chalk.dim(line('class', titles)), ...rows.map((row, i) => line(printable(row ?? 'none'), cells[i]!))];
}

function burnDown({ history = [], forecast }: StatusReport): string[] {
  const lines = history.map(
    (p) =>
      `${printable(p.date.slice(0, 10))}  ${printable(p.commit.slice(0, 9)).padEnd(9)}  ${padStart(String(p.untagged), 4)} untagged  ${padStart(String(p.legacy), 4)} legacy  of ${p.total}`,
  );
  if (forecast === undefined || forecast === null) return lines;
  const pace =
    forecast.perWeek === null ? 'no pace can be measured' : `${Number(forecast.perWeek.toFixed(1))} loops a week`;
  const end = forecast.date === null ? 'no end in sight' : `nothing left by ${printable(forecast.date.slice(0, 10))}`;
  return [...lines, `Forecast: ${pace}, ${end}.`];
}
