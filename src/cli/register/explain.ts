import { type Command, Option } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerExplain(program: Command, act: Act): void {
  sub(
    program,
    'explain',
    'all that is known on one loop (17, run_x, src/main.py:499) or one rule (untagged-loop, LT001)',
  )
    .argument('<what>', "a row's number, a function, a place, or a rule")
    .argument('[paths...]', 'Python files or folders (default: the file that the catalogue speaks of)')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json']).default('text'))
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/explain.ts')).explain));
}
