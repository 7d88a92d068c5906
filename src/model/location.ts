/** A stretch of one file. Lines and columns are 1-based; a column counts Unicode code points; `endColumn` is one past the end. */
export interface Range {
  /** Relative to the project root, forward slashes. */
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  /** UTF-16 offsets into the decoded text (BOM not counted). */
  start: number;
  end: number;
}

/** UTF-16 offsets into the decoded text of a file. */
export interface Extent {
  start: number;
  end: number;
}

/** A fact with the place that proves it. */
export interface Evidence {
  /** What was concluded, e.g. `loop`, `period`, `tag`, `import`, `initial-delay`. */
  fact: string;
  file: string;
  line: number;
  /** One source line or expression, as written (untrusted text: escape before printing). */
  text: string;
}
