/** `npm run gen [-- --check]` and `npm run new -- KIND NAME`. */
import { bringUpToDate, generate } from './generate.ts';
import { scaffold } from './new/index.ts';
import type { Registry } from './registry.ts';

const USAGE = `usage: npm run gen [-- --check]
       npm run new -- check|codemod|spawn-api|format|policy NAME
`;

/** The exit code. Scaffolds add files, so what is generated from them is the next run's. */
export function main(args: string[], registry: Registry, root: string): number {
  const [command, ...rest] = args;
  try {
    if (command === 'gen' && (rest.length === 0 || rest.join() === '--check'))
      return gen(registry, root, rest.length > 0);
    if (command === 'new' && rest.length === 2) return create(rest[0]!, rest[1]!, registry, root);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }
  process.stderr.write(USAGE);
  return 2;
}

function gen(registry: Registry, root: string, check: boolean): number {
  const stale = bringUpToDate(generate(registry, root), root, check);
  for (const file of stale) process.stdout.write(`${check ? 'stale' : 'written'}: ${file}\n`);
  if (stale.length === 0) process.stdout.write('everything that is generated is up to date\n');
  else if (check) process.stderr.write('run `npm run gen`\n');
  return check && stale.length > 0 ? 1 : 0;
}

function create(kind: string, name: string, registry: Registry, root: string): number {
  const { files, next } = scaffold(kind, name, registry, root);
  for (const file of files) process.stdout.write(`written: ${file}\n`);
  for (const step of next) process.stdout.write(`next: ${step}\n`);
  return 0;
}
