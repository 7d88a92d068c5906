/** The rooms of the house keep to their table; each failure says which sentence of it was broken. */
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Node, Project, type SourceFile, SyntaxKind } from 'ts-morph';
import { describe, expect, it } from 'vitest';
import {
  LONGEST_FILE,
  LONGEST_FUNCTION,
  MAY_IMPORT_RULES,
  MAY_USE_PROCESS,
  PRIVATE,
  type Room,
  RULE_INDEX,
  rooms,
  TABLES,
} from '../../src/dev/rooms.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const project = new Project({
  tsConfigFilePath: join(ROOT, 'tsconfig.json'),
  skipAddingFilesFromTsConfig: true,
  skipFileDependencyResolution: true,
});
project.addSourceFilesAtPaths([join(ROOT, 'src/**/*.ts'), join(ROOT, 'rules/**/*.ts')]);

interface Import {
  file: string;
  line: number;
  /** A path from the root, or the name of a library. */
  to: string;
  typeOnly: boolean;
}

const pathOf = (file: SourceFile): string => relative(ROOT, file.getFilePath()).split(sep).join('/');
const inside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function importsOf(source: SourceFile): Import[] {
  const file = pathOf(source);
  // by syntax: whoever asks for the import literals of a file gets all of its types checked first
  const literals = source.getDescendantsOfKind(SyntaxKind.StringLiteral).filter(isSpecifier);
  return literals.map((literal) => {
    const name = literal.getLiteralText();
    const to = name.startsWith('.') ? posix.join(posix.dirname(file), name) : name;
    return { file, line: literal.getStartLineNumber(), to, typeOnly: isTypeOnly(literal) };
  });
}

function isSpecifier(literal: Node): boolean {
  const parent = literal.getParent();
  if (Node.isLiteralTypeNode(parent)) return Node.isImportTypeNode(parent.getParent());
  if (Node.isCallExpression(parent)) return parent.getExpression().getKind() === SyntaxKind.ImportKeyword;
  return Node.isImportDeclaration(parent) || Node.isExportDeclaration(parent) || Node.isExternalModuleReference(parent);
}

function isTypeOnly(literal: Node): boolean {
  const parent = literal.getParent();
  if (Node.isExportDeclaration(parent)) return parent.isTypeOnly();
  if (!Node.isImportDeclaration(parent)) return !Node.isCallExpression(parent);
  const named = parent.getNamedImports();
  if (parent.isTypeOnly()) return true;
  return named.length > 0 && !parent.getDefaultImport() && named.every((each) => each.isTypeOnly());
}

