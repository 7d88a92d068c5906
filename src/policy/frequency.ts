import type { Catalogue, Frequency } from '../model/index.ts';

type Language = Catalogue['language'];
type Unit = 's' | 'min' | 'h' | 'd' | 'w';

const SECONDS: Record<Unit, number> = { s: 1, min: 60, h: 3600, d: 86_400, w: 604_800 };

const UNITS: Record<string, number> = {
  ms: 0.001,
  毫秒: 0.001,
  ...Object.fromEntries('s sec secs second seconds 秒 秒鐘 秒钟'.split(' ').map((u) => [u, 1])),
  ...Object.fromEntries('m min mins minute minutes 分 分鐘 分钟'.split(' ').map((u) => [u, 60])),
  ...Object.fromEntries('h hr hrs hour hours 小時 小时 時 鐘頭 钟头'.split(' ').map((u) => [u, 3600])),
  ...Object.fromEntries('d day days 日 天'.split(' ').map((u) => [u, 86_400])),
  ...Object.fromEntries('w week weeks 週 周 星期 禮拜 礼拜'.split(' ').map((u) => [u, 604_800])),
};
const UNIT_NAMES = Object.keys(UNITS).sort((a, b) => b.length - a.length);

/** Words that are a period by themselves. */
const PERIODS: Record<string, number> = {
  minutely: 60,
  hourly: 3600,
  'half-hourly': 1800,
  daily: 86_400,
  nightly: 86_400,
  weekly: 604_800,
  fortnightly: 1_209_600,
  每晚: 86_400,
  每夜: 86_400,
};

const DIGITS: Record<string, number> = {
  一: 1,
  二: 2,
  兩: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  半: 0.5,
};

const ONCE =
  /^(?:僅|只)?(?:在)?(?:啟動|启动|開機|开机)(?:時|时|後|后)?(?:跑|執行|执行)?(?:一次|1 ?次)?(?:性)?$|^(?:一次|一次性|單次|单次)$|^(?:run )?(?:only )?once(?: (?:on|at) (?:start-?up|boot))?$|^(?:on|at) (?:start-?up|boot)(?: once)?$|^start-?up(?: (?:once|only))?$|^one[- ]?shot$/;
const OPEN =
  /^(?:tbd|tba|todo|\?+|…|\.{3}|unknown|未知|未定|待定|待補|待补|待查|(?:需|待|尚未|未)(?:確認|确认)|to be (?:confirmed|determined)|unconfirmed|undecided)?$/;
const NONE = /^(?:n\/?a|-+|—+|–+|none|無|无)$/;

/** Lower case, half width, one space, outer brackets and underscores off: what words are compared by. */
export function normalise(text: string): string {
  const flat = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
  const bare = flat.replace(/^_+|_+$/g, '').trim();
  const inner = /^[([【「](.*)[)\]】」]$/.exec(bare)?.[1];
  return inner === undefined ? bare : inner.trim();
}

/** `TBD`, `（需確認）`, `?`, nothing at all: a cell that waits for its content. */
export function isOpen(text: string): boolean {
  return OPEN.test(normalise(text));
}

/** A cell that says nothing: open, or said to be none (`N/A`, `-`, `無`). */
export function isPlaceholder(text: string): boolean {
  const flat = normalise(text);
  return OPEN.test(flat) || NONE.test(flat);
}

function chineseNumber(text: string): { value: number; length: number } | null {
  const m = /^([一二兩两三四五六七八九])?十([一二三四五六七八九])?/.exec(text);
  if (m) return { value: (DIGITS[m[1] ?? '一'] ?? 1) * 10 + (DIGITS[m[2] ?? ''] ?? 0), length: m[0].length };
  const one = DIGITS[text[0] ?? ''];
  return one === undefined ? null : { value: one, length: 1 };
}

function numberAt(text: string): { value: number; length: number } | null {
  const m = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?/.exec(text);
  if (m) return { value: Number(m[0].replaceAll(',', '')), length: m[0].length };
  const half = /^half (?:an? )?/.exec(text);
  if (half) return { value: 0.5, length: half[0].length };
  const article = /^(?:an?|one) /.exec(text);
  if (article) return { value: 1, length: article[0].length };
  return chineseNumber(text);
}

/** A sum of quantities at the start (`1h30m`, `5 minutes`, `日`), with what is left. */
function durationAt(text: string, unitAlone: boolean): { seconds: number; rest: string } | null {
  let rest = text;
  let seconds = 0;
  let found = false;
  for (;;) {
    const trimmed = rest.replace(/^ /, '');
    const number = numberAt(trimmed);
    if (!number && (found || !unitAlone)) break;
    const afterNumber = trimmed.slice(number?.length ?? 0).replace(/^ ?(?:個|个)?/, '');
    const unit = UNIT_NAMES.find(
      (u) => afterNumber.startsWith(u) && !(/[a-z]$/.test(u) && /^[a-z]/.test(afterNumber.slice(u.length))),
    );
    if (!unit) break;
    seconds += (number?.value ?? 1) * (UNITS[unit] ?? 0);
    rest = afterNumber.slice(unit.length);
    found = true;
    if (!number) break;
  }
  return found ? { seconds: Math.round(seconds * 1000) / 1000, rest } : null;
}

