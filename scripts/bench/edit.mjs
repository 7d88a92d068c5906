#!/usr/bin/env node
/** What an edit costs the language server: node scripts/bench/edit.mjs ROOT FILE [--times N], FILE relative to ROOT. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { edits } from './edits.mjs';

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '60' } },
  allowPositionals: true,
});
const [root, file] = positionals;
if (root === undefined || file === undefined) {
  console.error('usage: node scripts/bench/edit.mjs ROOT FILE [--times N]');
  process.exit(2);
}
const server = new URL('../../bin/looptag.js', import.meta.url).pathname;
const { cpu, wall, early } = await edits(
  [process.execPath, server, 'lsp', '--root', resolve(root)],
  resolve(root),
  file,
  Number(values.times),
);
const ms = (seconds) => Math.round(seconds * 1000);
console.log(`an edit of ${file}: ${ms(cpu)} ms of CPU, ${ms(wall)} ms until the answer`);
console.log(`before, while V8 still warmed: ${ms(early)} ms of CPU`);
