import type { Catalogue, Cell, Column, Decision, Entry, Policy } from '../../model/index.ts';
import { type FrequencyStyle, isPlaceholder, learnStyle } from '../frequency.ts';
import { writeCode, writeText } from '../markdown/cells.ts';

/** How a catalogue writes its cells, learned from its rows. */
export interface CellStyle {
  frequency: FrequencyStyle;
  name(name: string): string;
  marker(marker: string): string;
  priority(priority: string | null): string;
  /** What stands for something not known. */
  unknown: string;
}

function most(texts: string[]): string | null {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  let best: string | null = null;
  for (const [text, count] of counts) if (best === null || count > (counts.get(best) ?? 0)) best = text;
  return best;
}

function raws(entries: Entry[], column: Column, holds: (entry: Entry, cell: Cell) => boolean): string[] {
  return entries.flatMap((entry) => {
    const cell = entry.cells[column];
    return cell && !entry.struck && holds(entry, cell) ? [cell.raw] : [];
  });
}

/** Learns the style of a catalogue; an empty one gets INV-8's. */
export function learnCells(catalogue: Catalogue): CellStyle {
  const { entries, language } = catalogue;
  const names = raws(entries, 'function', (e) => e.name !== null);
  const coded = names.length === 0 || names.filter((n) => n.includes('`')).length * 2 >= names.length;
  const called = names.length === 0 || names.filter((n) => n.includes(')')).length * 2 >= names.length;
  const marked = raws(entries, 'marker', (e) => e.marker !== null);
  const markerCoded = marked.length === 0 || marked.filter((m) => m.includes('`')).length * 2 >= marked.length;
  return {
    frequency: learnStyle(
      entries.map((e) => e.frequency.text),
      language,
    ),
    name(name) {
      const text = called || isPlaceholder(name) ? `${name}()` : name;
      return coded || /^_.*_$/.test(name) ? writeCode(text) : writeText(text);
    },
    marker(marker) {
      const known = most(raws(entries, 'marker', (e, cell) => e.marker === marker && cell.text === marker));
      return known ?? (markerCoded || /^_.*_$/.test(marker) ? writeCode(marker) : writeText(marker));
    },
    priority(priority) {
      if (priority === null) return 'N/A';
      return (
        most(raws(entries, 'priority', (e, cell) => e.priority === priority && !/[(（]/.test(cell.text))) ?? priority
      );
    },
    unknown: language === 'zh-TW' ? '（需確認）' : 'TBD',
  };
}

/** Why a decision is what it is, in the document's language: the policy's own words. */
export function becauseOf(decision: Decision, policy: Policy, language: Catalogue['language']): string {
  const rule = policy.suggestions.find((r) => decision.reasons.some((reason) => reason.endsWith(`: ${r.because}`)));
  if (rule) return (language === 'zh-TW' ? rule['zh-TW']?.because : undefined) ?? rule.because;
  const named = policy.named.find((n) => decision.reasons.some((reason) => reason.includes(`names \`${n.name}\``)));
  if (named) return language === 'zh-TW' ? `${policy.title} 已列名` : `named by ${policy.title}`;
  return decision.reasons[0] ?? '';
}
