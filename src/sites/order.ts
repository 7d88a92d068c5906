/** The order in which things are listed: by file, then as they stand in it. */

interface Placed {
  file: string;
  line: number;
  column?: number;
}

export function byFile(a: { file: string }, b: { file: string }): number {
  return Number(a.file > b.file) - Number(a.file < b.file);
}

export function byPlace(a: Placed, b: Placed): number {
  return byFile(a, b) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
}
