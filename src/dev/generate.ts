/** `npm run gen`: everything that is derived from metadata. Deterministic: the same sources yield the same bytes. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configKeys, configSchema } from './config.ts';
import { blocks, commandsPage, fillBlocks, rulesPage } from './docs.ts';
import { formatIndexes, type Generated, ruleIndexes } from './indexes.ts';
import { namesFile } from './names.ts';
import type { Registry } from './registry.ts';

const WITH_BLOCKS = ['README.md', 'README.zh-TW.md', 'CONTRIBUTING.md', 'docs/architecture.md'];

export function generate(registry: Registry, root: string): Generated[] {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const keys = configKeys(read);
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  const contents = blocks(registry, keys);
  return [
    ...[...ruleIndexes(registry), ...formatIndexes(registry, read), namesFile(registry)].map((each) =>
      formatted(each, root),
    ),
    rulesPage(registry, read),
    { file: 'docs/commands.md', text: commandsPage(registry.program) },
    { file: 'schemas/config.schema.json', text: json(configSchema(keys)) },
    { file: 'schemas/policy.schema.json', text: json(registry.policySchema) },
    ...WITH_BLOCKS.filter((file) => existsSync(join(root, file))).map((file) => ({
      file,
      text: fillBlocks(read(file), contents, file),
    })),
  ];
}

/** As the formatter of the project leaves it. */
function formatted({ file, text }: Generated, root: string): Generated {
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [biome, 'check', '--write', `--stdin-file-path=${file}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, input: text, encoding: 'utf8' });
  if (status !== 0 || !stdout) throw new Error(`${file}: the formatter refuses it:\n${stderr}`);
  return { file, text: stdout };
}

/** Writes what is stale, or only names it. */
export function bringUpToDate(generated: Generated[], root: string, check: boolean): string[] {
  const stale = generated.filter(({ file, text }) => {
    const path = join(root, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== text;
  });
  if (!check) for (const { file, text } of stale) writeFileSync(join(root, file), text);
  return stale.map(({ file }) => file);
}