const sources = project.getSourceFiles();
const imports = sources.flatMap(importsOf);
const internal = imports.filter(({ to }) => /^(src|rules)\//.test(to));

function roomOf(file: string): Room | undefined {
  return rooms.filter(({ path }) => inside(file, path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** Why an import is against the table; null when it is not. */
function broken({ file, to, typeOnly }: Import): string | null {
  const room = roomOf(file);
  if (!room) return 'every file belongs to a room of the table';
  if (inside(to, room.path)) return null;
  if (RULE_INDEX.test(to) && !MAY_IMPORT_RULES.includes(room.path))
    return `only ${MAY_IMPORT_RULES.join(' and ')} import an index of rules`;
  const owner = PRIVATE.find((path) => inside(to, path));
  if (owner) return `nobody imports ${owner}`;
  if (room.imports.some((path) => inside(to, path))) return null;
  if (room.types?.some((path) => inside(to, path))) {
    return typeOnly ? null : `${room.path} takes only types from ${room.types.join(', ')}`;
  }
  const may = [...room.imports, ...(room.types ?? []).map((path) => `${path} (types)`)];
  return `${room.path} may import ${may.join(', ') || 'no other room'}`;
}

function brokenLibrary({ file, to }: Import): string | null {
  const room = roomOf(file);
  if (!room || room.libraries.some((pattern) => matches(pattern, to))) return null;
  const homes = rooms
    .filter(({ libraries }) => libraries.some((pattern) => matches(pattern, to)))
    .map(({ path }) => path);
  return homes.length > 0 ? `only ${homes.join(', ')} may use ${to}` : `${to} has no home in the table`;
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*')
    ? name.startsWith(pattern.slice(0, -1))
    : name === pattern || name.startsWith(`${pattern}/`);
}

const faults = (of: Import[], sentence: (each: Import) => string | null): string[] =>
  of.flatMap((each) => {
    const said = sentence(each);
    return said === null ? [] : [`${each.file}:${each.line} imports ${each.to}: ${said}`];
  });

describe('rooms', () => {
  it('has looked at the code', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(internal.length).toBeGreaterThan(500);
  });

  it('import only what the table allows', () => {
    expect(faults(internal, broken)).toEqual([]);
  });

  it('use a library only where it is at home', () => {
    expect(
      faults(
        imports.filter(({ to }) => !/^(src|rules)\//.test(to)),
        brokenLibrary,
      ),
    ).toEqual([]);
  });

  it('import files that are there', () => {
    const there = new Set(sources.map(pathOf));
    expect(internal.filter(({ to }) => to.endsWith('.ts') && !there.has(to))).toEqual([]);
  });

  it('have no import cycle at run time', () => {
    expect(cycles(internal.filter(({ typeOnly }) => !typeOnly))).toEqual([]);
  });

  it('see an import against the table', () => {
    const wrong = (file: string, to: string, typeOnly = false): string | null =>
      broken({ file, line: 1, to, typeOnly });
    expect(wrong('src/report/x.ts', 'src/cli/streams.ts')).toBe('nobody imports src/cli');
    expect(wrong('rules/checks/a/index.ts', 'src/syntax/ast.ts')).toMatch(/^rules\/checks may import src\/model, /);
    expect(wrong('rules/checks/a/index.ts', 'rules/codemods/index.ts')).toMatch(/^only src\/cli/);
    expect(wrong('src/sites/a.ts', 'src/engine/contracts.ts')).toMatch(/takes only types/);
    expect(wrong('src/sites/a.ts', 'src/engine/contracts.ts', true)).toBeNull();
    expect(wrong('src/new/a.ts', 'src/model/index.ts')).toMatch(/belongs to a room/);
    expect(brokenLibrary({ file: 'src/engine/a.ts', line: 1, to: 'yaml', typeOnly: false })).toMatch(
      /^only src\/policy/,
    );
    expect(brokenLibrary({ file: 'src/model/a.ts', line: 1, to: 'node:fs', typeOnly: false })).toMatch(/^only src\/io/);
  });
});

describe('files', () => {
  const faultsOf = (limit: number, sizes: [string, number][]): string[] =>
    sizes.filter(([, lines]) => lines > limit).map(([what, lines]) => `${what}: ${lines} lines, at most ${limit}`);

  it(`have at most ${LONGEST_FILE} lines outside of tables`, () => {
    const sizes = sources.map((source): [string, number] => [pathOf(source), source.getEndLineNumber()]);
    expect(
      faultsOf(
        LONGEST_FILE,
        sizes.filter(([file]) => !TABLES.includes(file)),
      ),
    ).toEqual([]);
  });

  it(`have functions of at most ${LONGEST_FUNCTION} lines`, () => {
    const kinds = [
      SyntaxKind.FunctionDeclaration,
      SyntaxKind.MethodDeclaration,
      SyntaxKind.ArrowFunction,
      SyntaxKind.FunctionExpression,
    ];
    const functions = sources.flatMap((source) => kinds.flatMap((kind) => source.getDescendantsOfKind(kind)));
    const sizes = functions.map((each): [string, number] => [
      `${pathOf(each.getSourceFile())}:${each.getStartLineNumber()}`,
      each.getEndLineNumber() - each.getStartLineNumber() + 1,
    ]);
    expect(faultsOf(LONGEST_FUNCTION, sizes)).toEqual([]);
  });

  it('neither print nor ask the environment outside of the rooms that may', () => {
    const found = sources
      .filter((source) => !MAY_USE_PROCESS.some((room) => inside(pathOf(source), room)))
      .filter((source) => /\b(console|process)\b/.test(source.getFullText()))
      .flatMap((source) => source.getDescendantsOfKind(SyntaxKind.Identifier))
      .filter(
        (name) => ['console', 'process'].includes(name.getText()) && Node.isPropertyAccessExpression(name.getParent()),
      )
      .filter((name) => (name.getParent() as import('ts-morph').PropertyAccessExpression).getExpression() === name);
    expect(
      found.map(
        (name) => `${pathOf(name.getSourceFile())}:${name.getStartLineNumber()}: ${name.getParent()!.getText()}`,
      ),
    ).toEqual([]);
  });

  it('are no landfill', () => {
    const names = sources.map(pathOf).filter((file) => /\/(utils?|misc|common|helpers?)(\.ts|\/)/.test(file));
    // The one for context helpers, which is the name of a thing of the project.
    expect(names.filter((file) => !/helpers?\.ts$/.test(file) || !/codemods|migrate/.test(dirname(file)))).toEqual([]);
  });
});

/** Groups of files that import one another in a circle, each sorted. */
function cycles(edges: Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, to } of edges) next.set(file, [...(next.get(file) ?? []), to]);
  const state = new Map<string, { index: number; low: number; open: boolean }>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): { index: number; low: number; open: boolean } => {
    const own = { index: state.size, low: state.size, open: true };
    state.set(file, own);
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      const other = state.get(to);
      if (!other) own.low = Math.min(own.low, visit(to).low);
      else if (other.open) own.low = Math.min(own.low, other.index);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(file));
      for (const each of group) state.get(each)!.open = false;
      if (group.length > 1) found.push(group.sort());
    }
    return own;
  };
  for (const file of next.keys()) if (!state.has(file)) visit(file);
  return found;
}
