/** A cell between two pipes. Same shape as the model's `Cell` without its text. */
export interface RawCell {
  start: number;
  end: number;
}

const BACKSLASH = 92;
const PIPE = 124;
const BACKTICK = 96;

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** The end of the code span that opens at `at`, or -1 when the run of back-ticks is never closed before `end`. */
function codeSpanEnd(text: string, at: number, end: number): number {
  let open = at;
  while (open < end && text.charCodeAt(open) === BACKTICK) open++;
  const length = open - at;
  for (let i = open; i < end; ) {
    if (text.charCodeAt(i) !== BACKTICK) {
      i++;
      continue;
    }
    let close = i;
    while (close < end && text.charCodeAt(close) === BACKTICK) close++;
    if (close - i === length) return close;
    i = close;
  }
  return -1;
}

/**
 * Cells of a table row as GFM counts them: every pipe divides unless a backslash stands before it, back-ticks or not.
 * With `spansHold` a pipe inside a code span does not divide: what the author most likely meant.
 */
export function splitRow(text: string, from: number, to: number, spansHold = false): RawCell[] {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  if (text.charCodeAt(start) === PIPE && start < end) start++;
  const cells: RawCell[] = [];
  let open = start;
  let closed = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    closed = false;
    if (code === BACKSLASH && (text.charCodeAt(i + 1) === PIPE || text.charCodeAt(i + 1) === BACKSLASH)) {
      i++;
    } else if (spansHold && code === BACKTICK) {
      const close = codeSpanEnd(text, i, end);
      if (close > 0) i = close - 1;
      else while (text.charCodeAt(i + 1) === BACKTICK) i++;
    } else if (code === PIPE) {
      cells.push({ start: open, end: i });
      open = i + 1;
      closed = true;
    }
  }
  if (!closed && (open < end || cells.length === 0)) cells.push({ start: open, end });
  return cells;
}

interface Piece {
  kind: 'text' | 'code' | 'mark';
  value: string;
  /** A mark that found its partner. */
  paired?: boolean;
}

/** A cell's content without Markdown's mark-up. */
interface Plain {
  text: string;
  /** The contents of its code spans. */
  code: string[];
  /** All of it is struck out. */
  struck: boolean;
}

const PUNCTUATION = new Set('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');

function readCode(span: string): string {
  const ticks = /^`+/.exec(span)?.[0].length ?? 0;
  let inner = span.slice(ticks, -ticks).replace(/\\([\\|])/g, (whole, c) => (c === '|' ? c : whole));
  if (inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '') {
    inner = inner.slice(1, -1);
  }
  return inner;
}

/** Longest link that is looked for: hostile cells must not take quadratic time. */
const LINK = 2000;

/** `[label](destination)` at `at`: its label and end, or null. */
function linkAt(whole: string, at: number): { label: string; end: number } | null {
  let depth = 0;
  const raw = whole.slice(0, at + LINK);
  for (let i = at; i < raw.length; i++) {
    const c = raw[i];
    if (c === '\\') i++;
    else if (c === '`') {
      const close = codeSpanEnd(raw, i, raw.length);
      if (close > 0) i = close - 1;
    } else if (c === '[') depth++;
    else if (c === ']' && --depth === 0) {
      if (raw[i + 1] !== '(') return null;
      const end = raw.indexOf(')', i + 2);
      return end < 0 ? null : { label: raw.slice(at + 1, i), end: end + 1 };
    }
  }
  return null;
}

function tokenise(raw: string, pieces: Piece[]): void {
  let plain = '';
  const flush = () => {
    if (plain) pieces.push({ kind: 'text', value: plain });
    plain = '';
  };
  for (let i = 0; i < raw.length; ) {
    const c = raw[i] ?? '';
    if (c === '\\' && PUNCTUATION.has(raw[i + 1] ?? '')) {
      plain += raw[i + 1];
      i += 2;
    } else if (c === '`') {
      const close = codeSpanEnd(raw, i, raw.length);
      const end = close > 0 ? close : i + (/^`+/.exec(raw.slice(i))?.[0].length ?? 1);
      if (close > 0) {
        flush();
        pieces.push({ kind: 'code', value: readCode(raw.slice(i, close)) });
      } else plain += raw.slice(i, end);
      i = end;
    } else if (c === '*' || (c === '~' && raw[i + 1] === '~')) {
      let end = i;
      while (raw[end] === c) end++;
      flush();
      pieces.push({ kind: 'mark', value: raw.slice(i, end) });
      i = end;
    } else {
      const link = c === '[' ? linkAt(raw, i) : null;
      if (link) {
        flush();
        tokenise(link.label, pieces);
        i = link.end;
      } else {
        plain += c;
        i++;
      }
    }
  }
  flush();
}

/**
 * Pairs emphasis and strike-through marks. CommonMark's flanking rules are not used: they leave `**…（核心）**迴圈`
 * unpaired although its author meant bold.
 */
function pairMarks(pieces: Piece[]): void {
  const open: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'mark') continue;
    const before = pieces[index - 1];
    const after = pieces[index + 1];
    const partner = open.findLastIndex((i) => pieces[i]?.value === piece.value);
    if (partner >= 0 && before && !(before.kind === 'text' && /\s$/.test(before.value))) {
      const opener = pieces[open[partner] ?? -1];
      if (opener) opener.paired = true;
      piece.paired = true;
      open.length = partner;
    } else if (after && !(after.kind === 'text' && /^\s/.test(after.value))) open.push(index);
  }
}

/** Reads a cell. Underscores are never emphasis: `__platform__` is an id. */
export function readCell(raw: string): Plain {
  const pieces: Piece[] = [];
  tokenise(raw, pieces);
  pairMarks(pieces);
  const kept = pieces.filter((p) => !p.paired);
  const ends = pieces.filter((p) => !(p.paired && p.value[0] === '*'));
  const struck =
    ends.length > 2 &&
    ends[0]?.paired === true &&
    ends.at(-1)?.paired === true &&
    ends.filter((p) => p.paired).length === 2;
  return {
    text: kept
      .map((p) => p.value)
      .join('')
      .trim(),
    code: pieces.filter((p) => p.kind === 'code').map((p) => p.value),
    struck,
  };
}

/** Plain text as a cell's source, so that reading it back gives the same text. */
export function writeText(text: string): string {
  const flat = text.replace(/[\r\n]+/g, ' ').trim();
  let out = '';
  for (let i = 0; i < flat.length; i++) {
    const c = flat[i] ?? '';
    const next = flat[i + 1];
    const guarded = c === '\\' ? next === undefined || PUNCTUATION.has(next) : '|*`~[<'.includes(c);
    out += guarded ? `\\${c}` : c;
  }
  return out;
}

/** Text as a code span in a cell; plain where a code span cannot hold it (a backslash before a pipe). */
export function writeCode(text: string): string {
  const flat = text.replace(/[\r\n]+/g, ' ');
  if (flat.trim() === '' || flat.includes('\\|')) return writeText(flat);
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map((m) => m[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[ `]|[ `]$/.test(flat) ? ' ' : '';
  return `${fence}${pad}${flat.replaceAll('|', '\\|')}${pad}${fence}`;
}
