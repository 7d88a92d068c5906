/** The order in which things are listed, and the search in what is in order. */

/** By their characters, the same in every language and place. */
export function byText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** Entries of a map or an object by their keys. */
export function byKey([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  return byText(a, b);
}

export function byFile(a: { file: string }, b: { file: string }): number {
  return byText(a.file, b.file);
}

interface Placed {
  file: string;
  line: number;
  column?: number;
}

/** By file, then as they stand in it. */
export function byPlace(a: Placed, b: Placed): number {
  return byFile(a, b) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}

/** The same by offsets. */
export function byStart(a: { file: string; start: number }, b: { file: string; start: number }): number {
  return byFile(a, b) || a.start - b.start;
}

/** What is not known stands at the end. */
export function nullLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return byText(a, b);
}

/** Index of the first that is so, in a list where all that follow are so too; the length where none is. */
export function firstWhere<T>(list: readonly T[], isSo: (each: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isSo(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
