import type { Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerClean(program: Command, act: Act): void {
  sub(program, 'clean', 'remove what earlier runs left in the cache').action(
    act(async () => (await import('../commands/clean.ts')).clean),
  );
}
