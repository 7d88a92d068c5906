/** Writing to the project: all files or none, and never over what somebody changed meanwhile. */
import { AtomicWriteError, type FileWrite, recoverWrite, writeAll as write } from '../io/atomic-write.ts';
import { printable } from '../report/escape.ts';
import type { Run } from './define.ts';
import { Trouble } from './trouble.ts';
import type { Workspace } from './workspace.ts';

const REMEDIES: Record<string, string> = {
  'is read-only': 'make it writable (chmod u+w) and run again',
  'permission denied': 'make it writable for this user and run again',
  'no space left on the device': 'free some space and run again',
};

export function writeAll(w: Workspace, writes: readonly FileWrite[]): void {
  try {
    write(w.root, writes);
  } catch (e) {
    if (e instanceof AtomicWriteError)
      throw new Trouble(printable(e.message), REMEDIES[e.reason] ?? 'put that right and run again');
    throw e;
  }
}

/** A run that was killed while it wrote is finished before anything is read. */
export function finishKilledWrite(w: Workspace, run: Run): void {
  const recovery = recoverWrite(w.root);
  if (recovery?.finished.length)
    run.streams.err(`finished an earlier run that was killed: ${recovery.finished.map(printable).join(', ')}\n`);
  if (recovery?.conflicts.length)
    throw new Trouble(
      `an earlier run was killed, and these files changed since: ${recovery.conflicts.map(printable).join(', ')}`,
      'look at them, and run again',
    );
}
