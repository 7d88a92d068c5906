/** Which words may stand in which files, told by a few bits for each once it was seen: no other file is read for a word later. */
import { isWordByte } from './byte-search.ts';

const MIN_BITS = 256;
const MAX_BITS = 1 << 16;
/** A word takes one bit; with one bit for four bytes of text, about one in ten is set. */
const BYTES_A_BIT = 4;

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

export type WordBits = Uint32Array<ArrayBuffer>;

export class WordSieve {
  private readonly bits = new Map<string, WordBits>();
  /** The bits that each of some words takes. */
  private readonly hashes = new Map<string, readonly number[]>();

  /** A file of which nothing is noted may hold every word. */
  note(file: string, bytes: Uint8Array): void {
    this.bits.set(file, bitsOf(bytes));
  }

  /** What another thread has noted. */
  adopt(file: string, bits: WordBits): void {
    this.bits.set(file, bits);
  }

  bitsOf(file: string): WordBits | null {
    return this.bits.get(file) ?? null;
  }

  /** false: none of the alternatives, of which all words must stand in a file, can be met. */
  mayHold(file: string, alternatives: readonly (readonly string[])[]): boolean {
    const bits = this.bits.get(file);
    return !bits || alternatives.some((words) => words.every((word) => this.holds(bits, word)));
  }

  private holds(bits: WordBits, word: string): boolean {
    const hashes = this.hashes.get(word) ?? [...hashesOf(Buffer.from(word))];
    this.hashes.set(word, hashes);
    return hashes.every((hash) => isSet(bits, hash));
  }
}

function isSet(bits: WordBits, hash: number): boolean {
  const at = hash & (bits.length * 32 - 1);
  return (bits[at >>> 5]! & (1 << (at & 31))) !== 0;
}

function bitsOf(bytes: Uint8Array): WordBits {
  const wanted = 2 ** Math.ceil(Math.log2(bytes.length / BYTES_A_BIT + 1));
  const bits = new Uint32Array(Math.min(MAX_BITS, Math.max(MIN_BITS, wanted)) / 32);
  const mask = bits.length * 32 - 1;
  let hash = SEED;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (isWordByte[byte]) hash = Math.imul(hash ^ byte, PRIME);
    else if (hash !== SEED) {
      const at = spread(hash) & mask;
      bits[at >>> 5]! |= 1 << (at & 31);
      hash = SEED;
    }
  }
  if (hash !== SEED) {
    const at = spread(hash) & mask;
    bits[at >>> 5]! |= 1 << (at & 31);
  }
  return bits;
}

/** Of the words in a text; of one whose hash says that there is none, nothing: it may stand anywhere. */
function* hashesOf(bytes: Uint8Array): Generator<number> {
  let hash = SEED;
  for (const byte of [...bytes, 0])
    if (isWordByte[byte]) hash = Math.imul(hash ^ byte, PRIME);
    else if (hash !== SEED) {
      yield spread(hash);
      hash = SEED;
    }
}

/** The low bits of the product depend on the low bits of the bytes alone. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}
