/** Folders that a test file may write into; they are gone when it is over (see `each-file.ts`). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

let base: string | null = null;

process.once('exit', clear);

/** A fresh folder. */
export function temporary(name = 'case'): string {
  base ??= mkdtempSync(join(tmpdir(), 'looptag-test-'));
  return mkdtempSync(join(base, `${name}-`));
}

/** One that is there for the test files after this one, too: nobody may change what is in it once it is made. */
export function lasting(name: string): string {
  const all = inject('lasting');
  return all ? mkdtempSync(join(all, `${name}-`)) : temporary(name);
}

/** Removes all that do not last. */
export function clear(): void {
  if (base) rmSync(base, { recursive: true, force: true });
  base = null;
}
