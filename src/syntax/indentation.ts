import { PythonSyntaxError } from './errors.ts';

const MAX_INDENT = 100;
const TAB_ERROR = 'inconsistent use of tabs and spaces in indentation';

/**
 * The indentation stack. Every column is kept twice, for tabs of eight columns and of one: when the two orders
 * disagree the file mixes tabs and spaces inconsistently.
 */
export class Indentation {
  private readonly columns = new Int32Array(MAX_INDENT);
  private readonly altColumns = new Int32Array(MAX_INDENT);
  private depth = 0;

  /**
   * Moves to the indentation of a new logical line.
   *
   * @returns 1 for an indent, 0 for none, -n for n dedents.
   */
  moveTo(column: number, altColumn: number, offset: number): number {
    const top = this.columns[this.depth]!;
    if (column === top) {
      if (altColumn !== this.altColumns[this.depth]) throw new PythonSyntaxError(TAB_ERROR, offset);
      return 0;
    }
    if (column > top) {
      if (this.depth + 1 >= MAX_INDENT) throw new PythonSyntaxError('too many levels of indentation', offset);
      if (altColumn <= this.altColumns[this.depth]!) throw new PythonSyntaxError(TAB_ERROR, offset);
      this.depth++;
      this.columns[this.depth] = column;
      this.altColumns[this.depth] = altColumn;
      return 1;
    }
    let dedents = 0;
    while (this.depth > 0 && column < this.columns[this.depth]!) {
      this.depth--;
      dedents++;
    }
    if (column !== this.columns[this.depth]) {
      throw new PythonSyntaxError('unindent does not match any outer indentation level', offset);
    }
    if (altColumn !== this.altColumns[this.depth]) throw new PythonSyntaxError(TAB_ERROR, offset);
    return -dedents;
  }
}
