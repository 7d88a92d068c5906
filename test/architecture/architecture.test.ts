/** The rooms of the house keep to their table; each failure says which sentence of it was broken. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
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

interface Import {
  file: string;
  line: number;
  /** A path from the root, or the name of a library. */
  to: string;
  typeOnly: boolean;
}

/** Something in a file, its first and its last line. */
interface Place {
  file: string;
  line: number;
  end: number;
  text: string;
}

/** What is asked of a file, from one walk of its syntax: no type is needed for it, and types take the most time. */
interface Source {
  file: string;
  lines: number;
  imports: Import[];
  functions: Place[];
  /** Where `console` or `process` is looked into. */
  surroundings: Place[];
}

const inside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function read(file: string): Source {
  const tree = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const lines = lineOf(tree.end);
  const found: Source = { file, lines, imports: [], functions: [], surroundings: [] };
  const place = (node: ts.Node): Place => ({
    file,
    line: lineOf(node.getStart(tree)),
    end: lineOf(node.end),
    text: node.getText(tree),
  });
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported) {
      const { name, typeOnly } = imported;
      const to = name.text.startsWith('.') ? posix.join(posix.dirname(file), name.text) : name.text;
      found.imports.push({ file, line: lineOf(name.getStart(tree)), to, typeOnly });
    }
    if (isFunction(node)) found.functions.push(place(node));
    if (asksSurroundings(node)) found.surroundings.push(place(node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The module that a statement, a call or a type imports. */
function importOf(node: ts.Node): { name: ts.StringLiteral; typeOnly: boolean } | null {
  const as = (name: ts.Node | undefined, typeOnly: boolean) =>
    name && ts.isStringLiteral(name) ? { name, typeOnly } : null;
  if (ts.isImportDeclaration(node)) return as(node.moduleSpecifier, bringsTypes(node.importClause));
  if (ts.isExportDeclaration(node)) return as(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isExternalModuleReference(node)) return as(node.expression, true);
  if (ts.isImportTypeNode(node))
    return as(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return null;
  return as(node.arguments[0], false);
}

function bringsTypes(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings && ts.isNamedImports(clause.namedBindings) ? clause.namedBindings.elements : [];
  return named.length > 0 && !clause.name && named.every((each) => each.isTypeOnly);
}

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isArrowFunction(node) ||
  ts.isFunctionExpression(node);

const asksSurroundings = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  ['console', 'process'].includes(node.expression.text);

const sources = ['src', 'rules']
  .flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map((file) => join(room, file)),
  )
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(file.split(sep).join('/')));
const imports = sources.flatMap((source) => source.imports);
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
    const there = new Set(sources.map(({ file }) => file));
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
    const sizes = sources.map(({ file, lines }): [string, number] => [file, lines]);
    expect(
      faultsOf(
        LONGEST_FILE,
        sizes.filter(([file]) => !TABLES.includes(file)),
      ),
    ).toEqual([]);
  });

  it(`have functions of at most ${LONGEST_FUNCTION} lines`, () => {
    const functions = sources.flatMap((source) => source.functions);
    const sizes = functions.map(({ file, line, end }): [string, number] => [`${file}:${line}`, end - line + 1]);
    expect(faultsOf(LONGEST_FUNCTION, sizes)).toEqual([]);
  });

  it('neither print nor ask the environment outside of the rooms that may', () => {
    const found = sources.filter(({ file }) => !MAY_USE_PROCESS.some((room) => inside(file, room)));
    expect(
      found.flatMap(({ surroundings }) => surroundings.map(({ file, line, text }) => `${file}:${line}: ${text}`)),
    ).toEqual([]);
  });

  it('are no landfill', () => {
    const names = sources
      .map(({ file }) => file)
      .filter((file) => /\/(utils?|misc|common|helpers?)(\.ts|\/)/.test(file));
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
