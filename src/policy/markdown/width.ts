import stringWidth from 'string-width';

/** Columns that a text takes on a screen: CJK and emoji two, combining marks none. */
export function displayWidth(text: string): number {
  return stringWidth(text, { ambiguousIsNarrow: true });
}
