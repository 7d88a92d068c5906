import type { InventoryReport } from '../../format.ts';
import { inventoryRows, inventorySummary, periodText, tagText } from '../../inventory.ts';
import { cell, code } from './escape.ts';

/** The sites as a table, with the columns of the text format. */
export function inventoryMarkdown({ analysis, reconciliation }: InventoryReport): string {
  const { sites, loops, oneShot, unknown, tagged, untagged } = inventorySummary(analysis);
  const rows = inventoryRows(analysis, reconciliation).map(({ site, target, decision, number, name }) =>
    [
      number,
      code(name),
      code(`${site.range.file}:${site.range.line}`),
      target?.facts.lifecycle ?? 'unknown',
      periodText(target?.facts),
      cell(tagText({ site, target })),
      cell(decision?.marker ?? ''),
      cell(decision?.priority ?? ''),
    ].join(' | '),
  );
  const table = [
    '| # | function | place | what | period | tag | marker | priority |',
    '|---|---|---|---|---|---|---|---|',
  ];
  return [
    `### looptag: ${sites} spawn sites`,
    '',
    `${loops} loops, ${oneShot} one-shots, ${unknown} unknown; ${tagged} tagged, ${untagged} untagged.`,
    ...(reconciliation ? ['', cell(reconciliation.verdict)] : []),
    ...(rows.length > 0 ? ['', ...table, ...rows.map((row) => `| ${row} |`)] : []),
    ...analysis.errors.map(
      ({ file, line, column, message }) => `\n- ${code(`${file}:${line}:${column}`)} ${cell(message)}`,
    ),
    '',
  ].join('\n');
}
