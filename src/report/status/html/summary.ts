import type { Missing, Status } from '../../../model/index.ts';
import { nullLast } from '../../../model/order.ts';
import type { Language } from '../model.ts';
import { attribute, escapeHtml } from './escape.ts';
import { type TextKey, t, translated } from './texts.ts';

const TILES = [
  'tagged',
  'untagged',
  'wrong',
  'dynamic',
  'legacy',
  'undecided',
  'unlisted',
  'vanished',
  'traceId',
  'heartbeat',
] as const satisfies readonly (TextKey & keyof Status['totals'])[];

/** Zero of these is what everybody wants; they are shown only when there are some. */
const QUIET = new Set<string>(['wrong', 'dynamic', 'undecided', 'unlisted', 'vanished']);

export function totals({ totals: all }: Status, language: Language): string {
  const tiles = TILES.filter((key) => !QUIET.has(key) || all[key] > 0).map(
    (key) => `<div class="tile"><dt>${t(key, language)}</dt><dd>${all[key]}</dd></div>`,
  );
  return `<dl class="tiles"><div class="tile"><dt>${t('loops', language)}</dt><dd>${all.loops}</dd></div>${tiles.join('')}</dl>`;
}

export function milestones({ milestones: all }: Status, language: Language): string {
  if (all.length === 0) return '';
  const rows = all.map((m) => {
    const due = m.due === null ? '' : ` <span class="dim">${escapeHtml(m.due)}</span>`;
    const note = m.note === null ? '' : `<div class="dim">${escapeHtml(m.note)}</div>`;
    const cells = `<td>${translated(m.titles, language)}${note}${missing(m.missing, language)}</td><td>${translated(m.targets, language)}${due}</td>`;
    return `<tr>${verdict(m, language)}${cells}${progress(m)}</tr>`;
  });
  return table('milestones', ['state', 'item', 'target', 'progress'], rows, language);
}

export function acceptance({ acceptance: all }: Status, language: Language): string {
  if (all.length === 0) return '';
  const rows = all.map((a) => {
    const cells = `<td>${escapeHtml(a.document)}</td><td>${translated(a.titles, language)}${missing(a.missing, language)}</td>`;
    return `<tr>${verdict(a, language)}${cells}${progress(a)}</tr>`;
  });
  return table('acceptance', ['state', 'document', 'item', 'progress'], rows, language);
}

function table(id: TextKey, columns: TextKey[], rows: string[], language: Language): string {
  const head = columns.map((key) => t(key, language, 'th', ' scope="col"')).join('');
  return `<section id="${id}">${t(id, language, 'h2')}<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

type Judged = Pick<Status['acceptance'][number], 'met' | 'applies' | 'done' | 'total' | 'titles'>;

const VERDICTS = {
  open: ['?', 'notMeasured'],
  none: ['–', 'noSuchLoop'],
  good: ['✓', 'met'],
  bad: ['✗', 'notMet'],
} as const;

/** A sign and a word: colour alone says nothing to some readers and to most printers. */
function verdict({ met, applies }: Judged, language: Language): string {
  const style = met === null ? 'open' : !applies ? 'none' : met ? 'good' : 'bad';
  const [sign, key] = VERDICTS[style];
  return `<td class="${style}"><span aria-hidden="true">${sign}</span> ${t(key, language)}</td>`;
}

function progress({ met, applies, done, total, titles }: Judged): string {
  if (met === null || !applies) return '<td class="num">–</td>';
  const bar = `<progress value="${done}" max="${Math.max(1, total)}" aria-label="${attribute(titles.en)}"></progress>`;
  return `<td class="num">${done}/${total} ${bar}</td>`;
}

function missing(all: readonly Missing[], language: Language): string {
  if (all.length === 0) return '';
  const items = all.map(({ what, why, file, line }) => {
    const place = file === null ? '' : ` <code>${escapeHtml(line === null ? file : `${file}:${line}`)}</code>`;
    return `<li>${escapeHtml(what)}: ${escapeHtml(why)}${place}</li>`;
  });
  return `<details><summary>${all.length} ${t('missing', language)}</summary><ul>${items.join('')}</ul></details>`;
}

/** Class × priority; each cell is a filter for the table of loops. */
export function matrix({ matrix: cells }: Status, language: Language): string {
  if (cells.length === 0) return '';
  const rows = [...new Set(cells.map((cell) => cell.class))].sort(nullLast);
  const columns = [...new Set(cells.map((cell) => cell.priority))].sort(nullLast);
  const head = columns.map((column) => `<th scope="col">${name(column, language)}</th>`).join('');
  const body = rows.map((row) => {
    const line = columns.map((column) => {
      const cell = cells.find((c) => c.class === row && c.priority === column);
      if (!cell) return '<td class="num dim">·</td>';
      const style = cell.tagged === cell.total ? 'good' : cell.tagged === 0 ? 'bad' : 'some';
      const keys = `data-class="${attribute(row ?? '-')}" data-priority="${attribute(column ?? '-')}"`;
      return `<td class="num"><button type="button" class="cell ${style}" ${keys}>${cell.tagged}/${cell.total}</button></td>`;
    });
    return `<tr><th scope="row">${name(row, language)}</th>${line.join('')}</tr>`;
  });
  const corner = `<th>${t('class', language)} × ${t('priority', language)}</th>`;
  return `<section id="matrix">${t('matrix', language, 'h2')}${t('matrixHint', language, 'p', ' class="dim noprint"')}<table class="matrix"><thead><tr>${corner}${head}</tr></thead><tbody>${body.join('')}</tbody></table></section>`;
}

export function name(value: string | null, language: Language): string {
  return value === null ? t('none', language) : escapeHtml(value);
}
