/** All tests of an area and the code that they test in one file, with the mutants asleep in it. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { withMutants } from './mutants.mjs';

/** Where a run within the process differs from one of its own. */
const PATCHES = [
  [/test\/e2e\/support\/run\.ts$/, (text) => `export { looptag } from '../../../scripts/mutation/cli.ts';\n${text}`],
  [
    /test\/e2e\/support\/run\.ts$/,
    (text) => text.replace(/export (async )?function looptag\(/, '$1function ofItsOwn('),
  ],
  [
    /test\/e2e\/support\/run\.ts$/,
    (text) => text.replace(/= spawnSync\(command, \['-c', ABOUT\].*;/, "= { stdout: '', status: 1 };"),
  ],
  [/test\/e2e\/support\/run\.ts$/, (text) => text.replace('afterAll(() => rmSync', "process.on('exit', () => rmSync")],
  [
    /test\/codemods\/cases\.test\.ts$/,
    (text) =>
      text.replace(
        /^import \{ spawnSync \}.*$/m,
        'const spawnSync = () => ({ status: 0, stdout: Buffer.from(""), stderr: Buffer.from("") });',
      ),
  ],
  [/src\/cli\/plain-streams\.ts$/, (text) => text.replace("'node:fs'", "'../../scripts/mutation/streams.ts'")],
  [
    /src\/io\/python\.ts$/,
    (text) =>
      text.replace('const input = files', 'if (python) return { version: null, problems: [] };\n  const input = files'),
  ],
];

/**
 * `tests` are files below `root`; the bundle runs them by name (see `vitest.ts`).
 * @returns for each test file the files that it loads, by way of others too
 */
export async function bundle(root, tests, mutants, outfile) {
  const list = tests.map((file) => `[${JSON.stringify(`${root}/${file}`)}, () => import('./${file}')],`);
  const { metafile } = await build({
    stdin: {
      contents: `export { runFile } from './scripts/mutation/vitest.ts';\nexport const files = [\n${list.join('\n')}\n];`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile,
    bundle: true,
    metafile: true,
    absWorkingDir: root,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { LOOPTAG_VERSION: '"0.0.0"' },
    external: ['esbuild', 'typescript', 'ts-morph'],
    banner: { js: "import { createRequire as __cr } from 'node:module'; const require = __cr(import.meta.url);" },
    alias: { vitest: `${root}/scripts/mutation/vitest.ts` },
    logLevel: 'error',
    plugins: [
      {
        name: 'mutants',
        setup: (b) =>
          b.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const name = relative(root, path);
            let text = withMutants(
              readFileSync(path, 'utf8'),
              mutants.filter(({ file }) => file === name),
            );
            for (const [pattern, patch] of PATCHES) if (pattern.test(path)) text = patch(text);
            if (!path.includes('node_modules'))
              text = text
                .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
                .replaceAll('import.meta.dirname', JSON.stringify(path.slice(0, path.lastIndexOf('/'))));
            return { contents: text, loader: 'ts' };
          }),
      },
    ],
  });
  return new Map(tests.map((file) => [`${root}/${file}`, reached(metafile, file)]));
}

function reached({ inputs }, from) {
  const seen = new Set([from]);
  for (const file of seen) for (const { path } of inputs[file]?.imports ?? []) seen.add(path);
  return seen;
}
