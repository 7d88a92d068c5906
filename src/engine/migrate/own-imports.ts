/** Imports that nothing uses any more once the tags are gone, and that somebody wrote all the same: they stay. */
import type { ImportRequest } from '../../edit/index.ts';
import type { ModuleLayout, TopImport } from '../../model/index.ts';
import { buildLayout } from '../../sites/layout.ts';
import { descendants, type Module, PythonSyntaxError, parseModule } from '../../syntax/index.ts';
import type { MigrateInput, MigrateSource } from './types.ts';

/** Whose an import is that nothing uses; null when neither the text nor an earlier version shows it. */
type Owner = 'somebody' | 'migration' | null;

export function ownersOf(input: MigrateInput, source: MigrateSource): (request: ImportRequest) => Owner {
  const layout = buildLayout(source);
  return (request) => {
    const [line] = layout.imports.filter((top) => nameIn(top, request) !== undefined);
    if (!line) return 'migration';
    const bound = bindingOf(layout, request);
    const isMade = isMarked(source.text, layout, line, request) || (bound !== null && isExported(source.tree, bound));
    return isMade ? 'somebody' : ownerBefore(input.earlier?.(source.file) ?? [], source, request);
  };
}

function nameIn(top: TopImport, { module, name }: ImportRequest) {
  return top.names.find((n) =>
    top.module === null ? n.name === module && name === null : n.name === name && top.module === module,
  );
}

function bindingOf({ bound }: ModuleLayout, { module, name }: ImportRequest): string | null {
  return bound.find(({ from }) => from?.module === module && from.name === name)?.name ?? null;
}

/** A migration puts neither a comment nor `as name` beside a name. */
function isMarked(text: string, { lines }: ModuleLayout, top: TopImport, request: ImportRequest): boolean {
  const found = nameIn(top, request)!;
  if (found.asname !== null || found.comment) return true;
  return top.alone && text.slice(top.extent.end, lines[top.line]!.end).includes('#');
}

/** `__all__` hands it on. */
function isExported(tree: Module, name: string): boolean {
  return tree.body.some((statement) => {
    const nodes = descendants(statement);
    return (
      nodes.some((n) => n.kind === 'Name' && n.id === '__all__') &&
      nodes.some((n) => n.kind === 'Constant' && n.type === 'str' && n.value === name)
    );
  });
}

/** The latest version in which nothing used the name tells whether it was imported all the same. */
function ownerBefore(earlier: Iterable<string>, source: MigrateSource, request: ImportRequest): Owner {
  for (const text of earlier) {
    const tree = parsed(text);
    if (!tree) continue;
    const name = bindingOf(buildLayout({ ...source, text, tree }), request);
    if (name === null) return 'migration';
    if (!descendants(tree).some((n) => n.kind === 'Name' && n.id === name)) return 'somebody';
  }
  return null;
}

function parsed(text: string): Module | null {
  try {
    return parseModule(text);
  } catch (error) {
    if (error instanceof PythonSyntaxError) return null;
    throw error;
  }
}
