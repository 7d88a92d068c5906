import { tagInForce } from '../../../model/tag-in-force.ts';
import { printable } from '../../escape.ts';
import { defineFormat, type InventoryReport } from '../../format.ts';
import { inventoryRows } from '../../inventory.ts';

const COLUMNS = [
  'number',
  'function',
  'file',
  'line',
  'lifecycle',
  'period_seconds',
  'project_id',
  'tagged_via',
  'marker',
  'class',
  'priority',
  'due_project_id',
  'api',
  'site',
];

export default defineFormat({
  name: 'csv',
  summary: 'the inventory for a spreadsheet',
  inventory: ({ analysis, reconciliation }: InventoryReport) => {
    const rows = inventoryRows(analysis, reconciliation).map(({ site, target, decision, number, name }) => [
      number,
      name,
      site.range.file,
      site.range.line,
      target?.facts.lifecycle ?? 'unknown',
      target?.facts.periodSeconds,
      tagInForce({ site, target })?.projectId,
      tagInForce({ site, target })?.via,
      decision?.marker,
      decision?.class,
      decision?.priority,
      decision?.projectId,
      site.api,
      site.id,
    ]);
    return [COLUMNS, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
  },
});

/** A spreadsheet takes a text that begins like a formula for one; the apostrophe says that it is text. */
function field(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = printable(value ?? '');
  const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
