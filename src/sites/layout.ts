/** Tree → plain data: where a line can be put into a module. */
import type { ImportedName, ModuleLayout, TopImport, TopLine } from '../model/index.ts';
import { firstWhere } from '../model/order.ts';
import type { Alias, Import, ImportFrom, Module, Stmt } from '../syntax/index.ts';
import { collectNames } from './layout-names.ts';
import { absoluteModule, type LayoutSource, type LineFinder } from './layout-source.ts';
import { TextLines } from './text-lines.ts';

export type { LayoutSource } from './layout-source.ts';

/** Describe a module for editors that must not see its tree. */
export function buildLayout(source: LayoutSource): ModuleLayout {
  const { text, tree } = source;
  const lines = new TextLines(text, tree.comments);
  const top = topLines(tree, lines);
  const owner = lineFinder(top);
  const header = headerEnd(lines, top[0] ?? null);
  return {
    file: source.file,
    module: source.module,
    eol: lines.eol(),
    indent: indentUnit(tree, lines),
    length: text.length,
    headerEnd: header,
    headerBlank: lines.blankLinesAfter(header).count,
    finalNewline: text === '' || lines.isEol(text.length - 1),
    lines: top,
    imports: topImports(source, lines, top, owner),
    ...collectNames(source, owner),
  };
}

function statementStart(statement: Stmt): number {
  const decorators =
    statement.kind === 'FunctionDef' || statement.kind === 'ClassDef' ? statement.decorators.map((d) => d.start) : [];
  return Math.min(statement.start, ...decorators);
}

function topLines(tree: Module, lines: TextLines): TopLine[] {
  const out: TopLine[] = [];
  tree.body.forEach((statement, index) => {
    const kind = kindOf(statement, index);
    const end = lines.logicalEnd(statement.end);
    const previous = out.at(-1);
    if (previous && statementStart(statement) < previous.end) {
      previous.kind = mixed(previous.kind, kind);
      previous.end = Math.max(previous.end, end);
    } else {
      const start = lines.lineStart(statementStart(statement));
      out.push({ kind, start, end, blockStart: start, blankAfter: 0, last: false });
    }
  });
  for (const line of out) {
    line.blockStart = lines.commentBlockStart(line.start);
    const after = lines.blankLinesAfter(line.end);
    line.blankAfter = after.count;
    line.last = after.atEnd;
  }
  return out;
}

function mixed(first: TopLine['kind'], second: TopLine['kind']): TopLine['kind'] {
  if (first === second || second === 'import') return first === 'other' ? 'other' : second;
  return first === 'future' || second === 'future' ? 'future' : 'other';
}

function kindOf(statement: Stmt, index: number): TopLine['kind'] {
  if (index === 0 && statement.kind === 'ExprStmt' && statement.value.kind === 'Constant')
    return statement.value.type === 'str' ? 'docstring' : 'other';
  if (statement.kind === 'ImportFrom') return statement.module === '__future__' ? 'future' : 'import';
  if (statement.kind === 'Import') return 'import';
  return statement.kind === 'FunctionDef' || statement.kind === 'ClassDef' ? 'definition' : 'other';
}

function lineFinder(top: TopLine[]): LineFinder {
  return (offset) => Math.max(0, firstWhere(top, ({ start }) => start > offset) - 1);
}

function headerEnd(lines: TextLines, first: TopLine | null): number {
  const limit = first ? first.start : lines.text.length;
  let end = lines.cookieEnd(limit);
  // A comment block that a blank line parts from what follows speaks of the whole file.
  if (first && first.blockStart > end && lines.hasComment(end, first.blockStart))
    end = lines.lastBlockEnd(end, first.blockStart);
  return end;
}

function indentUnit(tree: Module, lines: TextLines): string {
  for (const statement of tree.body) {
    const body = 'body' in statement && Array.isArray(statement.body) ? statement.body : [];
    const first = body[0];
    const indent = first && 'start' in first ? lines.indentOf(first.start) : null;
    if (indent) return indent;
  }
  return '    ';
}

function topImports(source: LayoutSource, lines: TextLines, top: TopLine[], owner: LineFinder): TopImport[] {
  const statements = source.tree.body.filter(
    (s): s is Import | ImportFrom => s.kind === 'Import' || s.kind === 'ImportFrom',
  );
  return statements.map((statement) => {
    const line = owner(statement.start);
    const from = statement.kind === 'ImportFrom' ? statement : null;
    return {
      module: from ? absoluteModule(source, from.level, from.module) : null,
      written: from ? '.'.repeat(from.level) + (from.module ?? '') : '',
      names: statement.names.map((alias) => importedName(alias, lines)),
      extent: { start: statement.start, end: statement.end },
      line,
      alone: lines.lineStart(statement.start) === top[line]!.start && isLastOnLine(source, statement, top[line]!),
    };
  });
}

function isLastOnLine(source: LayoutSource, statement: Stmt, line: TopLine): boolean {
  const inside = source.tree.body.filter((other) => other.start >= line.start && other.start < line.end);
  return inside.length === 1 && inside[0] === statement;
}

function importedName(alias: Alias, lines: TextLines): ImportedName {
  const extent = { start: alias.start, end: alias.end };
  const ownLine = lines.standsAlone(extent);
  const comment = ownLine && lines.text.slice(alias.end, lines.lineEnd(alias.end)).includes('#');
  return {
    name: alias.name,
    asname: alias.asname,
    extent,
    ownLine,
    comment,
    indent: (ownLine && lines.indentOf(alias.start)) || '',
  };
}
