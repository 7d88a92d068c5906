import { writeSync } from 'node:fs';
import { Trouble } from './trouble.ts';

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
