/** What of the process's output goes to a terminal. */
import { fstatSync } from 'node:fs';

/**
 * How many columns the terminal of a descriptor has, 0 where it does not tell; null where there is none. A stream is made
 * an object only for a terminal: that takes as long as to read ten files.
 */
export function terminalColumns(fd: 1 | 2): number | null {
  try {
    // elsewhere a console need not look like a device
    if (process.platform !== 'win32' && !fstatSync(fd).isCharacterDevice()) return null;
  } catch {
    return null;
  }
  const stream = fd === 1 ? process.stdout : process.stderr;
  return stream.isTTY ? (stream.columns ?? 0) : null;
}
