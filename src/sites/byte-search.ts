/** Looks for many words in bytes at once, most of which it never reads (Wu and Manber's shifts, over three bytes). */

interface Alternative {
  /** The longest of its words: only where it stands the others are looked for. */
  first: Buffer;
  others: Buffer[];
}

const BLOCK = 3;
const HASHES = 1 << 16;
const MAX_WINDOW = 255;

function hashOf(a: number, b: number, c: number): number {
  return ((a << 10) ^ (b << 5) ^ c) & (HASHES - 1);
}

export class ByteSearch {
  private readonly alternatives: Alternative[];
  /** How many bytes to go on by where a block ends the window; 0 where a word may fill the window. */
  private readonly shifts = new Uint8Array(HASHES);
  private readonly window: number;

  /** @param alternatives - lists of words, all of which must stand in the bytes for a list to count. */
  constructor(alternatives: readonly (readonly string[])[]) {
    this.alternatives = alternatives.map((words) => {
      const [first = Buffer.alloc(0), ...others] = words
        .map((word) => Buffer.from(word))
        .sort((a, b) => b.length - a.length);
      return { first, others };
    });
    this.window = Math.min(MAX_WINDOW, ...this.alternatives.map(({ first }) => first.length));
    if (this.window < BLOCK) return;
    this.shifts.fill(this.window - BLOCK + 1);
    for (const { first } of this.alternatives)
      for (let end = BLOCK; end <= this.window; end++) {
        const hash = hashOf(first[end - 3]!, first[end - 2]!, first[end - 1]!);
        this.shifts[hash] = Math.min(this.shifts[hash]!, this.window - end);
      }
  }

  /** Do all words of at least one alternative stand in the bytes? */
  in(bytes: Uint8Array): boolean {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // shorter than a block
    if (this.window < BLOCK) return this.alternatives.some((a) => holdsAll(buffer, [a.first, ...a.others]));
    const { shifts, window, alternatives } = this;
    const { length } = bytes;
    const failed = new Set<Alternative>();
    for (let end = window; end <= length; ) {
      const shift = shifts[hashOf(bytes[end - 3]!, bytes[end - 2]!, bytes[end - 1]!)]!;
      if (shift > 0) {
        end += shift;
        continue;
      }
      for (const each of alternatives) {
        if (!startsAt(bytes, end - window, each.first) || failed.has(each)) continue;
        if (holdsAll(buffer, each.others)) return true;
        failed.add(each);
      }
      end++;
    }
    return false;
  }
}

function holdsAll(buffer: Buffer, words: readonly Buffer[]): boolean {
  return words.every((word) => buffer.includes(word));
}

function startsAt(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
  return true;
}
