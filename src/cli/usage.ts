/** What is wrong with a command line, and the way out. */
import type { Command } from 'commander';

/** Other linters mend as they check. */
const MENDING = '`looptag migrate --write` and `looptag catalog sync` mend what can be mended';

/** Commander's message in the shape of all others: what is wrong, then the remedy on a line of its own. */
export function usageError(text: string, argv: readonly string[], program: Command): string {
  const [first = '', hint] = text.trim().split('\n');
  const near = hint && /^\(Did you mean (.*)\?\)$/.exec(hint)?.[1];
  const command = named(argv, program);
  const remedy = near ? `did you mean ${near}?` : (elsewhere(first, program) ?? listed(command));
  return `looptag: ${first.replace(/^error: /, '')}\n  ${remedy}\n`;
}

/** The command that the line speaks of: as far down the tree as its first words lead. */
function named(argv: readonly string[], program: Command): Command {
  let command = program;
  for (const word of argv) {
    const next = command.commands.find((c) => c.name() === word);
    if (!next) break;
    command = next;
  }
  return command;
}

/** An option that other commands have is no slip of the pen. */
function elsewhere(message: string, program: Command): string | null {
  const flag = /^error: unknown option '(--[\w-]+)/.exec(message)?.[1];
  if (flag === '--fix') return MENDING;
  const owners = flag ? all(program).filter((c) => c.options.some((o) => o.long === flag)) : [];
  if (owners.length === 0) return null;
  return `${flag} is an option of ${owners.map((c) => `\`${line(c)}\``).join(', ')}`;
}

function listed(command: Command): string {
  if (!command.parent) return '`looptag --help` lists the commands, `looptag COMMAND --help` their options';
  return `\`${line(command)} --help\` lists what it takes`;
}

function all(command: Command): Command[] {
  return [command, ...command.commands.flatMap(all)];
}

function line(command: Command): string {
  return command.parent ? `${line(command.parent)} ${command.name()}` : command.name();
}
