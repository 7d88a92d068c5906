/** Does the project's logging show the project id? A filter, formatter, record factory or processor that reads the variable. */
import type { ContextVariable } from '../model/index.ts';
import type { ModuleScopes } from '../semantics/index.ts';
import type { Call, FunctionDef } from '../syntax/index.ts';
import { ByteSearch } from './byte-search.ts';
import { ContextVariables, variableName } from './context.ts';
import { KeptAnswers } from './kept-answers.ts';
import { dottedName, type Project } from './project.ts';
import type { WordSieve } from './word-sieve.ts';

const BASES = /(Filter|Formatter|LoggerAdapter|Handler|LogRecord)$/;
const METHODS = new Set(['filter', 'format', 'process', 'emit', 'makeRecord', '__call__']);
const WORDS = ['logging', 'structlog', 'loguru', 'logger', 'record'];
/** What stands at least in a file that shows the id in its logs. */
const READING = WORDS.map((word) => [word, '.get(']);
const WORD = new RegExp(`\\b(${WORDS.join('|')})\\b`);

/** The first place that reads it, in the order of file names; null when nothing does. */
export function findLoggingUse(
  project: Project,
  files: readonly string[],
  defined: readonly ContextVariable[],
): { file: string; line: number } | null {
  const variables = new ContextVariables(project);
  const names = [variableName(project.options.contextVariable), 'project_id', ...defined.map((v) => v.name)];
  const search = new ByteSearch(names.flatMap((name) => WORDS.map((word) => [name, word, '.get('])));
  const question = JSON.stringify(['logging', ...names]);
  const mentions = new KeptAnswers(project.fs, question, (bytes) => search.in(bytes) && holdsWord(bytes));
  const may = (file: string, sieve: WordSieve): boolean => sieve.mayHold(file, READING);
  for (const file of project.filesWith(files, { id: question, may, is: (bytes) => mentions.of(bytes) })) {
    const got = project.loaded(file);
    const line = got
      ? project.ev.fact(got.scopes, got.scopes, 'logging', () => readIn(project, variables, got.scopes))
      : null;
    if (line !== null) return { file, line };
  }
  return null;
}

/** Bytes may stand inside of a longer word. */
function holdsWord(bytes: Uint8Array): boolean {
  return WORD.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

function readIn(project: Project, variables: ContextVariables, m: ModuleScopes): number | null {
  for (const { node, scope } of m.calls) {
    if (node.func.kind !== 'Attribute' || node.func.attr !== 'get') continue;
    const values = project.ev.valueAt(project.place(m, node.func.value));
    if (![...values.values()].some((v) => variables.role(v.value) === 'project')) continue;
    for (let s: typeof scope | null = scope; s; s = s.parent) {
      if (s.kind === 'function' && isLogging(s.node as FunctionDef, m)) return project.line(m, node.start);
    }
  }
  return null;
}

function isLogging(fn: FunctionDef, m: ModuleScopes): boolean {
  const params = [...fn.args.posonly, ...fn.args.args].map((a) => a.arg);
  if (params.includes('event_dict') || params.includes('record')) return true;
  const parent = fn.parent;
  if (parent?.kind === 'ClassDef' && METHODS.has(fn.name) && parent.bases.some((b) => BASES.test(dottedName(b) ?? '')))
    return true;
  return m.calls.some(
    ({ node }) => isFactorySetter(node) && node.args.some((a) => a.kind === 'Name' && a.id === fn.name),
  );
}

function isFactorySetter(call: Call): boolean {
  const name = dottedName(call.func) ?? '';
  return name.endsWith('setLogRecordFactory') || name.endsWith('addFilter') || name.endsWith('patch');
}
