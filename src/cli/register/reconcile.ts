import { type Command, Option } from 'commander';
import { type Act, sub } from '../define.ts';

export function registerReconcile(program: Command, act: Act): void {
  sub(program, 'reconcile', 'compare a dump of the running tasks with the loops of code and catalogue')
    .argument('[paths...]', 'Python files or folders (default: the file that the catalogue speaks of)')
    .requiredOption(
      '--runtime <file>',
      'JSON lines of the probe, or the text of `python -m asyncio ps`; - reads standard input',
    )
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json']).default('text'))
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/reconcile.ts')).reconcileCommand));
}
