/** A quick look at whether a file parses, without building its tree. */
import { isUtf8 } from 'node:buffer';
import { cookie } from '../text.ts';
import { StatementReader } from './statements.ts';

const reader = new StatementReader();

const BOM = 0xef;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Does a file surely parse? Never true where {@link parseModule} finds an error; false says nothing.
 */
export function surelyParses(bytes: Uint8Array): boolean {
  if (bytes.length > MAX_BYTES || bytes[0] === BOM) return false;
  const declared = cookie(bytes, 0);
  if (declared && !/^utf-?8$/i.test(declared.name)) return false;
  return !bytes.includes(0) && isUtf8(bytes) && reader.reads(bytes);
}
