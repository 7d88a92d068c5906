import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allInterpreters, difference, type Interpreter, pathInterpreter, pythonFiles, verdicts } from './reference.ts';

async function differences(python: Interpreter, files: string[], full: boolean): Promise<string[]> {
  const found: string[] = [];
  let judged = 0;
  for await (const verdict of verdicts(python, files, full)) {
    judged++;
    const text = difference(verdict, python);
    if (text) found.push(text);
  }
  expect(judged).toBe(files.length);
  return found;
}

const python = pathInterpreter();

describe.skipIf(!python)('against the python3 of the path', () => {
  it('builds the same trees for the asyncio package', async () => {
    const files = pythonFiles(join(python!.stdlib, 'asyncio'));
    expect(files.length).toBeGreaterThan(20);
    expect(await differences(python!, files, true)).toEqual([]);
  }, 60_000);
});

// Minutes long and only as good as the interpreters at hand, so it runs on demand: LOOPTAG_PARITY=1.
if (process.env.LOOPTAG_PARITY === '1') {
  const all = allInterpreters();
  const newest = all.at(-1)!;
  describe(`against CPython ${newest.version.join('.')}`, () => {
    it.each(all.map((each) => [each.version.join('.'), each] as const))(
      'judges the standard library of %s alike',
      async (_version, { stdlib }) => {
        expect(newest.version[1]).toBeGreaterThanOrEqual(12);
        const files = pythonFiles(stdlib);
        const found = await differences(newest, files, false);
        console.log(`${stdlib}: ${files.length} files, ${found.length} differences`);
        expect(found).toEqual([]);
      },
      1_800_000,
    );
  });
}
