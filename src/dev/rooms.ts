/** Which room may import which, and which library is used where. The test in `test/architecture` holds the code to it, `docs/architecture.md` shows it. */

export interface Room {
  /** Path from the root; the longest that fits a file is its room. */
  path: string;
  what: string;
  /** Rooms, or single modules of a room (`src/io/files.ts`). */
  imports: string[];
  /** Of these only types: nothing of them is in the built code of the room. */
  types?: string[];
  /** Libraries and `node:` modules, beside those that anybody may use. */
  libraries: string[];
}

const CONTRACTS = 'src/engine/contracts.ts';
/** What a file system is; it holds no access to one. */
const FILES = 'src/io/files.ts';

export const rooms: Room[] = [
  {
    path: 'src/model',
    what: 'plain data: sites, facts, entries, decisions, findings, edits',
    imports: [],
    libraries: [],
  },
  {
    path: 'src/syntax',
    what: 'Python source to a tree: tokenizer, parser, positions, encodings',
    imports: ['src/model'],
    libraries: ['node:buffer'],
  },
  {
    path: 'src/semantics',
    what: 'scopes, bindings, values, module graph',
    imports: ['src/model', 'src/syntax', FILES],
    libraries: [],
  },
  {
    path: 'src/sites',
    what: 'spawn sites, wrappers, loop facts, layouts',
    imports: ['src/model', 'src/syntax', 'src/semantics', FILES],
    types: [CONTRACTS],
    libraries: ['node:buffer'],
  },
  {
    path: 'src/policy',
    what: 'catalogue and policy, reconciliation, status: text in, data out',
    imports: ['src/model'],
    libraries: ['string-width', 'yaml'],
  },
  {
    path: 'src/edit',
    what: 'build, order, refuse overlap, apply, unified diff: pure text',
    imports: ['src/model'],
    libraries: ['diff'],
  },
  {
    path: 'src/engine',
    what: 'contracts, check run, suppressions, baseline, migration plans and their proof',
    imports: ['src/model', 'src/syntax', 'src/semantics', 'src/sites', 'src/policy', 'src/edit'],
    libraries: [],
  },
  {
    path: 'src/report',
    what: 'formats: pure functions from a result to text',
    imports: ['src/model'],
    libraries: ['chalk', 'string-width', 'node:crypto'],
  },
  {
    path: 'src/health',
    what: 'heartbeats, Prometheus rules and their tests, dashboard, probe',
    imports: ['src/model', 'src/report/escape.ts'],
    libraries: ['yaml'],
  },
  {
    path: 'src/io',
    what: 'disk and in-memory files, atomic writes, git, python3',
    imports: ['src/model'],
    libraries: ['node:*'],
  },
  {
    path: 'src/cli',
    what: 'commander, options, streams, exit codes, the language server; composes everything',
    imports: ['src', 'rules'],
    libraries: [
      'commander',
      'chalk',
      'smol-toml',
      'yaml',
      'diff',
      'vscode-languageserver',
      'vscode-languageserver-textdocument',
      'node:*',
    ],
  },
  {
    path: 'src/dev',
    what: 'scaffolds, generated indexes and docs; never shipped',
    imports: ['src', 'rules'],
    libraries: ['ts-morph', 'commander', 'node:*'],
  },
  {
    path: 'rules/spawn-apis',
    what: "a library's ways to spawn, as rows of a table",
    imports: ['src/model', CONTRACTS],
    libraries: [],
  },
  {
    path: 'rules/checks',
    what: 'one check a folder: metadata and a pure function',
    imports: ['src/model', CONTRACTS],
    libraries: [],
  },
  {
    path: 'rules/codemods',
    what: 'one rewrite a folder: edits, or a refusal with its reason',
    imports: ['src/model', CONTRACTS, 'src/edit/build.ts'],
    libraries: [],
  },
];

/** Rooms that nobody may import, and the only one that may import an index of rules. */
export const PRIVATE = ['src/cli', 'src/dev'];
export const RULE_INDEX = /^rules\/[\w-]+\/index\.ts$/;
export const MAY_IMPORT_RULES = ['src/cli', 'src/dev'];

/** What prints or asks the environment: only here. */
export const MAY_USE_PROCESS = ['src/cli', 'src/dev', 'src/io'];

/** Lines of a file; tables of types and rows are as long as what they list. */
export const LONGEST_FILE = 400;
export const LONGEST_FUNCTION = 80;
export const TABLES = ['src/syntax/ast.ts'];
