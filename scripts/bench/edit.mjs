#!/usr/bin/env node
/** What an edit costs the language server: node scripts/bench/edit.mjs ROOT FILE [--times N], FILE relative to ROOT. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { edits } from './edits.mjs';

const { values, positionals } = parseArgs({
  options: { times: { type: 'string', default: '20' } },
  allowPositionals: true,
});
const [root, file] = positionals;
if (root === undefined || file === undefined) {
  console.error('usage: node scripts/bench/edit.mjs ROOT FILE [--times N]');
  process.exit(2);
}
const server = new URL('../../bin/looptag.js', import.meta.url).pathname;
const { cpu, wall } = await edits(
  [process.execPath, server, 'lsp', '--root', resolve(root)],
  resolve(root),
  file,
  Number(values.times),
);
console.log(`an edit of ${file}: ${Math.round(cpu * 1000)} ms of CPU, ${Math.round(wall * 1000)} ms until the answer`);
