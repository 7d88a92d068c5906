/**
 * How long `check --watch` takes from the write of one file to the printed result.
 *
 *     node scripts/bench/watch.mjs [--service DIR] [--file FILE] [--times N]
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: {
    service: { type: 'string', default: join(root, 'fixtures/services/awoooi') },
    file: { type: 'string', default: 'apps/api/src/main.py' },
    times: { type: 'string', default: '15' },
  },
});

/** @returns {Promise<number[]>} milliseconds, one an edit, in their order */
async function watchTimes(service, file, times) {
  const copy = mkdtempSync(join(tmpdir(), 'looptag-watch-'));
  cpSync(service, copy, { recursive: true });
  const child = spawn(process.execPath, [join(root, 'bin/looptag.js'), 'check', '--watch'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  try {
    let printed = '';
    let told = '';
    let wake = () => {};
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      wake();
    });
    child.stderr.on('data', (chunk) => {
      told += chunk;
      wake();
    });
    const until = (done) =>
      new Promise((done_) => {
        wake = () => done() && done_();
        wake();
      });
    await until(() => told.includes('watching'));
    const text = readFileSync(join(copy, file), 'utf8');
    const out = [];
    for (let n = 0; n < times; n++) {
      // an editor pauses between two saves
      await new Promise((go) => setTimeout(go, 300));
      printed = '';
      const start = performance.now();
      writeFileSync(join(copy, file), `${text}# ${n}\n`);
      await until(() => /Found .* spawn sites.*\n$/.test(printed));
      out.push(performance.now() - start);
    }
    return out;
  } finally {
    child.kill('SIGTERM');
    rmSync(copy, { recursive: true, force: true });
  }
}

const found = await watchTimes(resolve(values.service), values.file, Number(values.times));
const sorted = [...found].sort((a, b) => a - b);
const shown = found.map((ms) => ms.toFixed(0)).join(' ');
process.stdout.write(
  `median ${sorted[found.length >> 1].toFixed(0)} ms, worst ${sorted.at(-1).toFixed(0)} ms: ${shown}\n`,
);
