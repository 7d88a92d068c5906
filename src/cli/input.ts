/** A text file named on the command line; `-` is standard input. */
import { readFileSync, statSync } from 'node:fs';
import { printable } from '../report/escape.ts';
import { Trouble } from './trouble.ts';

/** Nothing that a person or a program writes for this tool is larger. */
const MAX_BYTES = 256 * 1024 * 1024;

/** @throws Trouble when there is no such file, or it cannot be read as text. */
export function readInput(path: string, what: string): { text: string; shown: string } {
  if (path === '-') return { text: readFileSync(0, 'utf8'), shown: '<stdin>' };
  const shown = printable(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new Trouble(`${shown}: no such ${what}`);
  if (stat.isDirectory()) throw new Trouble(`${shown}: is a folder, not a ${what}`);
  if (stat.size > MAX_BYTES) throw new Trouble(`${shown}: larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  try {
    return { text: readFileSync(path, 'utf8'), shown };
  } catch (e) {
    throw new Trouble(`${shown}: cannot be read (${(e as NodeJS.ErrnoException).code})`);
  }
}
