import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

it('what is generated is up to date (npm run gen)', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/dev.mjs', 'gen', '--check'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
}, 60_000);
