/** `looptag completion`: scripts written from the definitions of the commands themselves. */
import type { Command, Option } from 'commander';
import type { Action } from '../define.ts';

/** One command as a completion sees it. */
interface Node {
  /** `catalog sync`; empty for the program. */
  path: string;
  description: string;
  options: Flag[];
  children: Node[];
  /** Values of the first argument. */
  values: string[];
}

interface Flag {
  names: string[];
  description: string;
  /** null: takes none; empty: anything, so files are offered. */
  values: string[] | null;
}

export function completion(program: Command): Action<object> {
  return async ([shell], _, run) => {
    run.streams.out(SCRIPTS[shell as keyof typeof SCRIPTS](allOf(nodeOf(program, ''))));
    return 0;
  };
}

function nodeOf(command: Command, path: string): Node {
  const options = command.options.filter((o) => !o.hidden).map(flagOf);
  options.push({ names: ['-h', '--help'], description: 'display help', values: null });
  const children = command.commands.map((c) => nodeOf(c, path ? `${path} ${c.name()}` : c.name()));
  const values = command.registeredArguments[0]?.argChoices ?? [];
  return { path, description: command.description(), options, children, values };
}

function flagOf(option: Option): Flag {
  const names = [option.short, option.long].filter((n) => n != null);
  const takes = option.required || option.optional;
  return { names, description: option.description, values: takes ? (option.argChoices ?? []) : null };
}

function allOf(node: Node): Node[] {
  return [node, ...node.children.flatMap(allOf)];
}

/** The cases that are alike in bash and zsh: which command the words name, and the values of an option. */
function cases(nodes: Node[], words: (list: string[]) => string, files: string): { walk: string; values: string } {
  const walk = nodes.filter((n) => n.path).map((n) => quoteKey(n.path));
  const values = nodes.flatMap((n) =>
    n.options.flatMap((o) => {
      if (o.values === null) return [];
      const keys = o.names.map((name) => quoteKey(`${n.path} ${name}`.trim())).join('|');
      return [`    ${keys}) ${o.values.length ? words(o.values) : files}; return ;;`];
    }),
  );
  return { walk: `      ${walk.join('|')}) at="$next" ;;`, values: values.join('\n') };
}

/** Names of commands and options are letters, digits and hyphens. */
function quoteKey(text: string): string {
  return `"${text}"`;
}

function wordsOf(node: Node): { flags: string[]; names: string[] } {
  return {
    flags: node.options.flatMap((o) => o.names),
    names: [...node.children.map((c) => c.path.split(' ').at(-1)!), ...node.values],
  };
}

function bash(nodes: Node[]): string {
  const reply = (list: string[]) => `COMPREPLY=($(compgen -W ${quoteKey(list.join(' '))} -- "$cur"))`;
  const { walk, values } = cases(nodes, reply, 'COMPREPLY=($(compgen -f -- "$cur"))');
  const offers = nodes.map((n) => {
    const { flags, names } = wordsOf(n);
    const rest = names.length ? reply(names) : 'COMPREPLY=($(compgen -f -- "$cur"))';
    return `    ${quoteKey(n.path)}) if [[ $cur == -* ]]; then ${reply(flags)}; else ${rest}; fi ;;`;
  });
  return `# bash completion of looptag
_looptag() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next="\${at:+$at }\${COMP_WORDS[i]}"
    case "$next" in
${walk}
    esac
  done
  case "\${at:+$at }$prev" in
${values}
  esac
  case "$at" in
${offers.join('\n')}
  esac
}
complete -o filenames -o bashdefault -F _looptag looptag
`;
}

function zsh(nodes: Node[]): string {
  const { walk, values } = cases(nodes, (list) => `compadd -- ${list.join(' ')}`, '_files');
  const offers = nodes.map((n) => {
    const flags = n.options.flatMap((o) => o.names.map((name) => zshItem(name, o.description)));
    const names = [
      ...n.children.map((c) => zshItem(c.path.split(' ').at(-1)!, c.description)),
      ...n.values.map((v) => zshItem(v, '')),
    ];
    const rest = names.length ? `offered=(${names.join(' ')}); _describe command offered` : '_files';
    return `    ${quoteKey(n.path)}) if [[ $PREFIX == -* ]]; then offered=(${flags.join(' ')}); _describe option offered; else ${rest}; fi ;;`;
  });
  return `#compdef looptag
_looptag() {
  local at="" next i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    next="\${at:+$at }\${words[i]}"
    case "$next" in
${walk}
    esac
  done
  case "\${at:+$at }\${words[CURRENT-1]}" in
${values}
  esac
  case "$at" in
${offers.join('\n')}
  esac
}
if [[ "\${funcstack[1]}" == _looptag ]]; then
  _looptag "$@"
else
  compdef _looptag looptag
fi
`;
}

function zshItem(name: string, description: string): string {
  return single(`${name.replaceAll(':', '\\:')}${description ? `:${description}` : ''}`);
}

function single(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fish(nodes: Node[]): string {
  const lines = nodes.flatMap((n) => {
    const at = `complete -c looptag -n '__looptag_at "${n.path}"'`;
    const children = n.children.map((c) => `${at} -f -a ${c.path.split(' ').at(-1)} -d ${fishQuote(c.description)}`);
    const values = n.values.length ? [`${at} -f -a ${fishQuote(n.values.join(' '))}`] : [];
    const flags = n.options.map((o) => {
      const names = o.names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      const takes = o.values === null ? '' : o.values.length ? ` -x -a ${fishQuote(o.values.join(' '))}` : ' -r';
      return `${at} ${names.join(' ')}${takes} -d ${fishQuote(o.description)}`;
    });
    return [...children, ...values, ...flags];
  });
  const known = nodes.filter((n) => n.path).map((n) => fishQuote(n.path));
  return `# fish completion of looptag
function __looptag_at
  set -l path
  for word in (commandline -opc)[2..-1]
    set -l next (string join -- ' ' $path $word)
    contains -- "$next" ${known.join(' ')}; and set path $path $word
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

const SCRIPTS = { bash, zsh, fish } satisfies Record<string, (nodes: Node[]) => string>;
