import { writeSync } from 'node:fs';
import { logLines } from '../report/escape.ts';
import { Trouble } from './trouble.ts';

/** What a command writes to. */
export interface PlainStreams {
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  /** Progress, hints and sums: nothing of it with --quiet. */
  err(text: string): void;
  /** What stands on standard error whatever --quiet says. */
  trouble(text: string): void;
}

/** Standard output and error. */
export function plainStreams(quiet: boolean): PlainStreams {
  // names out of the repository stand in any message, and a CI system takes commands from here too
  const trouble = (text: string): void => writeAll(2, logLines(text));
  return {
    out: (text) => writeAll(1, text),
    outBytes: (bytes) => writeAll(1, bytes),
    err: quiet ? () => {} : trouble,
    trouble,
  };
}

/** Writes all of it, in order, before the process can end; a closed pipe ends the run quietly. */
export function writeAll(fd: 1 | 2, text: string | Uint8Array): void {
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (e) {
      const { code } = e as NodeJS.ErrnoException;
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else if (code === 'EPIPE') process.exit(fd === 1 ? 141 : 2);
      else if (fd === 2)
        return; // there is nowhere left to say so
      else throw new Trouble(`standard output cannot be written (${code})`);
    }
  }
}
