import { type Command, Option } from 'commander';
import { CHECK_FORMATS } from '../bundled.ts';
import { type Act, list, repeat, sub } from '../define.ts';

export function registerCheck(program: Command, act: Act): void {
  sub(program, 'check', 'the CI gate: run the rules, exit 1 on findings')
    .argument('[paths...]', 'Python files or folders')
    .addOption(
      new Option('--format <name>', 'output format; auto: github in GitHub Actions, else text')
        .choices(['auto', ...CHECK_FORMATS])
        .default('auto'),
    )
    .option('--output <format=file>', 'write a report to a file as well (repeatable)', repeat)
    .option('--select <rules>', 'only these rules', list)
    .option('--ignore <rules>', 'not these rules', list)
    .addOption(
      new Option('--fail-on <severity>', 'exit 1 from this severity up').choices(['error', 'warning', 'note', 'never']),
    )
    .option('--baseline <file>', 'accept the findings of this file')
    .addOption(
      new Option('--write-baseline', 'write the findings to the baseline file and exit 0').conflicts([
        'pruneBaseline',
        'since',
        'stdinFilename',
      ]),
    )
    .addOption(
      new Option('--prune-baseline', 'take entries out of the baseline that match nothing any more').conflicts([
        'since',
        'stdinFilename',
      ]),
    )
    .option('--since <ref>', 'report only what the changes since a git revision touch')
    .addOption(
      new Option('--watch', 'run again whenever a file changes').conflicts([
        'stdinFilename',
        'writeBaseline',
        'pruneBaseline',
      ]),
    )
    .option('--stdin-filename <file>', 'read one file from standard input, under this name')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('../commands/check.ts')).check));
}
