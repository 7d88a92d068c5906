/** Writes a set of files and kills itself at one step: `KILL_AT` counts the steps. */
import { writeAll } from '../../../src/io/atomic-write.ts';

const root = process.argv[2]!;
const killAt = Number(process.argv[3]);
const bytes = (text: string) => new TextEncoder().encode(text);
const repeated = (text: string) => bytes(text.repeat(20_000));

export const WRITES = [
  { file: 'a.py', before: repeated('a = 1\n'), after: repeated('a = 2\n') },
  { file: 'pkg/b.py', before: repeated('b = 1\n'), after: repeated('b = 2\n') },
  { file: 'pkg/new/c.py', before: null, after: repeated('c = 2\n') },
  { file: 'd.py', before: repeated('d = 1\n'), after: null },
];

let step = 0;
writeAll(root, WRITES, (name) => {
  process.stdout.write(`${name}\n`);
  if (++step === killAt) process.kill(process.pid, 'SIGKILL');
});
