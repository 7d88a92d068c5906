import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Act, repeat, sub } from '../define.ts';

export function registerStatus(program: Command, act: Act): void {
  sub(program, 'status', 'milestones, acceptance items, and what each still lacks')
    .argument('[paths...]', 'Python files or folders (default: the file that the catalogue speaks of)')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json', 'html']).default('text'))
    .option('--output <format=file>', 'write a report to a file as well (repeatable)', repeat)
    .addOption(new Option('--lang <lang>', 'language of titles').choices(['en', 'zh-TW']).default('en'))
    .option('--history', 'walk the git history: loops left at each commit, and a forecast')
    .addOption(
      new Option('--max <n>', 'at most this many commits, the latest ones').argParser(count).implies({ history: true }),
    )
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/status.ts')).status));
}

function count(value: string): number {
  const n = Number(value);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('a whole number from 1');
  return n;
}
