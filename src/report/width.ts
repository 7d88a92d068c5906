/** Text as wide as a terminal shows it: Chinese takes two columns a character, a combining accent none. */
import stringWidth from 'string-width';

/** Made when a text needs it: that alone takes as long as to analyse a dozen files. */
let graphemes: Intl.Segmenter | null = null;

/** More UTF-16 units than the characters of any script need for one column. */
const UNITS_PER_COLUMN = 16;

export interface Cell {
  text: string;
  width: number;
}

export function widthOf(text: string): number {
  return plainWidth(text) ?? stringWidth(text);
}

/** Text of Latin letters, common punctuation, CJK and emoji of one character needs no table; null for any other. */
function plainWidth(text: string): number | null {
  let width = 0;
  for (const char of text) {
    const columns = plainColumns(char);
    if (columns === null) return null;
    width += columns;
  }
  return width;
}

/** Of a character that never joins with the one before or after it. */
function plainColumns(char: string): number | null {
  const c = char.codePointAt(0)!;
  if ((c >= 0x20 && c <= 0x7e) || (c >= 0xc0 && c <= 0x24f) || (c >= 0x2010 && c <= 0x2027)) return 1;
  if ((c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3001 && c <= 0x3029) || (c >= 0xff01 && c <= 0xff60)) return 2;
  return c > 0xffff && SINGLE_EMOJI.test(char) ? 2 : null;
}

/** Skin tones and the letters of flags join. */
const SINGLE_EMOJI = /^(?![\u{1F3FB}-\u{1F3FF}\u{1F1E6}-\u{1F1FF}])\p{Emoji_Presentation}$/u;

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** At most `width` columns, with an ellipsis where something was cut. */
export function truncate(text: string, width: number): string {
  // Measuring is slow: of a text that is far too long only the beginning is looked at.
  const tooLong = text.length > width * UNITS_PER_COLUMN;
  const start = tooLong ? text.slice(0, width * UNITS_PER_COLUMN) : text;
  if (!tooLong && widthOf(text) <= width) return text;
  let cut = '';
  let used = 1;
  for (const { text: piece, width: columns } of cells(start)) {
    if (used + columns > width) break;
    cut += piece;
    used += columns;
  }
  return `${cut}…`;
}

/** The user-perceived characters of a text with their widths. */
export function cells(text: string): Cell[] {
  if (plainWidth(text) !== null) return Array.from(text, (char) => ({ text: char, width: plainColumns(char)! }));
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...graphemes.segment(text)].map(({ segment }) => ({ text: segment, width: widthOf(segment) }));
}
