import type { LoopStatus, Status } from '../../../model/index.ts';
import { nullLast } from '../../../model/order.ts';
import type { Language, StatusReport } from '../model.ts';
import { attribute, escapeHtml } from './escape.ts';
import { name } from './summary.ts';
import { type TextKey, t } from './texts.ts';

/** Columns of the table; each can be sorted by. */
const COLUMNS = [
  'number',
  'name',
  'class',
  'priority',
  'state',
  'projectId',
  'period',
  'traceId',
  'heartbeat',
  'place',
] as const;

const STATES = ['tagged', 'untagged', 'wrong', 'dynamic', 'legacy'] as const satisfies readonly TextKey[];

const SIGNS: Record<LoopStatus['tag'], [sign: string, style: string]> = {
  tagged: ['✓', 'good'],
  untagged: ['✗', 'bad'],
  wrong: ['✗', 'bad'],
  dynamic: ['?', 'open'],
};

/** The table of all loops with its filters. Complete without a script, but for the details. */
export function loopTable({ status }: StatusReport, language: Language): string {
  const head = COLUMNS.map(
    (key) =>
      `<th scope="col" data-sort="${key}"><button type="button">${t(key, language)}<span class="arrow" aria-hidden="true"></span></button></th>`,
  ).join('');
  const rows = status.loops.map((loop, i) => row(loop, i, language)).join('');
  return `<section id="loops">${t('allLoops', language, 'h2')}${filters(status, language)}<div class="scroll"><table id="table"><thead><tr><th scope="col"><span class="hidden">${t('details', language)}</span></th>${head}</tr></thead><tbody>${rows}</tbody></table></div>${t('nothing', language, 'p', ' id="nothing" hidden')}</section>`;
}

function filters(status: Status, language: Language): string {
  const classes = [...new Set(status.loops.map((l) => l.class))].sort(nullLast);
  const priorities = [...new Set(status.loops.map((l) => l.priority))].sort(nullLast);
  const parts = [
    `<label>${t('search', language)} <input id="search" type="search" autocomplete="off" spellcheck="false"></label>`,
    choice(
      'class',
      classes.map((c) => option(c ?? '-', c, language)),
      language,
    ),
    choice(
      'priority',
      priorities.map((p) => option(p ?? '-', p, language)),
      language,
    ),
    choice(
      'state',
      STATES.map((s) => t(s, language, 'option', ` value="${s}"`)),
      language,
    ),
    t('reset', language, 'button', ' type="button" id="clear"'),
    `<span id="count" role="status"><b>${status.loops.length}</b>/${status.loops.length} ${t('shown', language)}</span>`,
    t('keys', language, 'span', ' class="dim"'),
  ];
  return `<form id="filters" class="noprint" role="search">${parts.join('')}</form>`;
}

function choice(key: 'class' | 'priority' | 'state', options: string[], language: Language): string {
  return `<label>${t(key, language)} <select id="by-${key}">${t('all', language, 'option', ' value=""')}${options.join('')}</select></label>`;
}

function option(value: string, text: string | null, language: Language): string {
  if (text === null) return t('none', language, 'option', ` value="${attribute(value)}"`);
  return `<option value="${attribute(value)}">${escapeHtml(text)}</option>`;
}

function row(loop: LoopStatus, index: number, language: Language): string {
  const [sign, style] = SIGNS[loop.tag];
  const legacy = loop.legacy ? ` <span class="badge">${t('legacy', language)}</span>` : '';
  const id = loop.actual ?? '–';
  const open = `<button type="button" class="toggle" aria-expanded="false" aria-controls="d${index}" aria-label="${attribute(loop.name)}">▸</button>`;
  const cells = [
    `<td>${open}</td>`,
    `<td class="num">${loop.number ?? '–'}</td>`,
    `<th scope="row"><code>${escapeHtml(loop.name)}</code></th>`,
    `<td>${name(loop.class, language)}</td>`,
    `<td>${name(loop.priority, language)}</td>`,
    `<td class="${style}"><span aria-hidden="true">${sign}</span> ${t(loop.tag, language)}${legacy}</td>`,
    `<td><code>${escapeHtml(id)}</code></td>`,
    `<td class="num">${period(loop, language)}</td>`,
    flag(loop.traceId),
    flag(loop.heartbeat),
    `<td><code>${escapeHtml(`${loop.file}:${loop.line}`)}</code></td>`,
  ];
  return `<tr class="loop" data-i="${index}">${cells.join('')}</tr>`;
}

function flag(value: boolean): string {
  return value ? '<td class="good">✓</td>' : '<td class="dim">–</td>';
}

function period(loop: LoopStatus, language: Language): string {
  if (loop.lifecycle === 'one-shot') return t('once', language);
  return loop.periodSeconds === null ? t('unknown', language) : escapeHtml(seconds(loop.periodSeconds));
}

function seconds(value: number): string {
  const units: [number, string][] = [
    [86_400, 'd'],
    [3600, 'h'],
    [60, 'min'],
  ];
  const unit = units.find(([size]) => value >= size && value % size === 0);
  return unit ? `${value / unit[0]} ${unit[1]}` : `${Number(value.toFixed(3))} s`;
}

/** What the script needs to filter, sort and unfold. */
export function loopData({ status, evidence = {} }: StatusReport) {
  return status.loops.map((loop) => ({
    number: loop.number,
    name: loop.name,
    class: loop.class,
    priority: loop.priority,
    state: loop.tag,
    legacy: loop.legacy,
    projectId: loop.actual,
    expected: loop.expected,
    marker: loop.marker,
    batch: loop.batch,
    period: loop.lifecycle === 'one-shot' ? 0 : loop.periodSeconds,
    traceId: loop.traceId,
    heartbeat: loop.heartbeat,
    place: `${loop.file}:${String(loop.line).padStart(7, '0')}`,
    file: loop.file,
    line: loop.line,
    sites: loop.sites,
    reasons: loop.reasons,
    missing: loop.missing,
    evidence: loop.sites.flatMap((site) => (Object.hasOwn(evidence, site) ? evidence[site]! : [])),
  }));
}
