import { lineNumberAt, PythonSyntaxError } from './errors.ts';

const MAX_LEVEL = 200;

/** One f-string (or t-string) that the tokenizer is inside of. */
export interface FStringMode {
  start: number;
  /** Character code of the quote. */
  quote: number;
  quoteSize: number;
  raw: boolean;
  isTemplate: boolean;
  /** Open brackets since the f-string began, its own replacement fields included. */
  depth: number;
  /** `depth` outside of the innermost replacement field; -1 in the literal part. */
  fieldDepth: number;
  inFormatSpec: boolean;
}

function matches(open: number, close: number): boolean {
  return open === 40 ? close === 41 : open === 91 ? close === 93 : close === 125;
}

/** The stack of open brackets, with CPython's complaints about them. */
export class Brackets {
  level = 0;
  private readonly text: string;
  private readonly offsets = new Int32Array(MAX_LEVEL);

  constructor(text: string) {
    this.text = text;
  }

  open(at: number): void {
    if (this.level >= MAX_LEVEL) throw new PythonSyntaxError('too many nested parentheses', at);
    this.offsets[this.level++] = at;
  }

  close(at: number, mode: FStringMode | undefined): void {
    const { text } = this;
    if (mode && mode.depth === 0 && text[at] === '}') {
      throw new PythonSyntaxError(`${literalName(mode)}: single '}' is not allowed`, at);
    }
    if (this.level === 0) throw new PythonSyntaxError(`unmatched '${text[at]}'`, at);
    const opening = this.offsets[--this.level]!;
    if (!matches(text.charCodeAt(opening), text.charCodeAt(at))) this.mismatch(at, opening, mode);
    if (mode && mode.depth === 0) throw new PythonSyntaxError(`${literalName(mode)}: unmatched '${text[at]}'`, at);
  }

  private mismatch(at: number, opening: number, mode: FStringMode | undefined): never {
    const char = this.text[at];
    const open = this.text[opening];
    if (mode && open === '{' && mode.depth - 1 === mode.fieldDepth) {
      throw new PythonSyntaxError(`${literalName(mode)}: unmatched '${char}'`, at);
    }
    const openLine = lineNumberAt(this.text, opening);
    const where = openLine === lineNumberAt(this.text, at) ? '' : ` on line ${openLine}`;
    throw new PythonSyntaxError(
      `closing parenthesis '${char}' does not match opening parenthesis '${open}'${where}`,
      at,
    );
  }

  /** The error for brackets still open at the end of the file, if there are any. */
  neverClosed(): PythonSyntaxError | null {
    if (this.level === 0) return null;
    const at = this.offsets[this.level - 1]!;
    return new PythonSyntaxError(`'${this.text[at]}' was never closed`, at);
  }
}

/** `f-string` or `t-string`, for messages. */
export function literalName(mode: { isTemplate: boolean }): string {
  return mode.isTemplate ? 't-string' : 'f-string';
}
