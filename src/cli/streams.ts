/** Standard output and error, and what they can show. */
import { writeSync } from 'node:fs';
import { Chalk, type ChalkInstance } from 'chalk';
import { logLines } from '../report/escape.ts';
import { Trouble } from './trouble.ts';

export interface Streams {
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  err(text: string): void;
  chalk: ChalkInstance;
  errChalk: ChalkInstance;
  width: number;
}

/** `auto` looks at the stream; a non-empty NO_COLOR wins over a non-empty FORCE_COLOR. */
export function openStreams(color: 'auto' | 'always' | 'never', quiet: boolean): Streams {
  const level = (tty: boolean): 0 | 1 => {
    if (color !== 'auto') return color === 'always' ? 1 : 0;
    if (process.env.NO_COLOR) return 0;
    if (process.env.FORCE_COLOR) return process.env.FORCE_COLOR === '0' || process.env.FORCE_COLOR === 'false' ? 0 : 1;
    return tty && process.env.TERM !== 'dumb' ? 1 : 0;
  };
  return {
    out: (text) => write(1, Buffer.from(text, 'utf8')),
    outBytes: (bytes) => write(1, bytes),
    err: (text) => {
      // names out of the repository stand in any message, and a CI system takes commands from here too
      if (!quiet) write(2, Buffer.from(logLines(text), 'utf8'));
    },
    chalk: new Chalk({ level: level(process.stdout.isTTY ?? false) }),
    errChalk: new Chalk({ level: level(process.stderr.isTTY ?? false) }),
    width: process.stdout.columns ?? (Number(process.env.COLUMNS) || 120),
  };
}

/** Writes all of it, in order, before the process can end; a closed pipe ends the run quietly. */
function write(fd: 1 | 2, bytes: Uint8Array): void {
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
