/** Bundles the CLI: a launcher, the program in one file with its compiled code, and the bundled policies as JSON. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { licenses } from './licenses.mjs';

// built beside and swapped in, so that a run in between finds the old files or the new ones
const out = `dist.${process.pid}.tmp`;
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
/** A module in the place of another one. */
const instead = (name, filter, contents) => ({
  name,
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, namespace }) => (namespace === name ? null : { path, namespace: name }));
    onLoad({ filter: /.*/, namespace: name }, () => ({ contents, resolveDir: process.cwd() }));
  },
});
/** A module of Node's that is loaded when something of it is used: each of these takes as long as many a file to analyse. */
const lazily = (module, names) =>
  instead(
    `${module} when it is used`,
    new RegExp(`^node:${module}$`),
    names
      .map(
        (name) =>
          `Object.defineProperty(exports, '${name}', {enumerable: true, get: () => require('node:${module}').${name}});`,
      )
      .join('\n'),
  );
const builtins = [
  lazily('child_process', ['exec', 'execFile', 'execFileSync', 'execSync', 'fork', 'spawn', 'spawnSync']),
  lazily('crypto', ['createHash']),
  lazily('worker_threads', ['MessageChannel', 'receiveMessageOnPort', 'Worker']),
];
/** The tables of string-width are made when a text needs them: two regular expressions over all of Unicode. */
const widths = instead(
  'widths',
  /^string-width$/,
  "module.exports = (...given) => require('string-width').default(...given);",
);
/** Which colours a terminal has is not asked for, and to ask loads sockets. */
const colours = instead('colours', /^#supports-color$/, 'export default { stdout: false, stderr: false };');
/** Large libraries that few runs need are files of their own: what is not asked for is not even read. */
const APART = {
  yaml: 'yaml',
  'vscode-languageserver/node': 'language-server',
  'vscode-languageserver-textdocument': 'text-document',
};
const apart = {
  name: 'libraries apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[\w/-]+$/ }, ({ path, importer }) =>
      Object.hasOwn(APART, path) && !importer.includes('node_modules')
        ? { path: `./libraries/${APART[path]}.js`, external: true }
        : null,
    );
  },
};
const common = {
  outdir: out,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: 'warning',
};
// one file in which each module is run when it is first asked for: V8 keeps the compiled code of one file in one piece
const { metafile } = await build({
  ...common,
  entryPoints: { program: 'src/cli/main.ts' },
  plugins: [...builtins, widths, colours, apart],
  banner: { js: '"use strict";' },
  supported: { 'dynamic-import': false },
  define: { LOOPTAG_VERSION: JSON.stringify(version) },
  metafile: true,
});
const libraries = await build({
  ...common,
  outdir: `${out}/libraries`,
  entryPoints: Object.entries(APART).map(([path, name]) => ({ in: path, out: name })),
  metafile: true,
});
Object.assign(metafile.inputs, libraries.metafile.inputs);
Object.assign(metafile.outputs, libraries.metafile.outputs);
// esbuild leaves regular expressions and templates as they are; escaped, the file is one byte a character
const plain = readFileSync(`${out}/program.js`, 'utf8').replace(
  /[^\x00-\x7f]/g,
  (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
);
writeFileSync(`${out}/program.js`, plain);
const identity = createHash('sha256').update(plain).digest('hex').slice(0, 16);
await build({
  ...common,
  entryPoints: { start: 'src/cli/start.ts', launch: 'src/cli/launch.ts' },
  external: ['./launch.js'],
  plugins: builtins,
  define: { LOOPTAG_BUILD: JSON.stringify(identity) },
});
await build({ ...common, entryPoints: { looker: 'src/cli/look/looker.ts' } });
writeFileSync(`${out}/package.json`, '{ "type": "commonjs" }\n');
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

warm();

if (existsSync('dist')) renameSync('dist', `${out}.old`);
renameSync(out, 'dist');
rmSync(`${out}.old`, { recursive: true, force: true });

/** Runs the usual commands on a small service once, so that the code they need is kept compiled. */
function warm() {
  const service = 'fixtures/services/awoooi';
  if (!existsSync(service)) return;
  const run = (args) =>
    spawnSync(process.execPath, [resolve(out, 'start.js'), ...args], {
      cwd: service,
      env: { ...process.env, LOOPTAG_WRITE_CODE: '1' },
      stdio: 'ignore',
    });
  for (const command of ['inventory', 'check', 'migrate']) run([command, '--root', '.']);
}
