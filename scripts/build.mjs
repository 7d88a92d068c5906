/** Bundles the CLI: one entry, lazily loaded chunks, and the bundled policies as JSON. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { build } from 'esbuild';
import { licenses } from './licenses.mjs';

// built beside and swapped in, so that a run in between finds the old files or the new ones
const out = `dist.${process.pid}.tmp`;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const { metafile } = await build({
  entryPoints: { looptag: 'src/cli/main.ts' },
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  define: { LOOPTAG_VERSION: JSON.stringify(version) },
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
  logLevel: 'warning',
  metafile: true,
});
writeFileSync(`${out}/licenses.txt`, licenses(metafile));

// policies are parsed when the tool is built, so that a run needs no YAML parser for them
const policies = await build({
  stdin: {
    contents: "export { parsePolicy } from './src/policy/policy/parse.ts';",
    resolveDir: process.cwd(),
    loader: 'ts',
  },
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
});
mkdirSync(`${out}/policies`, { recursive: true });
writeFileSync(`${out}/policies/parse.mjs`, policies.outputFiles[0].text);
const { parsePolicy } = await import(new URL(`../${out}/policies/parse.mjs`, import.meta.url));
rmSync(`${out}/policies/parse.mjs`);
for (const file of readdirSync('rules/policies')) {
  if (!file.endsWith('.yaml')) continue;
  const name = file.replace(/\.yaml$/, '');
  const policy = await parsePolicy(readFileSync(`rules/policies/${file}`, 'utf8'), `rules/policies/${file}`);
  writeFileSync(`${out}/policies/${name}.json`, JSON.stringify(policy));
}

// `looptag explain RULE` shows what the rule's own folder says
mkdirSync(`${out}/rules`, { recursive: true });
for (const rule of readdirSync('rules/checks')) {
  const readme = `rules/checks/${rule}/README.md`;
  if (existsSync(readme)) copyFileSync(readme, `${out}/rules/${rule}.md`);
}

if (existsSync('dist')) renameSync('dist', `${out}.old`);
renameSync(out, 'dist');
rmSync(`${out}.old`, { recursive: true, force: true });
