/** Looks for many words in bytes at once, most of which it never reads (Wu and Manber's shifts, over three bytes). */

/** 1 for what an identifier may be made of: letters, digits, `_`, and every byte of a character beyond ASCII. */
export const isWordByte = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= 0x80 || /\w/.test(String.fromCharCode(byte))),
);

interface Alternative {
  /** The longest of its words: only where it stands the others are looked for. */
  first: Buffer;
  others: Buffer[];
}

const BLOCK = 3;
const HASHES = 1 << 16;
const MAX_WINDOW = 255;
const FEW = 8;

function hashOf(a: number, b: number, c: number): number {
  return ((a << 10) ^ (b << 5) ^ c) & (HASHES - 1);
}

export class ByteSearch {
  private readonly given: Alternative[];
  private readonly alternatives: Alternative[];
  /** Those shorter than a block. */
  private readonly short: Alternative[];
  /** How many bytes to go on by where a block ends the window; 0 where a word may fill the window. */
  private readonly shifts = new Uint8Array(HASHES);
  private readonly window: number;

  /**
   * @param alternatives - lists of words, all of which must stand in the bytes for a list to count.
   * @param whole - not as a part of a longer word.
   */
  constructor(
    alternatives: readonly (readonly string[])[],
    private readonly whole = false,
  ) {
    this.given = alternatives.map((words) => {
      const [first = Buffer.alloc(0), ...others] = words
        .map((word) => Buffer.from(word))
        .sort((a, b) => b.length - a.length);
      return { first, others };
    });
    this.alternatives = this.given.filter(({ first }) => first.length >= BLOCK);
    this.short = this.given.filter(({ first }) => first.length < BLOCK);
    this.window = Math.min(MAX_WINDOW, ...this.alternatives.map(({ first }) => first.length));
    this.shifts.fill(this.window - BLOCK + 1);
    for (const { first } of this.alternatives)
      for (let end = BLOCK; end <= this.window; end++) {
        const hash = hashOf(first[end - 3]!, first[end - 2]!, first[end - 1]!);
        this.shifts[hash] = Math.min(this.shifts[hash]!, this.window - end);
      }
  }

  /**
   * Do all words of at least one of these alternatives stand in the bytes?
   *
   * @param places - of the alternatives; that none of the others is met is known.
   */
  someIn(bytes: Uint8Array, places: readonly number[]): boolean {
    // native searches, one a word, are faster for a few
    if (places.length > FEW) return this.in(bytes);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return places.some((i) => this.holdsAll(buffer, [this.given[i]!.first, ...this.given[i]!.others]));
  }

  /** Do all words of at least one alternative stand in the bytes? */
  in(bytes: Uint8Array): boolean {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.short.some((a) => this.holdsAll(buffer, [a.first, ...a.others]))) return true;
    if (!this.alternatives.length) return false;
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
        const at = end - window;
        if (!startsAt(bytes, at, each.first) || failed.has(each)) continue;
        if (this.whole && !isWhole(bytes, at, each.first)) continue;
        if (this.holdsAll(buffer, each.others)) return true;
        failed.add(each);
      }
      end++;
    }
    return false;
  }

  private holdsAll(buffer: Buffer, words: readonly Buffer[]): boolean {
    return words.every((word) => this.holds(buffer, word));
  }

  private holds(buffer: Buffer, word: Buffer): boolean {
    if (!this.whole) return buffer.includes(word);
    for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + 1))
      if (isWhole(buffer, at, word)) return true;
    return false;
  }
}

/** Is neither end of a word in the middle of a longer one? */
function isWhole(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  const end = start + word.length;
  const goesOn = (before: number | undefined, after: number | undefined): boolean =>
    before !== undefined && after !== undefined && isWordByte[before] === 1 && isWordByte[after] === 1;
  return !goesOn(bytes[start - 1], word[0]) && !goesOn(word.at(-1), bytes[end]);
}

function startsAt(bytes: Uint8Array, start: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) if (bytes[start + i] !== word[i]) return false;
  return true;
}
