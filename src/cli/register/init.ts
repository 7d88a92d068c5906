import type { Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerInit(program: Command, act: Act): void {
  sub(program, 'init', 'find main.py, the catalogue and the context variable, and write the configuration')
    .option('--pyproject', 'write [tool.looptag] into pyproject.toml (the default where there is one)')
    .option('--toml', 'write looptag.toml')
    .option('--force', 'replace a configuration that is there')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/init.ts')).init));
}
