import { type Command, Option } from 'commander';
import { INVENTORY_FORMATS } from '../bundled.ts';
import { type Act, sub } from '../define.ts';

export function registerInventory(program: Command, act: Act): void {
  sub(program, 'inventory', 'list every task-spawn site, what it starts, and how each line that grep hits is explained')
    .argument('[paths...]', 'Python files or folders')
    .addOption(new Option('--format <name>', 'output format').choices(INVENTORY_FORMATS).default('text'))
    .option('--shard <i/n>', 'report only one of n parts of the files, for `looptag merge` (with --format json)')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/inventory.ts')).inventory));
}
