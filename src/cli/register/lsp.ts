import type { Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerLsp(program: Command, act: Act): void {
  sub(program, 'lsp', 'a language server on standard input and output: findings, quick fix, code lens, hover')
    .option('--stdio', 'use standard input and output (always so; editors like to say it)')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/lsp.ts')).lsp));
}
