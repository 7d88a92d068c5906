/** Standard output and error, and what they can show. */
import { Chalk, type ChalkInstance } from 'chalk';
import { logLines } from '../report/escape.ts';
import { terminalColumns } from './terminals.ts';
import { writeAll } from './write-all.ts';

export interface Streams {
  out(text: string): void;
  outBytes(bytes: Uint8Array): void;
  /** Progress, hints and sums: nothing of it with --quiet. */
  err(text: string): void;
  /** What stands on standard error whatever --quiet says. */
  trouble(text: string): void;
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
  const columns = terminalColumns(1);
  // names out of the repository stand in any message, and a CI system takes commands from here too
  const trouble = (text: string): void => writeAll(2, logLines(text));
  return {
    out: (text) => writeAll(1, text),
    outBytes: (bytes) => writeAll(1, bytes),
    err: (text) => {
      if (!quiet) trouble(text);
    },
    trouble,
    chalk: new Chalk({ level: level(columns !== null) }),
    errChalk: new Chalk({ level: level(terminalColumns(2) !== null) }),
    width: columns || Number(process.env.COLUMNS) || 120,
  };
}
