#!/usr/bin/env node
/**
 * `npm run gen`, `npm run gen:check` and `npm run new`: bundles `src/dev` together with every rule that has a folder, whatever the
 * indexes say, and runs it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);

/** Each folder with an `index.ts`, as one import and one entry of a table. */
function table(name, folder) {
  const found = readdirSync(folder).filter((each) => existsSync(`${folder}/${each}/index.ts`));
  const imports = found.map((each, i) => `import ${name}${i} from './${folder}/${each}/index.ts';`);
  return [
    ...imports,
    `const ${name} = {${found.map((each, i) => `${JSON.stringify(each)}: ${name}${i}`).join(', ')}};`,
  ];
}

const policies = readdirSync('rules/policies').flatMap((file) => (file.endsWith('.yaml') ? [file.slice(0, -5)] : []));

/** What `src/cli/bundled.ts` is to say once it is generated: the command line is described with it. */
const bundled = [
  "import { namesOf } from './src/dev/names.ts';",
  ...table('codemods', 'rules/codemods'),
  ...table('formats', 'src/report/formats'),
  `export const { METHODS, CHECK_FORMATS, INVENTORY_FORMATS, POLICIES } = namesOf({ codemods, formats, policies: ${JSON.stringify(policies)} });`,
].join('\n');

const contents = [
  "export { main } from './src/dev/main.ts';",
  "import { build } from './src/cli/program.ts';",
  "import { policyJsonSchema } from './src/policy/policy/json-schema.ts';",
  ...table('checks', 'rules/checks'),
  ...table('codemods', 'rules/codemods'),
  ...table('spawnApis', 'rules/spawn-apis'),
  ...table('formats', 'src/report/formats'),
  `const policies = ${JSON.stringify(policies)};`,
  'export const registry = { checks, codemods, spawnApis, formats, policies, policySchema: policyJsonSchema(), program: build(() => () => {}) };',
].join('\n');

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const cache = join(root, 'node_modules', '.cache', 'looptag');
mkdirSync(cache, { recursive: true });
const outfile = join(cache, `dev-${process.pid}.mjs`);
try {
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    define: { LOOPTAG_VERSION: JSON.stringify(version) },
    // What a command does is not needed for its description, and may import an index that is stale.
    plugins: [
      {
        name: 'commands',
        setup: (b) => b.onResolve({ filter: /\/commands\// }, ({ path }) => ({ path, external: true })),
      },
      {
        name: 'bundled',
        setup(b) {
          b.onResolve({ filter: /\/bundled\.ts$/ }, ({ path }) => ({ path, namespace: 'bundled' }));
          b.onLoad({ filter: /./, namespace: 'bundled' }, () => ({
            contents: bundled,
            resolveDir: root,
            loader: 'ts',
          }));
        },
      },
    ],
    logLevel: 'warning',
  });
  const { main, registry } = await import(pathToFileURL(outfile).href);
  const args = process.argv.slice(2);
  process.exitCode = main(args, registry, root);
  if (args[0] === 'new' && process.exitCode === 0) {
    // With the new folder in the registry.
    process.exitCode =
      spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'gen'], { stdio: 'inherit' }).status ?? 1;
  }
} finally {
  rmSync(outfile, { force: true });
}
