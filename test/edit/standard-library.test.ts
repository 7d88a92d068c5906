/** The list of the standard library's modules against what the Pythons of the machine say themselves. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { isStandard } from '../../src/edit/standard-library.ts';
import { pythons, runPython } from '../codemods/support/pythons.ts';

const telling = pythons().filter(({ version: [, minor] }) => minor >= 10);

it.skipIf(telling.length === 0)('knows every public module of theirs', () => {
  for (const python of telling) {
    const names = runPython(python, ['-c', 'import sys; print(*sys.stdlib_module_names)'], tmpdir()).trim().split(' ');
    expect(names.length).toBeGreaterThan(200);
    expect(names.filter((name) => !name.startsWith('_') && !isStandard(name))).toEqual([]);
  }
});

it('knows submodules, and nothing else', () => {
  expect(['concurrent.futures', 'os.path', 'typing'].every(isStandard)).toBe(true);
  expect(['numpy', 'src.typing', 'prometheus_client', '', 'osx'].some(isStandard)).toBe(false);
});
