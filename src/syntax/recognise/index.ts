/** A quick look at whether a file parses, without building its tree. */
import { isUtf8 } from 'node:buffer';
import { StatementReader } from './statements.ts';

const reader = new StatementReader();

const BOM = 0xef;
const LONGEST_LINE = 4096;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Does a file surely parse? Never true where {@link parseModule} finds an error; false says nothing.
 */
export function surelyParses(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_BYTES || bytes[0] === BOM || declaresEncoding(bytes)) return false;
  return !bytes.includes(0) && isUtf8(bytes) && reader.reads(bytes);
}

/** Do the first two lines name an encoding other than UTF-8? */
function declaresEncoding(bytes: Uint8Array): boolean {
  let start = 0;
  for (let line = 0; line < 2; line++) {
    let end = start;
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++;
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + LONGEST_LINE)));
    const name = text.includes('coding') ? /coding[:=][ \t]*([-_.a-zA-Z0-9]+)/.exec(text)?.[1] : undefined;
    if (name !== undefined && !/^utf-?8$/i.test(name)) return true;
    start = bytes[end] === 13 && bytes[end + 1] === 10 ? end + 2 : end + 1;
  }
  return false;
}
