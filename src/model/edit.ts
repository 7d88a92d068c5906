/** Replace [start, end) of a file's decoded text. An insertion has start = end. */
export interface Edit {
  file: string;
  start: number;
  end: number;
  text: string;
  /** Orders insertions at one offset; lower comes first in the file. */
  order?: number;
}

/** A new file. */
export interface NewFile {
  file: string;
  text: string;
}
