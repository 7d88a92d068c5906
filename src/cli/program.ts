/** The command line: parses it, loads the one command that it names, and turns trouble into exit code 2. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { openStreams, type Streams } from './streams.ts';
import { Trouble } from './trouble.ts';

declare const LOOPTAG_VERSION: string;

/** What every command gets. */
export interface Run {
  streams: Streams;
  /** Folder of the built files, for bundled data. */
  dist: URL;
  version: string;
  verbose: boolean;
}

type Action<O> = (paths: string[], options: O, run: Run) => Promise<number>;

/** Runs the command line; the exit code. */
export async function run(argv: string[], dist: URL): Promise<number> {
  let exit = 0;
  const act =
    <O>(load: () => Promise<Action<O>>) =>
    async (...args: unknown[]): Promise<void> => {
      const command = args[args.length - 1] as Command;
      const options = command.optsWithGlobals() as O & { color: 'auto'; quiet?: boolean; verbose?: boolean };
      const streams = openStreams(options.color, options.quiet ?? false);
      const positional = args.slice(0, -2).flat() as string[];
      const action = await load();
      exit = await action(positional, options, { streams, dist, version: LOOPTAG_VERSION, verbose: options.verbose ?? false });
    };
  const program = build(act);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (e) {
    return report(e, argv);
  }
}

function report(e: unknown, argv: string[]): number {
  if (e instanceof CommanderError) {
    // help and version are no trouble
    return e.exitCode === 0 ? 0 : 2;
  }
  if (e instanceof Trouble) {
    const { err } = openStreams('auto', false);
    err(`looptag: ${e.message}\n${e.remedy ? `  ${e.remedy}\n` : ''}`);
    return 2;
  }
  const { err } = openStreams('auto', false);
  const detail = argv.includes('-v') || argv.includes('--verbose') ? ((e as Error).stack ?? String(e)) : String(e);
  err(`looptag: internal error: ${detail}\n  this is a fault of looptag; --verbose shows where\n`);
  return 2;
}

type Act = <O>(load: () => Promise<Action<O>>) => (...args: unknown[]) => Promise<void>;

function build(act: Act): Command {
  const program = new Command('looptag')
    .description('Static analysis and codemod for the background tasks of Python asyncio services')
    .version(LOOPTAG_VERSION)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`looptag: ${text.replace(/^error: /, '')}`) })
    .showSuggestionAfterError();
  common(program);
  inventory(program, act);
  check(program, act);
  return program;
}

function common(command: Command): void {
  command
    .option('--root <dir>', 'project root (default: nearest folder upward with a configuration or .git)')
    .option('--config <file>', 'configuration file')
    .option('--catalog <file>', 'the Markdown catalogue (INV-8)')
    .option('--policy <name|file>', 'migration policy (default: awoooi)')
    .addOption(new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'))
    .option('-q, --quiet', 'nothing on stderr but trouble')
    .option('-v, --verbose', 'more detail')
    .option('--no-progress', 'no progress display')
    .addOption(new Option('-j, --jobs <n>', 'worker count').argParser(positive));
}

function positive(value: string): number {
  const n = Number(value);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('a whole number from 1');
  return n;
}

function sub(program: Command, name: string, summary: string): Command {
  const command = program.command(name).description(summary).exitOverride();
  common(command);
  return command;
}

function inventory(program: Command, act: Act): void {
  sub(program, 'inventory', 'list every task-spawn site, what it starts, and how each line that grep hits is explained')
    .argument('[paths...]', 'Python files or folders')
    .addOption(new Option('--format <name>', 'output format').choices(['text', 'json', 'markdown', 'csv']).default('text'))
    .option('--context-var <module:name>', 'the context variable that carries the project id')
    .action(act(async () => (await import('./commands/inventory.ts')).inventory));
}

function check(program: Command, act: Act): void {
  void program;
  void act;
}
