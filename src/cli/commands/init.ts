/** `looptag init` */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DiskFileSystem } from '../../io/disk.ts';
import { printable } from '../../report/escape.ts';
import { emptyConfig, keysIn } from '../config.ts';
import { isShared, OWN_FILE, SHARED_FILE, TABLE } from '../config-files.ts';
import type { Run } from '../define.ts';
import { type Discovery, discover } from '../init/discover.ts';
import { tomlArray, tomlString, withTable } from '../init/toml.ts';
import { Trouble } from '../trouble.ts';
import { type CommonOptions, openWorkspace, type Workspace } from '../workspace.ts';
import { writeAll } from '../write.ts';

export interface InitOptions extends CommonOptions {
  pyproject?: boolean;
  toml?: boolean;
  force?: boolean;
}

type File = typeof OWN_FILE | typeof SHARED_FILE;

const DEFAULT_POLICY = 'awoooi';
/** What is found anew, or kept. */
const WRITTEN = ['paths', 'catalog', 'documents', 'policy', 'import-roots', 'context-var'];

export async function init(_: string[], options: InitOptions, run: Run): Promise<number> {
  const opened = await openWorkspace(options, run.dist);
  // what is configured now must not decide what is found
  const w = { ...opened, config: emptyConfig(), fs: new DiskFileSystem(opened.root) };
  const target = chooseFile(opened, options);
  if (!w.fs.listPython(['.']).length)
    throw new Trouble(`${w.shownRoot}: no Python files`, 'go to the project, or name it with --root');
  const found = discover(w, options);
  if (!found.files.length)
    throw new Trouble(
      `${w.shownRoot}: no Python file starts background work`,
      'is this the right folder? --root names another one',
    );
  const policy = options.policy ?? opened.config.policy ?? DEFAULT_POLICY;
  const body = tableOf(found, policy, options.policy !== undefined);
  const before = existsSync(resolve(w.root, target)) ? readUtf8(w, target) : null;
  const after = target === OWN_FILE ? `${body.join('\n')}\n` : await edited(before ?? '', body);
  writeAll(w, [{ file: target, before: before === null ? null : Buffer.from(before), after: Buffer.from(after) }]);
  const lost = keysIn(opened.config).filter((key) => !WRITTEN.includes(key));
  run.streams.out(report(found, { policy, lost, target, variable: w.policy.contextVariable }, run));
  return 0;
}

/** The file that is in force or was asked for. Nothing that is there is overwritten without --force. */
function chooseFile({ root, config }: Workspace, { pyproject, toml, force }: InitOptions): File {
  if (pyproject && toml) throw new Trouble('--pyproject and --toml exclude each other', 'leave one of the two out');
  const has = (file: File) => statSync(resolve(root, file), { throwIfNoEntry: false })?.isFile() ?? false;
  const inForce: File | null = config.file === null ? null : isShared(config.file) ? SHARED_FILE : OWN_FILE;
  if (inForce && !force) {
    const where = inForce === OWN_FILE ? `${OWN_FILE} exists already` : `${SHARED_FILE} holds [${TABLE}] already`;
    throw new Trouble(where, 'nothing was changed; --force replaces it');
  }
  if (pyproject && !has(SHARED_FILE)) throw new Trouble(`there is no ${SHARED_FILE} in ${root}`, 'use --toml');
  if (pyproject) {
    if (inForce === OWN_FILE)
      throw new Trouble(`${OWN_FILE} would still win over ${SHARED_FILE}`, 'remove it first, or leave --pyproject out');
    return SHARED_FILE;
  }
  if (toml) return OWN_FILE;
  return inForce ?? (has(SHARED_FILE) ? SHARED_FILE : OWN_FILE);
}

function tableOf(found: Discovery, policy: string, isGiven: boolean): string[] {
  const { catalogue, documents, contextVariable: v } = found;
  const lines = [
    // a gate over the files that start loops today would not see the next one
    `paths = ${tomlArray(found.folders)}`,
    catalogue && `catalog = ${tomlString(catalogue.file)}`,
    documents.length > 0 && `documents = ${tomlArray(documents)}`,
    (isGiven || policy !== DEFAULT_POLICY) && `policy = ${tomlString(policy)}`,
    found.importRoots.length > 0 && `import-roots = ${tomlArray(found.importRoots)}`,
    v && `context-var = ${tomlString(`${v.module}:${v.name}`)}`,
  ];
  return lines.filter((line) => typeof line === 'string');
}

function readUtf8(w: Workspace, file: File): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(resolve(w.root, file)));
  } catch (e) {
    const { code } = e as NodeJS.ErrnoException;
    throw new Trouble(
      `${file}: ${code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8' : `cannot be read (${code})`}`,
    );
  }
}

/** The new text, proven: it parses, holds the table, and says the same as before about everything else. */
async function edited(before: string, body: string[]): Promise<string> {
  const after = withTable(before, TABLE, body);
  const { parse } = await import('smol-toml');
  const others = (text: string): unknown => {
    const { tool = {}, ...rest } = parse(text.replace(/^\ufeff/, '')) as { tool?: Record<string, unknown> };
    const { looptag: _, ...tools } = tool;
    return { tool: tools, rest };
  };
  let same = false;
  try {
    same = isDeepStrictEqual(others(before), others(after));
  } catch {
    // the table cannot stand where it was put
  }
  if (!same) {
    const lines = [`[${TABLE}]`, ...body].map((line) => `  ${line}`).join('\n');
    throw new Trouble(
      'pyproject.toml is written in a way that cannot be edited safely; nothing was changed',
      `put this in by hand:\n${lines}`,
    );
  }
  return after;
}

interface Outcome {
  policy: string;
  /** Keys of the old configuration that the new one lacks. */
  lost: string[];
  target: File;
  /** The context variable's usual name. */
  variable: string;
}

function report(found: Discovery, { policy, lost, target, variable }: Outcome, run: Run): string {
  const { catalogue: c, contextVariable: v, documents, contextVariables } = found;
  const [main, ...others] = found.files;
  const open = contextVariables.length
    ? `not decided: ${contextVariables.map((x) => `${x.module}:${x.name}`).join(', ')}`
    : `none found; \`looptag migrate\` needs one: \`${variable} = ContextVar("${variable}", default="")\``;
  const rows: [string, string][] = [
    ['main file', `${main!.file} (${main!.spawns} background spawns)`],
    ...others.map((f): [string, string] => ['also', `${f.file} (${f.spawns})`]),
    ['paths', found.folders.join(', ')],
    [
      'catalogue',
      c
        ? `${c.file} (${c.rows} rows, ${c.known} of them found in the code)`
        : 'none found; `looptag catalog init` writes one',
    ],
    ['documents', documents.join(', ') || 'none'],
    ['context variable', v ? `${v.module}:${v.name} (${v.file}:${v.line})` : open],
    ['policy', policy === DEFAULT_POLICY ? `${policy} (the default; --policy names another)` : policy],
    ...(lost.length ? [['left out', `${lost.join(', ')} of the old configuration`] as [string, string]] : []),
    ['wrote', target === OWN_FILE ? target : `[${TABLE}] in ${target}`],
  ];
  return rows.map(([label, text]) => `${run.streams.chalk.dim(label.padEnd(17))}${printable(text)}\n`).join('');
}
