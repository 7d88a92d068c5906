import { type Command, Option } from 'commander';
import { type Act, repeat, sub } from '../define.ts';

export function registerCatalog(program: Command, act: Act): void {
  const catalog = program
    .command('catalog')
    .description('write, update and check the catalogue of loops')
    .exitOverride();
  sub(catalog, 'init', 'write a new catalogue from the code')
    .argument('[paths...]', 'Python files or folders')
    .addOption(new Option('--lang <lang>', 'language').choices(['zh-TW', 'en']).default('en'))
    .option('--write', 'write it to the file given by --catalog instead of standard output')
    .action(act(async () => (await import('../commands/catalog.ts')).init));
  sub(catalog, 'sync', 'bring the catalogue up to date, cell by cell')
    .argument('[paths...]', 'Python files or folders')
    .addOption(new Option('--write', 'change the file, as without it').conflicts(['check', 'diff']))
    .option('--check', 'write nothing; exit 1 when something would change')
    .option('--diff', 'print the difference instead of writing it')
    .option('--prune', 'remove the rows of vanished loops instead of striking them out')
    .option('--tick', 'tick the acceptance boxes whose check holds')
    .action(act(async () => (await import('../commands/catalog.ts')).sync));
  sub(catalog, 'lint', 'check the catalogue against itself, the policy and the code')
    .argument('[paths...]', 'Python files or folders')
    .option('--document <file>', 'another document that speaks of the same loops (repeatable)', repeat)
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json']).default('text'))
    .action(act(async () => (await import('../commands/catalog.ts')).lint));
}
