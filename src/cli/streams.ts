/** Standard output and error, and what they can show. */
import { Chalk, type ChalkInstance } from 'chalk';
import { type PlainStreams, plainStreams } from './plain-streams.ts';
import { terminalColumns } from './terminals.ts';

export interface Streams extends PlainStreams {
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
  return {
    ...plainStreams(quiet),
    chalk: new Chalk({ level: level(columns !== null) }),
    errChalk: new Chalk({ level: level(terminalColumns(2) !== null) }),
    width: columns || Number(process.env.COLUMNS) || 120,
  };
}
