import { Argument, type Command } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerCompletion(program: Command, act: Act): void {
  sub(program, 'completion', 'print a completion script: eval "$(looptag completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .action(act(async () => (await import('../commands/completion.ts')).completion(program)));
}
