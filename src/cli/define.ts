/** What the definitions of commands share. Light: it is loaded for every run. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Streams } from './streams.ts';

/** What every command gets. */
export interface Run {
  streams: Streams;
  /** Folder of the built files, for bundled data. */
  dist: URL;
  version: string;
  /** Digest of the built program; null when it runs from its sources. */
  build: string | null;
  verbose: boolean;
}

/** A command's work: positional arguments and options in, exit code out. */
export type Action<O> = (args: string[], options: O, run: Run) => Promise<number>;

/** Wraps a lazily loaded action for commander. */
export type Act = <O>(load: () => Promise<Action<O>>) => (...args: unknown[]) => Promise<void>;

/** Options that mean the same everywhere. */
export function common(command: Command): Command {
  return command
    .option('--root <dir>', 'project root (default: nearest folder upward with a configuration or .git)')
    .option('--config <file>', 'configuration file')
    .option('--catalog <file>', 'the Markdown catalogue (INV-8)')
    .option('--policy <name|file>', 'migration policy (default: awoooi)')
    .addOption(new Option('--color <when>', 'colours').choices(['auto', 'always', 'never']).default('auto'))
    .option('-q, --quiet', 'nothing on stderr but trouble')
    .option('-v, --verbose', 'more detail')
    .option('--no-progress', 'no progress display')
    .option('--no-cache', 'read nothing from the cache and write nothing to it')
    .option('--cache-dir <dir>', "where the cache lies (default: looptag in the user's cache folder)")
    .addOption(
      new Option(
        '-j, --jobs <n>',
        'threads that look at the files of a large tree (default: one a core, at most 4)',
      ).argParser(positive),
    );
}

function positive(value: string): number {
  const n = Number(value);
  if (!Number.isInteger(n) || n < 1) throw new InvalidArgumentError('a whole number from 1');
  return n;
}

/** A sub-command with the common options. */
export function sub(program: Command, name: string, summary: string): Command {
  return common(program.command(name).description(summary).exitOverride());
}

/** Collects a repeatable option; commas separate too. */
export function list(value: string, previous: string[] = []): string[] {
  return [
    ...previous,
    ...value
      .split(',')
      .map((v) => v.trim())
      .filter(Boolean),
  ];
}

/** Collects a repeatable option as given. */
export function repeat(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
