/** A stand-in for the analysis: finds spawn calls by name alone, good enough to feed codemods with sites of every shape. */

import type { MigrateSource } from '../../../src/engine/migrate/types.ts';
import type { Decision, SpawnSite, Tag, Target, TaskUse } from '../../../src/model/index.ts';
import {
  type Call,
  descendants,
  type Expr,
  type FunctionDef,
  type Node,
  parseModule,
} from '../../../src/syntax/index.ts';
import { decodePython, LineIndex } from '../../../src/syntax/text.ts';
import { facts } from '../../support/builders.ts';

const SPAWNS = new Set(['create_task', 'ensure_future', 'run_coroutine_threadsafe']);

export function source(
  file: string,
  bytes: Uint8Array,
  module = file.replace(/\.py$/, '').replaceAll('/', '.'),
): MigrateSource {
  const decoded = decodePython(bytes);
  const isPackage = module.endsWith('.__init__');
  return {
    file,
    bytes,
    ...decoded,
    tree: parseModule(decoded.text),
    module: module.replace(/\.__init__$/, ''),
    isPackage,
  };
}

const calleeName = (call: Call): string =>
  call.func.kind === 'Attribute' ? call.func.attr : call.func.kind === 'Name' ? call.func.id : '';

export function findSites(
  src: MigrateSource,
  defs: ReadonlyMap<string, { src: MigrateSource; def: FunctionDef }>,
  extra: readonly string[] = [],
): SpawnSite[] {
  const lines = new LineIndex(src.text);
  const out: SpawnSite[] = [];
  for (const node of descendants(src.tree)) {
    if (node.kind !== 'Call') continue;
    const name = calleeName(node);
    if (!SPAWNS.has(name) && !extra.includes(name)) continue;
    const argument = node.args[0] ?? node.keywords.find(({ arg }) => arg === 'coro')?.value;
    if (!argument || isForward(node, argument)) continue;
    out.push(siteOf(src, lines, node, argument, defs));
  }
  return out.sort((a, b) => a.range.start - b.range.start);
}

/** `create_task(coro)` of a parameter: the forwarding call of a wrapper. */
function isForward(call: Call, argument: Expr): boolean {
  if (argument.kind !== 'Name') return false;
  for (let up: Node | null = call; up; up = up.parent) {
    if (up.kind === 'FunctionDef') return [...up.args.args, ...up.args.posonly].some(({ arg }) => arg === argument.id);
    if (up.kind === 'ListComp') return true;
  }
  return false;
}

function siteOf(
  src: MigrateSource,
  lines: LineIndex,
  call: Call,
  argument: Expr,
  defs: ReadonlyMap<string, { src: MigrateSource; def: FunctionDef }>,
): SpawnSite {
  const [begin, end] = [lines.position(call.start), lines.position(call.end)];
  const extent = argument.outer ?? { start: argument.start, end: argument.end };
  const bare = argument.kind === 'GeneratorExp' ? argument : null;
  const inner = bare ? bare.elt : argument;
  const wrapped = inner.kind === 'Call' && calleeName(inner).includes('_context') ? inner : null;
  const coroutine = wrapped ? wrapped.args[0]! : inner;
  const context = call.keywords.find(({ arg }) => arg === 'context');
  const statement = statementOf(call);
  return {
    id: `${src.module}:${call.start}`,
    module: src.module,
    range: {
      file: src.file,
      line: begin.line,
      column: begin.column,
      endLine: end.line,
      endColumn: end.column,
      start: call.start,
      end: call.end,
    },
    api:
      calleeName(call) === 'ensure_future'
        ? 'asyncio.ensure_future'
        : calleeName(call) === 'run_coroutine_threadsafe'
          ? 'asyncio.run_coroutine_threadsafe'
          : 'asyncio.create_task',
    takes: 'coroutine',
    enclosing: 'main',
    argument: src.text.slice(extent.start, extent.end),
    argumentExtent: bare ? null : extent,
    targets: targetsOf(coroutine, defs, wrapped, src, call),
    tag: siteTag(src, call, wrapped),
    unresolved: null,
    certainty: 'proven',
    shape: {
      use: useOf(call),
      statement: { start: statement.start, end: statement.end },
      fstringQuotes: fstringQuotes(call),
      lastArgumentEnd: Math.max(
        ...[...call.args, ...call.keywords].map((a) => ('outer' in a && a.outer ? a.outer.end : a.end)),
      ),
      contextArgument: context
        ? {
            extent: { start: context.start, end: context.end },
            value: src.text.slice(context.value.start, context.value.end),
            kind: contextKind(src.text.slice(context.value.start, context.value.end)),
          }
        : null,
      nameArgument: null,
      path: 'unknown',
      refusal: null,
      wrapExtents: bare ? [inner.outer ?? { start: inner.start, end: inner.end }] : [],
      starred: argument.kind === 'Starred',
      ineffective: null,
    },
    evidence: [],
  };
}

