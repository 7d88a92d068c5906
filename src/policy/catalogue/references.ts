/** One member of a list such as `#4、#17（approval）、#18~20`. */
export interface Reference {
  from: number;
  to: number;
  /** Offsets in the text that was read; a note in brackets belongs to it. */
  start: number;
  end: number;
  note: string;
}

export interface ReferenceStyle {
  separator: string;
  /** Between the ends of a range. */
  range: string;
  hash: string;
  /** Shortest run that is written as a range. */
  minimum: number;
}

const MEMBER = /(?:(#)\s*)?(\d{1,6})(?:(\s*[~～〜\-–—至到]\s*#?)(\d{1,6}))?/y;

/** Members of a list, in order. When any has a `#`, bare numbers are no members. */
export function readReferences(text: string): Reference[] {
  const hash = /#\s*\d/.test(text);
  const found: Reference[] = [];
  for (let i = 0; i < text.length; ) {
    const c = text[i] ?? '';
    const previous = found.at(-1);
    if (c === '(' || c === '（') {
      const close = text.slice(i).search(/[)）]/);
      const end = close < 0 ? text.length : i + close + 1;
      if (previous && text.slice(previous.end, i).trim() === '') {
        previous.note = text.slice(previous.end, end);
        previous.end = end;
      }
      i = end;
      continue;
    }
    MEMBER.lastIndex = i;
    const m = /[\w]/.test(text[i - 1] ?? '') ? null : MEMBER.exec(text);
    if (!m || (hash && !m[1])) {
      i++;
      continue;
    }
    const from = Number(m[2]);
    found.push({ from, to: m[4] ? Number(m[4]) : from, start: i, end: i + m[0].length, note: '' });
    i += m[0].length;
  }
  return found;
}

const MOST = 10_000;

/** The numbers of a list. */
export function numbersOf(references: Iterable<Pick<Reference, 'from' | 'to'>>): Set<number> {
  const numbers = new Set<number>();
  for (const { from, to } of references) {
    for (let n = from; n <= Math.min(to, from + MOST); n++) numbers.add(n);
  }
  return numbers;
}

/** How a document writes its lists, learned from some of them. */
export function learnReferences(texts: string[], language: 'zh-TW' | 'en'): ReferenceStyle {
  const style: ReferenceStyle =
    language === 'en'
      ? { separator: ', ', range: '-', hash: '#', minimum: 2 }
      : { separator: '、', range: '~', hash: '#', minimum: 2 };
  let separated = false;
  let ranged = false;
  for (const text of texts) {
    const members = readReferences(text);
    for (const [index, member] of members.entries()) {
      const next = members[index + 1];
      if (next && !separated) {
        style.separator = text.slice(member.end, next.start);
        separated = true;
      }
      const range = /\d(\s*[~～〜\-–—至到]\s*#?)\d/.exec(text.slice(member.start, member.end))?.[1];
      if (range && member.to > member.from && !ranged) {
        style.range = range;
        ranged = true;
      }
      if (index === 0 && !text.includes('#')) style.hash = '';
      if (next && member.from === member.to && next.from === next.to && next.from === member.to + 1) style.minimum = 3;
    }
  }
  return style;
}

/** Writes numbers as a list; a number with a note stands by itself. */
export function writeReferences(
  numbers: Iterable<number>,
  style: ReferenceStyle,
  notes = new Map<number, string>(),
): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    const from = sorted[i] ?? 0;
    let length = 1;
    if (!notes.has(from)) {
      while (sorted[i + length] === from + length && !notes.has(from + length)) length++;
    }
    if (length >= style.minimum && length > 1) {
      parts.push(`${style.hash}${from}${style.range}${from + length - 1}`);
    } else {
      length = Math.min(length, 1);
      parts.push(`${style.hash}${from}${notes.get(from) ?? ''}`);
    }
    i += length;
  }
  return parts.join(style.separator);
}

export function sameNumbers(a: Set<number>, b: Set<number>): boolean {
  return a.size === b.size && [...a].every((n) => b.has(n));
}
