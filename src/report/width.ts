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

/** Text of Latin letters, common punctuation and CJK alone needs no table; null for any other. */
function plainWidth(text: string): number | null {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if ((c >= 0x20 && c <= 0x7e) || (c >= 0xc0 && c <= 0x24f) || (c >= 0x2010 && c <= 0x2027)) width += 1;
    else if ((c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3001 && c <= 0x3029) || (c >= 0xff01 && c <= 0xff60)) width += 2;
    else return null;
  }
  return width;
}

/** Each letter is a character of its own, one column wide. */
function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

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
  if (isAscii(text)) return Array.from(text, (char) => ({ text: char, width: 1 }));
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return [...graphemes.segment(text)].map(({ segment }) => ({ text: segment, width: widthOf(segment) }));
}
