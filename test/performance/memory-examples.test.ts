/** The examples of `test/sites/flows` lose a line, and get it back: a look that knows the one before finds what a fresh one finds. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import type { Analysis } from '../../src/model/index.ts';
import { analyse, Memory } from '../../src/sites/index.ts';
import { examplesIn } from '../support/examples.ts';
import { atLength } from '../support/long.ts';
import { OPTIONS } from './support/options.ts';

const FOLDER = join(import.meta.dirname, '../sites/flows');
/** One line of so many is taken away. */
const EVERY = atLength(1, 20);

type Files = ReadonlyMap<string, Uint8Array>;

function look(files: Files, memory?: Memory): Analysis {
  const fs = new MemoryFileSystem(files);
  return analyse(fs, fs.listPython(['.']), { ...OPTIONS, memory }).analysis;
}

/** Nothing is done in the place of each line in turn, but for the empty ones. */
function* without(text: string): Generator<string> {
  const lines = text.split('\n');
  for (const [i, line] of lines.entries())
    if (line.trim()) yield lines.with(i, line.replace(/\S.*/, 'pass')).join('\n');
}

const examples = examplesIn(FOLDER).filter(({ files }) => Object.keys(files).length > 1);

describe('an example that loses a line', () => {
  it.each(examples.map((each) => [each.title, each.files] as const))('%s', (_title, files) => {
    let n = 0;
    const now = new Map(Object.entries(files).map(([file, text]) => [file, Buffer.from(text)]));
    const memory = new Memory();
    const first = look(now, memory);
    for (const [file, bytes] of [...now])
      for (const edited of without(bytes.toString())) {
        if (n++ % EVERY) continue;
        now.set(file, Buffer.from(edited));
        expect(look(now, memory)).toEqual(look(now));
        now.set(file, bytes);
        expect(look(now, memory)).toEqual(first);
      }
  });
});
