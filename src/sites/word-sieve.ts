/** Which words may stand in which files, told by a few bits for each once it was seen: no other file is read for a word later. */
import { isWordByte } from './byte-search.ts';

const MIN_CELLS = 8;
const MAX_CELLS = 1 << 13;
/**
 * One bit for each byte of text. A word takes four, of which other words have set about one in ten each: hundreds of words
 * may be asked for at once, and none of them should be taken for another.
 */
const BYTES_A_CELL = 32;

const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;

export type WordBits = Uint32Array<ArrayBuffer>;

/** Lists of words; the same object for each file, and never changed, since what is known of it is kept. */
type Alternatives = readonly (readonly string[])[];

/** The hashes of the words of each alternative. */
type Hashes = readonly (readonly number[])[];

export class WordSieve {
  private readonly bits = new Map<string, WordBits>();
  private readonly hashes = new WeakMap<Alternatives, Hashes>();

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
  mayHold(file: string, alternatives: Alternatives): boolean {
    const bits = this.bits.get(file);
    return !bits || this.hashesOf(alternatives).some((words) => holdsAll(bits, words));
  }

  /** The places of the alternatives that a file may meet; null where nothing is noted of it. */
  metBy(file: string, alternatives: Alternatives): number[] | null {
    const bits = this.bits.get(file);
    if (!bits) return null;
    const met: number[] = [];
    for (const [i, words] of this.hashesOf(alternatives).entries()) if (holdsAll(bits, words)) met.push(i);
    return met;
  }

  private hashesOf(alternatives: Alternatives): Hashes {
    let known = this.hashes.get(alternatives);
    if (!known) {
      known = alternatives.map((words) => words.flatMap((word) => [...hashesIn(Buffer.from(word))]));
      this.hashes.set(alternatives, known);
    }
    return known;
  }
}

function bitsOf(bytes: Uint8Array): WordBits {
  const wanted = 2 ** Math.round(Math.log2(bytes.length / BYTES_A_CELL + 1));
  const bits = new Uint32Array(Math.min(MAX_CELLS, Math.max(MIN_CELLS, wanted)));
  const last = bits.length - 1;
  let hash = SEED;
  for (let i = 0; i <= bytes.length; i++) {
    const byte = i < bytes.length ? bytes[i]! : 0;
    if (isWordByte[byte]) hash = Math.imul(hash ^ byte, PRIME);
    else if (hash !== SEED) {
      const one = spread(hash);
      const other = spread(one);
      bits[one & last]! |= pairOf(one);
      bits[other & last]! |= pairOf(other);
      hash = SEED;
    }
  }
  return bits;
}

function holdsAll(bits: WordBits, hashes: readonly number[]): boolean {
  const last = bits.length - 1;
  for (const one of hashes) {
    const first = pairOf(one);
    if ((bits[one & last]! & first) !== first) return false;
    const other = spread(one);
    const second = pairOf(other);
    if ((bits[other & last]! & second) !== second) return false;
  }
  return true;
}

/** Of the words in a text; of one whose hash says that there is none, nothing: it may stand anywhere. */
function* hashesIn(bytes: Uint8Array): Generator<number> {
  let hash = SEED;
  for (const byte of [...bytes, 0])
    if (isWordByte[byte]) hash = Math.imul(hash ^ byte, PRIME);
    else if (hash !== SEED) {
      yield spread(hash);
      hash = SEED;
    }
}

/** Each bit of the result depends on each bit of the hash. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
}

/** Two bits of a cell, by the bits of a hash that choose none of the cells. */
function pairOf(hash: number): number {
  return (1 << (hash >>> 27)) | (1 << ((hash >>> 22) & 31));
}
