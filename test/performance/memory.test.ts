/** A look that knows an earlier one finds what a look finds that knows nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import type { FileSystem } from '../../src/io/files.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import type { Analysis } from '../../src/model/index.ts';
import { type AnalyseOptions, analyse, findLoggingUse, Memory } from '../../src/sites/index.ts';
import { pathInterpreter } from '../syntax/reference.ts';
import { EDITS, numbers, wordIn } from './support/edits.ts';

const OPTIONS: AnalyseOptions = {
  spawnApis: [...spawnApis],
  contextVariable: '_current_project_id',
  traceVariable: '_current_trace_id',
  helper: '_run_with_context',
  importRoots: [],
};
/** Folders of a standard library that are taken; `LOOPTAG_LIBRARY` names a folder of which all is. */
const FOLDERS = ['asyncio', 'concurrent', 'logging', 'multiprocessing', 'test/test_asyncio'];
const ROUNDS = Number(process.env.LOOPTAG_EDITS ?? 45);
const SEED = Number(process.env.LOOPTAG_EDITS_SEED ?? 7);

function look(fs: FileSystem, memory?: Memory): Analysis {
  const files = fs.listPython(['.']);
  const { analysis, project } = analyse(fs, files, { ...OPTIONS, memory });
  return { ...analysis, logging: findLoggingUse(project, files, analysis.contextVariables) };
}

function filesBelow(root: string, folders: readonly string[]): [string, Uint8Array][] {
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return names
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => [name, readFileSync(join(root, name))]);
}

/** Edits one file after the other, back again now and then, and compares both looks after each. */
function compareEdits(start: readonly [string, Uint8Array][], rounds: number, seed: number): void {
  const random = numbers(seed);
  const kinds = Object.keys(EDITS);
  const now = new Map(start);
  const memory = new Memory();
  look(new MemoryFileSystem(now), memory);
  const spawning = start.filter(([, bytes]) => /create_task|ensure_future/.test(Buffer.from(bytes).toString()));
  for (let round = 0; round < rounds; round++) {
    // half of all edits where they matter
    const among = random() < 0.5 && spawning.length ? spawning : start;
    const [file, original] = among[Math.floor(random() * among.length)]!;
    const kind = kinds[round % kinds.length]!;
    const [, other] = start[Math.floor(random() * start.length)]!;
    const text = Buffer.from(now.get(file)!).toString();
    const words = [text, Buffer.from(other).toString()];
    const edited = EDITS[kind]!(text, random, () => wordIn(words[random() < 0.7 ? 0 : 1]!, random));
    now.set(file, random() < 0.2 ? original : Buffer.from(edited));
    const fs = new MemoryFileSystem(now);
    expect(look(fs, memory), `round ${round}: ${file} ${kind}`).toEqual(look(fs));
  }
}

describe('a look that knows an earlier one', () => {
  it('finds the same in the reference service', () => {
    const root = new URL('../../fixtures/services/awoooi/', import.meta.url).pathname;
    compareEdits(filesBelow(root, ['.']), ROUNDS, SEED);
  });

  const library = process.env.LOOPTAG_LIBRARY ?? pathInterpreter()?.stdlib;
  it.skipIf(!library)('finds the same in the standard library', () => {
    const folders = process.env.LOOPTAG_LIBRARY ? ['.'] : FOLDERS;
    compareEdits(filesBelow(library!, folders), ROUNDS / 3, SEED);
  });
});