function periodOf(text: string): number | null {
  const bare = text.replace(/^(?:約|约|大約|approx\.?|about|~|≈|ca\.?|@)\s*/, '');
  const word = /^[a-z-]+|^每[晚夜]/.exec(bare)?.[0] ?? '';
  if (Object.hasOwn(PERIODS, word)) return PERIODS[word] ?? null;
  const each = /^(?:每隔|每|every|each|once (?:every|per|an?)|once (?=daily|hourly|weekly)|per)\s*/.exec(bare);
  const after = each ? bare.slice(each[0].length) : bare;
  const again = /^[a-z-]+/.exec(after)?.[0] ?? '';
  if (each && Object.hasOwn(PERIODS, again)) return PERIODS[again] ?? null;
  const about = after.replace(/^(?:約|约|~|≈|about )\s*/, '');
  const duration = durationAt(about, each !== null);
  if (!duration) return null;
  // A range (`5~10 min`, `5min-10min`) or a rest that goes on as a word is no single period.
  if (/^\s*(?:[~\-–～至到]|to )\s*\d/.test(duration.rest) || /^[a-z0-9]/.test(duration.rest)) return null;
  return duration.seconds > 0 ? duration.seconds : null;
}

/** Reads a frequency in either vocabulary: `每 5min`, `每日`, `啟動一次`, `every 6 h`, `daily`, `once`, `TBD`. */
export function parseFrequency(text: string): Frequency {
  const flat = normalise(text);
  if (isPlaceholder(text)) return { text, seconds: null, kind: 'unknown' };
  const head = flat.replace(/\s*\(.*$/, '');
  if (ONCE.test(flat) || ONCE.test(head)) return { text, seconds: null, kind: 'once' };
  const seconds = periodOf(flat);
  if (seconds !== null) return { text, seconds, kind: 'periodic' };
  return { text, seconds: null, kind: 'unknown' };
}

/** How a document spells frequencies, learned from its cells. */
export interface FrequencyStyle {
  /** Spellings seen, by seconds (0 = once). */
  words: Map<number, string>;
  prefix: string;
  /** Between number and unit. */
  gap: string;
  units: Partial<Record<Unit, string>>;
}

const DEFAULTS: Record<Language, { prefix: string; gap: string; once: string; units: Record<Unit, string> }> = {
  'zh-TW': { prefix: '每 ', gap: '', once: '啟動一次', units: { s: 's', min: 'min', h: 'h', d: ' 天', w: ' 週' } },
  en: { prefix: 'every ', gap: ' ', once: 'once', units: { s: 's', min: 'min', h: 'h', d: 'days', w: 'weeks' } },
};
const NAMED: Record<Language, Record<number, string>> = {
  'zh-TW': { 86400: '每日', 604800: '每週' },
  en: { 3600: 'hourly', 86400: 'daily', 604800: 'weekly' },
};

/** Learns prefix, spacing and units from the frequencies of a document. */
export function learnStyle(texts: Iterable<string>, language: Language): FrequencyStyle {
  const base = DEFAULTS[language];
  const style: FrequencyStyle = { words: new Map(), prefix: base.prefix, gap: base.gap, units: {} };
  let learned = false;
  for (const raw of texts) {
    const text = raw.trim();
    const read = parseFrequency(text);
    if (read.kind === 'unknown' || /[(（]/.test(text)) continue;
    const key = read.seconds ?? 0;
    if (!style.words.has(key)) style.words.set(key, text);
    const parts = /^(每隔|每|every|each|)(\s*)(\d+(?:\.\d+)?)(\s*)(\p{L}+)$/iu.exec(text);
    if (!parts || read.seconds === null) continue;
    const size = read.seconds / Number(parts[3]);
    const unit = (Object.keys(SECONDS) as Unit[]).find((u) => SECONDS[u] === size);
    if (unit) style.units[unit] ??= parts[5] ?? '';
    if (!learned) {
      style.prefix = `${parts[1]}${parts[2]}`;
      style.gap = parts[4] ?? '';
      learned = true;
    }
  }
  return style;
}

/** Writes a period (or `'once'`) in the words of the document. Reading it back gives the same seconds. */
export function formatFrequency(seconds: number | 'once', language: Language, style?: FrequencyStyle): string {
  const base = DEFAULTS[language];
  const known = style?.words.get(seconds === 'once' ? 0 : seconds);
  if (known !== undefined) return known;
  if (seconds === 'once') return base.once;
  const named = NAMED[language][seconds];
  if (named !== undefined && style?.units.h === undefined) return named;
  if (named !== undefined && seconds !== 3600) return named;
  const unit =
    (['w', 'd', 'h', 'min'] as const).find((u) => seconds >= SECONDS[u] && seconds % SECONDS[u] === 0) ?? 's';
  const count = seconds / SECONDS[unit];
  const own = style?.units[unit];
  const { prefix, gap } = style ?? base;
  const text = `${prefix}${count}${own ? gap : base.gap}${singular(own || base.units[unit], count)}`;
  return parseFrequency(text).seconds === seconds ? text : `${base.prefix}${seconds}${base.gap}${base.units.s}`;
}

function singular(unit: string, count: number): string {
  return count === 1 && /^[a-z]{2,}s$/.test(unit) ? unit.slice(0, -1) : unit;
}
