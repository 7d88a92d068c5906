import type { Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerMerge(program: Command, act: Act): void {
  sub(program, 'merge', 'put the reports of all shards (inventory --shard) together into the one of a single run')
    .argument('<reports...>', 'JSON reports; - is standard input')
    .action(act(async () => (await import('../commands/merge.ts')).merge));
}
