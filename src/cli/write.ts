/** Writing to the project: all files or none, and never over what somebody changed meanwhile. */
import { AtomicWriteError, type FileWrite, writeAll as write } from '../io/atomic-write.ts';
import { Trouble } from './trouble.ts';
import type { Workspace } from './workspace.ts';

export function writeAll(w: Workspace, writes: readonly FileWrite[]): void {
  try {
    write(w.root, writes);
  } catch (e) {
    if (e instanceof AtomicWriteError) throw new Trouble(e.message, 'nothing was changed');
    throw e;
  }
}
