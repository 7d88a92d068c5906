/** Python names. Unicode classes take tens of milliseconds to compile, so they are built only when a name needs them. */
let unicode: RegExp | null = null;

const ASCII = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/;

function match(text: string): string {
  const ascii = ASCII.exec(text)?.[0] ?? '';
  const next = text.slice(ascii.length).replace(/^\./, '').codePointAt(0) ?? 0;
  if (next < 128 || isFullWidthPunctuation(next)) return ascii;
  unicode ??= /^[\p{ID_Start}_][\p{ID_Continue}]*(?:\.[\p{ID_Start}_][\p{ID_Continue}]*)*/u;
  return unicode.exec(text)?.[0] ?? '';
}

function isFullWidthPunctuation(code: number): boolean {
  return (code >= 0x3000 && code <= 0x3004) || (code >= 0x3008 && code <= 0x3020) || (code >= 0xff01 && code <= 0xff0f);
}

/** Is the text a name, dotted or not? */
export function isName(text: string): boolean {
  return text !== '' && match(text) === text;
}

/** The name that a text starts with; null when it starts with none. */
export function leadingName(text: string): string | null {
  return match(text) || null;
}