function contextKind(text: string): 'copied' | 'shared' | 'project' {
  return text.startsWith('_project_context(') ? 'project' : text.includes('copy_context') ? 'copied' : 'shared';
}

function useOf(call: Call): TaskUse {
  const { parent } = call;
  if (parent?.kind === 'ExprStmt') return 'dropped';
  if (parent?.kind === 'Await') return 'awaited';
  return parent?.kind === 'Return' ? 'returned' : 'kept';
}

function statementOf(node: Node): Node {
  let at: Node = node;
  while (at.parent && at.parent.kind !== 'Module' && !('body' in at.parent)) at = at.parent;
  return at;
}

function fstringQuotes(node: Node): string[] {
  const out: string[] = [];
  for (let up: Node | null = node; up; up = up.parent) if (up.kind === 'FormattedValue') out.unshift(up.quote);
  return out;
}

function targetsOf(
  coroutine: Expr,
  defs: ReadonlyMap<string, { src: MigrateSource; def: FunctionDef }>,
  wrapped: Call | null,
  src: MigrateSource,
  call: Call,
): Target[] {
  if (coroutine.kind !== 'Call') return [];
  const name = calleeName(coroutine);
  const found = defs.get(name);
  const line = found ? new LineIndex(found.src.text).position(found.def.start).line : null;
  const body = found ? bodyTag(found.def) : undefined;
  const inBody: Tag | null =
    body !== undefined ? { projectId: body, via: 'loop-body', file: found!.src.file, line: line! } : null;
  const tag = siteTag(src, call, wrapped) ?? inBody;
  return [{ name, qualifiedName: null, file: found?.src.file ?? null, line, facts: facts(), tag, traceId: false }];
}

function siteTag(src: MigrateSource, call: Call, wrapped: Call | null): Tag | null {
  const id = wrapped?.args[1] ?? contextId(call);
  if (!id) return null;
  const wrapping = wrapped
    ? {
        helper: calleeName(wrapped),
        call: extent(wrapped),
        inner: wrapped.args[0]!.outer ?? extent(wrapped.args[0]!),
        id: extent(id),
      }
    : undefined;
  const projectId = id.kind === 'Constant' ? String(id.value) : null;
  return {
    projectId,
    via: wrapped ? 'wrapper' : 'context-argument',
    file: src.file,
    line: new LineIndex(src.text).position(call.start).line,
    wrapping,
  };
}

const extent = (node: { start: number; end: number }) => ({ start: node.start, end: node.end });

function contextId(call: Call): Expr | null {
  const value = call.keywords.find(({ arg }) => arg === 'context')?.value;
  return value?.kind === 'Call' && calleeName(value).includes('project_context') ? (value.args[0] ?? null) : null;
}

/** The id that the coroutine sets itself at its top; null when it is not literal; undefined when it sets none. */
function bodyTag(def: FunctionDef): string | null | undefined {
  for (const statement of def.body) {
    if (statement.kind !== 'ExprStmt' || statement.value.kind !== 'Call') continue;
    const { func, args } = statement.value;
    if (
      func.kind !== 'Attribute' ||
      func.attr !== 'set' ||
      func.value.kind !== 'Name' ||
      func.value.id !== 'project_id_ctx_var'
    )
      continue;
    return args[0]?.kind === 'Constant' ? String(args[0].value) : 'legacy_awoooi_default';
  }
  return undefined;
}

/** Every async function of some files by name. */
export function definitions(sources: Iterable<MigrateSource>): Map<string, { src: MigrateSource; def: FunctionDef }> {
  const out = new Map<string, { src: MigrateSource; def: FunctionDef }>();
  for (const src of sources)
    for (const node of descendants(src.tree)) if (node.kind === 'FunctionDef') out.set(node.name, { src, def: node });
  return out;
}

export function decide(site: SpawnSite, projectId: string, over: Partial<Decision> = {}): Decision {
  return {
    site,
    target: site.targets[0] ?? null,
    entry: null,
    matchedBy: null,
    marker: null,
    class: null,
    priority: null,
    projectId,
    required: true,
    batch: null,
    reasons: [],
    ...over,
  };
}
