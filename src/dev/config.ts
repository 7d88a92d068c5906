/** The keys of the configuration file: read from `src/cli/config.ts`, described here. */
import { Project, SyntaxKind } from 'ts-morph';

const SOURCE = 'src/cli/config.ts';

export interface ConfigKey {
  name: string;
  kind: string;
  what: string;
}

const WHAT: Record<string, string> = {
  paths: 'Python files or folders to analyse; default: the whole root',
  catalog: 'the Markdown catalogue (INV-8)',
  documents: 'other documents that speak of the same loops (ADR-123), for `catalog lint`',
  policy: 'a bundled policy or a file; default `awoooi`',
  exclude: 'files and folders to leave out, as globs',
  'import-roots': 'folders that absolute imports start from; default: found from the layout',
  'context-var': 'the context variable that carries the project id, `MODULE:NAME`; default: found by its definition',
  helper: '`inline`, or the module that the helper of `migrate` lives in',
  select: 'only these rules',
  ignore: 'not these rules',
  severity: 'severity by rule: `error`, `warning`, `note` or `off`',
  'fail-on': '`check` exits 1 from this severity up: `error` (default), `warning`, `note`, `never`',
  baseline: 'file of accepted findings',
  'spawn-apis': "the project's own callables that start a task",
};

const SCHEMAS: Record<string, object> = {
  string: { type: 'string' },
  symbol: { type: 'string', pattern: '^[^\\s:]+:[^\\s:.]+$' },
  helper: { type: 'string', pattern: '^[^\\s:-]+$' },
  strings: { type: 'array', items: { type: 'string' } },
  severities: { type: 'object', additionalProperties: { enum: ['error', 'warning', 'note', 'off'] } },
  threshold: { enum: ['error', 'warning', 'note', 'never'] },
  apis: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['callee'],
      properties: {
        callee: { type: 'string', description: 'qualified name, `pkg.spawn`' },
        argument: { type: 'integer', description: 'position of what is started, from 0' },
        keyword: { type: 'string', description: 'its name as a keyword' },
        takes: { enum: ['coroutine', 'callable'] },
      },
    },
  },
};

const TYPES: Record<string, string> = {
  string: 'string',
  symbol: 'string',
  helper: 'string',
  strings: 'list of strings',
  severities: 'table',
  threshold: 'string',
  apis: 'list of tables',
};

export function configKeys(read: (file: string) => string): ConfigKey[] {
  const source = new Project({ useInMemoryFileSystem: true }).createSourceFile(SOURCE, read(SOURCE));
  const table = source
    .getVariableDeclarationOrThrow('KEYS')
    .getInitializerIfKindOrThrow(SyntaxKind.ObjectLiteralExpression);
  return table.getProperties().map((property) => {
    const entry = property.asKindOrThrow(SyntaxKind.PropertyAssignment);
    const name = entry.getName().replaceAll("'", '');
    const kind = entry.getInitializerIfKindOrThrow(SyntaxKind.ArrayLiteralExpression).getElements()[1]!;
    const literal = kind.asKindOrThrow(SyntaxKind.StringLiteral).getLiteralText();
    const what = WHAT[name];
    if (!what || !SCHEMAS[literal]) throw new Error(`describe the key ${name} (${literal}) in src/dev/config.ts`);
    return { name, kind: literal, what };
  });
}

export function configSchema(keys: ConfigKey[]): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'looptag.toml, or [tool.looptag] in pyproject.toml',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(keys.map(({ name, kind, what }) => [name, { description: what, ...SCHEMAS[kind] }])),
  };
}

export function configTable(keys: ConfigKey[]): string {
  const rows = keys.map(({ name, kind, what }) => `| \`${name}\` | ${TYPES[kind]} | ${what} |`);
  return ['| key | type | what it says |', '|---|---|---|', ...rows].join('\n');
}
