/** A text file named on the command line; `-` is standard input. */
import { readFileSync, statSync } from 'node:fs';
import { printable } from '../report/escape.ts';
import { Trouble, unreadable } from './trouble.ts';

/** Nothing that a person or a program writes for this tool is larger. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * @param origin - how such a file is made.
 * @throws Trouble when there is no such file, or it cannot be read as text.
 */
export function readInput(path: string, what: string, origin: string): { text: string; shown: string } {
  if (path === '-') return { text: readFileSync(0, 'utf8'), shown: '<stdin>' };
  const shown = printable(path);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat)
    throw new Trouble(`${shown}: no such ${what}`, `check the path, which is meant from the current folder; ${origin}`);
  if (stat.isDirectory()) throw new Trouble(`${shown}: is a folder, not a ${what}`, `name the file in it; ${origin}`);
  if (stat.size > MAX_BYTES)
    throw new Trouble(`${shown}: larger than ${MAX_BYTES / 1024 / 1024} MiB`, `this is hardly a ${what}`);
  try {
    return { text: readFileSync(path, 'utf8'), shown };
  } catch (e) {
    throw unreadable(shown, e);
  }
}
