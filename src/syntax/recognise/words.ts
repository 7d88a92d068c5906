/** Words in bytes: where they end, and which are keywords. */
import * as T from '../tokens.ts';

/** 1 for a byte that continues an ASCII word. */
export const WORD = new Uint8Array(256);
for (let c = 0; c < 128; c++) if (/\w/.test(String.fromCharCode(c))) WORD[c] = 1;

const BUCKETS = 128;
const KIND = new Uint8Array(BUCKETS);
const SPELLED: Uint8Array[] = Array.from({ length: BUCKETS }, () => new Uint8Array());

/** No two keywords share one. */
function bucketOf(first: number, last: number, length: number): number {
  return (first + last + length * 19) & (BUCKETS - 1);
}

for (let kind = T.FALSE; kind <= T.YIELD; kind++) {
  const word = Uint8Array.from(T.TOKEN_TEXT[kind]!, (c) => c.charCodeAt(0));
  const bucket = bucketOf(word[0]!, word.at(-1)!, word.length);
  if (KIND[bucket]) throw new Error('two keywords in one bucket');
  KIND[bucket] = kind;
  SPELLED[bucket] = word;
}

/** The keyword kind of the word from `start` to `end`, or `NAME`. */
export function keywordAt(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length < 2 || length > 8) return T.NAME;
  const bucket = bucketOf(bytes[start]!, bytes[end - 1]!, length);
  if (KIND[bucket] === 0) return T.NAME;
  const word = SPELLED[bucket]!;
  if (word.length !== length) return T.NAME;
  for (let i = 0; i < length; i++) if (word[i] !== bytes[start + i]) return T.NAME;
  return KIND[bucket]!;
}
