import type { Span } from './ast.ts';
import type { PythonSyntaxError } from './errors.ts';

const KEPT_CAPACITY = 1 << 20;

let kinds = new Uint8Array(1 << 12);
let starts = new Int32Array(1 << 12);
let ends = new Int32Array(1 << 12);

/**
 * The tokens of one file in parallel arrays.
 *
 * The arrays are shared by all streams and only the latest stream may be read: parsing is synchronous, and reuse keeps
 * a run over thousands of files free of large allocations.
 */
export class TokenStream {
  kinds: Uint8Array;
  starts: Int32Array;
  ends: Int32Array;
  count = 0;
  comments: Span[] = [];
  /** What the final `ERROR` token stands for. */
  error: PythonSyntaxError | null = null;
  /** Some name holds non-ASCII characters and needs normalising. */
  hasUnicodeNames = false;

  constructor() {
    if (kinds.length > KEPT_CAPACITY) {
      kinds = new Uint8Array(KEPT_CAPACITY);
      starts = new Int32Array(KEPT_CAPACITY);
      ends = new Int32Array(KEPT_CAPACITY);
    }
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
  }

  push(kind: number, start: number, end: number): void {
    const i = this.count++;
    if (i === this.kinds.length) this.grow();
    this.kinds[i] = kind;
    this.starts[i] = start;
    this.ends[i] = end;
  }

  private grow(): void {
    const length = this.kinds.length * 2;
    kinds = new Uint8Array(length);
    starts = new Int32Array(length);
    ends = new Int32Array(length);
    kinds.set(this.kinds);
    starts.set(this.starts);
    ends.set(this.ends);
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
  }
}
