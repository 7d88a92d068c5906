/** What a module exports is imported by another one: the rest is its own, and may change without a look around. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { TABLES } from '../../src/dev/rooms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** All that a file exports. */
const ALL = '*';

interface Source {
  file: string;
  exported: Set<string>;
  /** Names that it takes from another file. */
  taken: { from: string; name: string }[];
  /** Names that it hands on: they are taken where its own are. */
  handedOn: { from: string; name: string; as: string }[];
}

function read(file: string, text = readFileSync(join(ROOT, file), 'utf8')): Source {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Source = { file, exported: new Set(), taken: [], handedOn: [] };
  const target = (name: ts.Node | undefined): string | null =>
    name && ts.isStringLiteral(name) && name.text.startsWith('.') ? posix.join(posix.dirname(file), name.text) : null;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const from = target(node.moduleSpecifier);
      if (from) for (const name of namesOf(node.importClause)) found.taken.push({ from, name });
    } else if (ts.isExportDeclaration(node)) {
      const from = target(node.moduleSpecifier);
      const names = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
      for (const { name, propertyName } of names) {
        if (from) found.handedOn.push({ from, name: (propertyName ?? name).text, as: name.text });
        found.exported.add(name.text);
      }
      if (from && !node.exportClause) found.handedOn.push({ from, name: ALL, as: ALL });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const from = target(node.arguments[0]);
      if (from) found.taken.push({ from, name: ALL });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const from = target(node.argument.literal);
      if (from) found.taken.push({ from, name: ALL });
    } else if (isExported(node)) for (const name of declaredBy(node)) found.exported.add(name);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function namesOf(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const named = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
  return [
    ...(clause?.name ? ['default'] : []),
    ...(bindings && ts.isNamespaceImport(bindings) ? [ALL] : []),
    ...named.map(({ name, propertyName }) => (propertyName ?? name).text),
  ];
}

function isExported(node: ts.Node): boolean {
  if (!ts.isSourceFile(node.parent ?? node) || !ts.canHaveModifiers(node)) return false;
  const kinds = ts.getModifiers(node)?.map(({ kind }) => kind) ?? [];
  return kinds.includes(ts.SyntaxKind.ExportKeyword) && !kinds.includes(ts.SyntaxKind.DefaultKeyword);
}

function declaredBy(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = node as ts.DeclarationStatement;
  return name ? [name.text] : [];
}

/** `file: name` of each export that no other file takes. */
function untaken(sources: readonly Source[], entries: (file: string) => boolean): string[] {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const used = new Map<string, Set<string>>();
  const take = (file: string, name: string): void => {
    const names = used.get(file) ?? new Set();
    if (names.has(name)) return;
    used.set(file, names.add(name));
    for (const hand of byFile.get(file)?.handedOn ?? []) {
      if (hand.name === ALL) take(hand.from, name);
      else if (hand.as === name || name === ALL) take(hand.from, hand.name);
    }
  };
  for (const { taken } of sources) for (const { from, name } of taken) take(from, name);
  return sources
    .filter(({ file }) => /^(src|rules)\//.test(file) && !entries(file) && !used.get(file)?.has(ALL))
    .flatMap(({ file, exported }) =>
      [...exported].filter((name) => !used.get(file)?.has(name)).map((name) => `${file}: ${name}`),
    );
}

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => `${folder}/${file.split(sep).join('/')}`);
}

it('nothing is exported that nobody imports', () => {
  const scripts = filesIn('scripts', '.mjs').map((file) => readFileSync(join(ROOT, file), 'utf8'));
  const sources = ['src', 'rules', 'test'].flatMap((folder) => filesIn(folder, '.ts')).map((file) => read(file));
  // the node kinds of Python are a table
  const entries = (file: string) => TABLES.includes(file) || scripts.some((text) => text.includes(file));
  expect(sources.length).toBeGreaterThan(400);
  expect(untaken(sources, entries)).toEqual([]);
});

it('sees an export that nobody imports, also behind an index', () => {
  const from = (name: string) => `from './${name}.ts';\n`;
  const own = 'export const one = 1;\nexport interface Two {}\nexport function three() {}\nexport type Four = 4;\n';
  const sources = [
    read('src/a.ts', own),
    read('src/index.ts', `export { one, type Two as Other } ${from('a')}export * ${from('b')}`),
    read('src/b.ts', 'export class Five {}\nexport class Six {}\n'),
    read('src/user.ts', `import { one, Five } ${from('index')}import { three } ${from('a')}`),
  ];
  expect(untaken(sources, () => false)).toEqual([
    'src/a.ts: Two',
    'src/a.ts: Four',
    'src/index.ts: Other',
    'src/b.ts: Six',
  ]);
});
