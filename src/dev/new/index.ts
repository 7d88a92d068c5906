/** `npm run new`: code, README and a first case of one more of something. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Registry } from '../registry.ts';
import { newCheck } from './check.ts';
import { newCodemod } from './codemod.ts';
import { newFormat } from './format.ts';
import { newPolicy } from './policy.ts';
import { newSpawnApi } from './spawn-api.ts';

export interface Context {
  name: string;
  registry: Registry;
  read(file: string): string;
}

/** New files by path, changed ones too; and what is left to do by hand. */
export interface Scaffold {
  files: Record<string, string>;
  next: string[];
}

const KINDS: Record<string, (context: Context) => Scaffold> = {
  check: newCheck,
  codemod: newCodemod,
  'spawn-api': newSpawnApi,
  format: newFormat,
  policy: newPolicy,
};

/** Files that a scaffold may change; all others must be new. */
const CHANGED = new Set(['CHANGELOG.md']);

/** @throws Error on an unknown kind, a bad name, or something that is there already. */
export function scaffold(
  kind: string,
  name: string,
  registry: Registry,
  root: string,
): { files: string[]; next: string[] } {
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!make) throw new Error(`${kind}: one of ${Object.keys(KINDS).join(', ')} is expected`);
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error(`${name}: a name of small letters, digits and hyphens is expected`);
  const { files, next } = make({ name, registry, read: (file) => readFileSync(join(root, file), 'utf8') });
  const taken = Object.keys(files).find((file) => !CHANGED.has(file) && existsSync(join(root, file)));
  if (taken) throw new Error(`${taken} is there already`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  format(
    Object.keys(files).filter((file) => file.endsWith('.ts')),
    root,
  );
  return { files: Object.keys(files), next };
}

function format(files: string[], root: string): void {
  if (files.length === 0) return;
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const { status, stderr } = spawnSync(process.execPath, [biome, 'check', '--write', ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}
