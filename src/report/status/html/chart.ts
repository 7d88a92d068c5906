import type { HistoryPoint, Language, StatusReport } from '../model.ts';
import { escapeHtml } from './escape.ts';
import { t, word } from './texts.ts';

const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 44;
const RIGHT = 16;
const TOP = 16;
const BOTTOM = 34;
const DAY = 86_400_000;
/** More points than this get no dot of their own. */
const DOTS = 80;

const LINES = ['total', 'legacy', 'untagged'] as const;

interface Scale {
  x(time: number): number;
  y(count: number): number;
  from: number;
  to: number;
  top: number;
}

/** The burn-down as SVG; a sentence when there is no history. */
export function burnDown(report: StatusReport, language: Language): string {
  const points = (report.history ?? []).filter((p) => Number.isFinite(Date.parse(p.date)));
  const forecast = forecastText(report, language);
  if (points.length === 0) return `${t('noHistory', language, 'p')}${forecast}`;
  const end = report.forecast?.date ? Date.parse(report.forecast.date) : Number.NaN;
  const scale = scaleOf(points, end);
  const parts = [
    grid(scale),
    ...LINES.map((line) => series(points, line, scale)),
    projection(points, end, scale),
    legend(language),
  ];
  const title = escapeHtml(word('burndown', language));
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" class="chart">${parts.join('')}</svg>${forecast}`;
}

function scaleOf(points: readonly HistoryPoint[], end: number): Scale {
  const times = points.map((p) => Date.parse(p.date));
  const from = Math.min(...times);
  const to = Math.max(...times, ...(Number.isFinite(end) ? [end] : []), from + DAY);
  const top = Math.max(1, ...points.map((p) => Math.max(p.total, p.legacy, p.untagged)));
  return {
    x: (time) => round(LEFT + ((time - from) / (to - from)) * (WIDTH - LEFT - RIGHT)),
    y: (count) => round(TOP + (1 - count / top) * (HEIGHT - TOP - BOTTOM)),
    from,
    to,
    top,
  };
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function grid(scale: Scale): string {
  const step = niceStep(scale.top);
  const lines: string[] = [];
  for (let count = 0; count <= scale.top; count += step) {
    const y = scale.y(count);
    lines.push(`<line class="grid" x1="${LEFT}" y1="${y}" x2="${WIDTH - RIGHT}" y2="${y}"/>`);
    lines.push(`<text class="tick end" x="${LEFT - 6}" y="${y + 4}">${count}</text>`);
  }
  for (let i = 0; i <= 3; i++) {
    const time = scale.from + ((scale.to - scale.from) * i) / 3;
    const anchor = i === 0 ? 'start' : i === 3 ? 'end' : 'middle';
    lines.push(`<text class="tick ${anchor}" x="${scale.x(time)}" y="${HEIGHT - 12}">${isoDay(time)}</text>`);
  }
  return lines.join('');
}

function niceStep(top: number): number {
  const rough = top / 5;
  const size = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  return Math.max(1, [1, 2, 5, 10].map((n) => n * size).find((n) => n >= rough) ?? size * 10);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Steps rather than slopes: a count changes with a commit, not between two. */
function series(points: readonly HistoryPoint[], line: (typeof LINES)[number], scale: Scale): string {
  const places = points.map((p) => [scale.x(Date.parse(p.date)), scale.y(p[line])] as const);
  const path = places.map(([x, y], i) => (i === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('');
  const dots = points.length > DOTS ? [] : places.map(([x, y], i) => dot(points[i]!, line, x, y));
  return `<path class="line ${line}" d="${path}"/>${dots.join('')}`;
}

function dot(point: HistoryPoint, line: (typeof LINES)[number], x: number, y: number): string {
  const text = `${point.date.slice(0, 10)} ${point.commit.slice(0, 9)}: ${point[line]} / ${point.total}`;
  return `<circle class="dot ${line}" cx="${x}" cy="${y}" r="3"><title>${escapeHtml(text)}</title></circle>`;
}

function projection(points: readonly HistoryPoint[], end: number, scale: Scale): string {
  const last = points[points.length - 1]!;
  if (!Number.isFinite(end) || end <= Date.parse(last.date)) return '';
  const [x, y] = [scale.x(Date.parse(last.date)), scale.y(Math.max(last.untagged, last.legacy))];
  return `<line class="line legacy dashed" x1="${x}" y1="${y}" x2="${scale.x(end)}" y2="${scale.y(0)}"/>`;
}

function legend(language: Language): string {
  return LINES.map((line, i) => {
    const x = WIDTH - RIGHT - 330 + i * 115;
    return `<rect class="key ${line}" x="${x}" y="2" width="12" height="10"/>${t(line, language, 'text', ` class="tick" x="${x + 17}" y="11"`)}`;
  }).join('');
}

function forecastText({ forecast }: StatusReport, language: Language): string {
  if (!forecast) return '';
  const pace = forecast.perWeek === null ? '' : ` (${Number(forecast.perWeek.toFixed(1))} ${t('perWeek', language)})`;
  const end = forecast.date === null ? t('noForecast', language) : `<b>${escapeHtml(forecast.date.slice(0, 10))}</b>`;
  return `<p id="forecast">${t('forecast', language)}: ${end}${pace}</p>`;
}
