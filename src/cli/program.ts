/** The command line: parses it, loads the one command that it names, and turns trouble into exit code 2. */
import { Command, CommanderError } from 'commander';
import { type Act, type Action, common } from './define.ts';
import { commands } from './register/index.ts';
import { openStreams } from './streams.ts';
import { Trouble } from './trouble.ts';
import { usageError } from './usage.ts';

declare const LOOPTAG_VERSION: string;
/** Given by the launcher. */
declare const LOOPTAG_BUILD: string | undefined;

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
      exit = await action(positional, options, {
        streams,
        dist,
        version: LOOPTAG_VERSION,
        build: typeof LOOPTAG_BUILD === 'undefined' ? null : LOOPTAG_BUILD,
        verbose: options.verbose ?? false,
      });
    };
  const program = build(act, argv[0]);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (e) {
    return report(e, argv);
  }
}

/** What the machine is out of is no fault of looptag. */
const LACKS: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files\n  raise the limit of this shell: ulimit -n',
  ENFILE: 'too many open files on this machine',
  ENOMEM: 'out of memory',
};

const silent: Act = () => async () => {};

function report(e: unknown, argv: string[]): number {
  if (e instanceof CommanderError) {
    // help and version are no trouble; what is one is told with all commands in view
    if (e.exitCode === 0) return 0;
    if (e.message.startsWith('error: ')) openStreams('auto', false).err(usageError(e.message, argv, build(silent)));
    return 2;
  }
  if (e instanceof Trouble) {
    const { err } = openStreams('auto', false);
    err(`looptag: ${e.message}\n${e.remedy ? `  ${e.remedy}\n` : ''}`);
    return 2;
  }
  const { err } = openStreams('auto', false);
  const lack = LACKS[(e as NodeJS.ErrnoException)?.code ?? ''];
  if (lack) {
    err(`looptag: ${lack}\n`);
    return 2;
  }
  const detail = argv.includes('-v') || argv.includes('--verbose') ? ((e as Error).stack ?? String(e)) : String(e);
  err(`looptag: internal error: ${detail}\n  this is a fault of looptag; --verbose shows where\n`);
  return 2;
}

/**
 * The command tree. A command that is named first is the one that runs: the others are not even defined then.
 */
export function build(act: Act, first?: string): Command {
  const program = new Command('looptag')
    .description('Static analysis and codemod for the background tasks of Python asyncio services')
    .version(LOOPTAG_VERSION)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError();
  common(program);
  // a completion script speaks of all of them
  const alone = first !== undefined && first !== 'completion' && Object.hasOwn(commands, first);
  const named = alone ? commands[first] : undefined;
  for (const register of named ? [named] : Object.values(commands)) register(program, act);
  return program;
}
