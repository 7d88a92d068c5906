import { type Command, Option } from 'commander';
import { METHODS } from '../bundled.ts';
import { type Act, list, sub } from '../define.ts';

export function registerMigrate(program: Command, act: Act): void {
  sub(program, 'migrate', 'the codemod: print the diff, --write it, or save it as a patch')
    .argument('[paths...]', 'Python files or folders; - reads one file from standard input')
    .option('--project-id <id>', 'the id for every untagged site, instead of a catalogue')
    .option('--batch <name>', 'only the loops of this batch of the policy')
    .option('--priority <list>', 'only these priorities', list)
    .option('--class <list>', 'only these classes', list)
    .option('--only <list>', 'only these loops (numbers or names)', list)
    .addOption(
      new Option(
        '--method <name>',
        'how the id is carried (default: wrapper); given, it converts sites that are tagged in another way',
      ).choices(METHODS),
    )
    .option('--helper <inline|module>', 'define the helper in the file, or import it from a module')
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .option('--trace', 'set a trace id too, for every site')
    .option('--heartbeat', 'put a Prometheus heartbeat into the loops')
    .option('--revert', 'take tags out again, whichever method put them')
    .option('--unsafe', 'also edits that change what a name or a result means')
    .option('--write', 'change the files')
    .option('--check', 'exit 1 when something would change')
    .option('--patch <file>', 'save the diff')
    .addOption(new Option('--split <by>', 'one patch a class, priority or file').choices(['class', 'priority', 'file']))
    .option('--patch-dir <dir>', 'where --split writes its patches')
    .option('-i, --interactive', 'ask for each site')
    .option('--allow-dirty', 'also files that git shows changed')
    .option('--no-python', 'do not let python3 compile the result')
    .option('--stdin-filename <file>', 'name of the file on standard input')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json']).default('text'))
    .action(act(async () => (await import('../commands/migrate.ts')).migrate));
}
