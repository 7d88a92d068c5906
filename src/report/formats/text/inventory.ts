import type { Mention, Reconciliation } from '../../../model/index.ts';
import { plural } from '../../../model/plural.ts';
import { printable } from '../../escape.ts';
import type { InventoryReport, ReportOptions } from '../../format.ts';
import {
  type InventoryRow,
  inventoryRows,
  inventorySummary,
  missedByGrep,
  periodText,
  scheduledText,
  tagText,
} from '../../inventory.ts';
import { truncate } from '../../width.ts';
import { type Column, layOut } from './table.ts';

const NONE = '–';
const LONGEST_CELL = 80;

interface TableColumn extends Column {
  cell(row: InventoryRow): string;
  /** Only with a catalogue. */
  catalogue?: boolean;
}

const COLUMNS: readonly TableColumn[] = [
  { title: '#', align: 'right', catalogue: true, cell: ({ number }) => number || NONE },
  { title: 'FUNCTION', align: 'left', least: 16, cell: ({ name }) => name.replace(/\s+/g, ' ') },
  { title: 'LINE', align: 'right', cell: ({ site }) => String(site.range.line) },
  { title: 'WHAT', align: 'left', cell: ({ target }) => target?.facts.lifecycle ?? 'unknown' },
  { title: 'PERIOD', align: 'right', cell: ({ target }) => periodText(target?.facts) || NONE },
  { title: 'TAG', align: 'left', least: 8, cell: (row) => tagText(row) || NONE },
  { title: 'MARKER', align: 'left', least: 8, catalogue: true, cell: ({ decision }) => decision?.marker ?? NONE },
  { title: 'PRIORITY', align: 'left', catalogue: true, cell: ({ decision }) => decision?.priority ?? NONE },
];

/** For people: the sites as a table, file by file, then everything else that was found. */
export function inventoryText(report: InventoryReport, options: ReportOptions): string {
  const { analysis, reconciliation } = report;
  const { chalk } = options;
  const rows = inventoryRows(analysis, reconciliation);
  const columns = COLUMNS.filter(({ catalogue }) => reconciliation !== null || !catalogue);
  const files = [...new Set(rows.map(({ site }) => site.range.file))];
  const tables = files.map((file) => {
    const own = rows.filter(({ site }) => site.range.file === file);
    return [chalk.bold(printable(file)), ...tableRows(columns, own, options)];
  });
  const sections = [
    ...tables,
    section('Rows of the catalogue that no code spawns', staleRows(reconciliation)),
    section('Rows of the catalogue that no code spawns by name', dynamicRows(reconciliation)),
    section('Spawns that a plain grep misses', missedRows(report)),
    section('Lines that grep hits and that spawn nothing', mentionRows(analysis.mentions, options.width)),
    section(
      'Scheduled without a task of its own',
      analysis.scheduled.map((s) => `${s.file}:${s.line}  ${scheduledText(s)}`),
    ),
    section(
      'Not analysed',
      analysis.errors.map((e) => `${e.file}:${e.line}:${e.column}  ${e.message}`),
    ),
    [summaryLine(report), ...(reconciliation ? [printable(reconciliation.verdict)] : [])],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function tableRows(columns: readonly TableColumn[], rows: readonly InventoryRow[], options: ReportOptions): string[] {
  const { chalk, width } = options;
  const texts = rows.map((row) => columns.map((column) => truncate(printable(column.cell(row)), LONGEST_CELL)));
  const paint = (cell: string, column: number, row: number) => {
    if (row < 0) return chalk.dim(cell);
    return columns[column]!.title === 'TAG' && cell.trim() === NONE ? chalk.yellow(cell) : cell;
  };
  return layOut(columns, texts, width, paint) ?? texts.flatMap((cells) => stacked(columns, cells, width));
}

/** Two lines a row, for terminals too narrow for any table. */
function stacked(columns: readonly TableColumn[], cells: readonly string[], width: number): string[] {
  const cell = (title: string) => cells[columns.findIndex((column) => column.title === title)] ?? NONE;
  const number = cell('#') === NONE ? '' : `#${cell('#')} `;
  const tag = cell('TAG') === NONE ? 'no tag' : cell('TAG');
  const details = [cell('WHAT'), cell('PERIOD'), tag, cell('PRIORITY'), cell('MARKER')].filter((text) => text !== NONE);
  return [truncate(`${number}${cell('FUNCTION')}:${cell('LINE')}`, width), truncate(`  ${details.join(' · ')}`, width)];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title} (${lines.length}):`, ...lines.map((line) => `  ${printable(line)}`)];
}

function staleRows(reconciliation: Reconciliation | null): string[] {
  return (reconciliation?.stale ?? []).map(
    ({ number, name, row }) => `#${number ?? '?'}  ${name ?? NONE}  (row in line ${row})`,
  );
}

function dynamicRows(reconciliation: Reconciliation | null): string[] {
  return (reconciliation?.dynamic ?? []).map(
    ({ entry: { number, name, row }, site: { range } }) =>
      `#${number ?? '?'}  ${name ?? NONE}  (row in line ${row}; may be started by ${range.file}:${range.line})`,
  );
}

function missedRows({ analysis }: InventoryReport): string[] {
  return missedByGrep(analysis).map(
    ({ range, api, argument }) => `${range.file}:${range.line}  ${api}  ${argument.replace(/\s+/g, ' ')}`,
  );
}

function mentionRows(mentions: readonly Mention[], width: number): string[] {
  return mentions.map(({ file, line, kind, text, spawns, detail }) => {
    const what = `${file}:${line}  ${kind}${spawns ? ` (will spawn ${spawns})` : ''}`;
    return truncate(`${what}  ${printable(detail ?? text.trim())}`, Math.max(width - 2, 40));
  });
}

function summaryLine({ analysis }: InventoryReport): string {
  const s = inventorySummary(analysis);
  const kinds = [
    plural(s.loops, 'loop'),
    plural(s.oneShot, 'one-shot'),
    ...(s.unknown > 0 ? [`${s.unknown} unknown`] : []),
  ].join(', ');
  return `${plural(s.sites, 'spawn site')} in ${plural(s.files, 'file')}: ${kinds}; ${s.tagged} tagged, ${s.untagged} untagged; grep asyncio.create_task hits ${plural(s.grepLines, 'line')}.`;
}
