import type { Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerEmit(program: Command, act: Act): void {
  const emit = program.command('emit').description('files for the service itself').exitOverride();
  sub(emit, 'probe', 'a Python module without dependencies that lists the running tasks (looptag_probe.py)')
    .argument('[paths...]', 'Python files or folders to look for the context variable in')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/emit.ts')).probe));
}
