/** Everything from a repository passes here before it is printed: names and lines may hold escape sequences. */

/**
 * Control and format characters, line separators, lone surrogates, what shows nothing or is no character.
 * The joiners and variation selectors that emoji and scripts need are let through.
 */
const UNPRINTABLE =
  /(?!\u200c|\u200d|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** Most text is plain: the slow pattern looks only at the rest. */
const UNUSUAL = /[^\x20-\x7e]+/g;

/** The text with each character that a terminal would act upon as `\xNN` or `\u{…}`. */
export function printable(text: string): string {
  return text.replace(UNUSUAL, (run) => run.replace(UNPRINTABLE, escaped));
}

function escaped(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex}}`;
}

/** Like `printable`, but line breaks stay. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join('\n');
}

/** Indented JSON with a final newline, in which nothing is left that a terminal would act upon. */
export function jsonText(value: unknown): string {
  const units = (text: string) =>
    [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  const text = JSON.stringify(value, null, 2);
  // Line breaks are JSON's own here: inside a string they are already escaped.
  const shown = (character: string) => (character === '\n' ? character : units(character));
  return `${text.replace(UNUSUAL, (run) => run.replace(UNPRINTABLE, shown))}\n`;
}

/**
 * Text for a log that a CI system reads: no line of it is taken for a command to that system, and nothing in it steers a
 * terminal.
 */
export function logLines(text: string): string {
  return printableLines(text).replace(/^([ \t]*)(::|##(?:\[|vso))/gm, '$1\\$2');
}
