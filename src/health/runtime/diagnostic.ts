import type { Diagnostic } from '../../model/index.ts';

/** Trouble with one line of a dump. */
export function warning(message: string, line: number, remedy: string): Diagnostic {
  return { level: 'warning', message, line, remedy };
}
