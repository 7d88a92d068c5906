/** Where an import goes, and how a name joins an existing `from … import …`. Pure text on a `ModuleLayout`. */
import type { Edit, ImportedName, ModuleLayout, TopImport } from '../model/index.ts';
import { byText } from '../model/order.ts';
import { insert } from './build.ts';
import { isStandard } from './standard-library.ts';

export interface ImportRequest {
  module: string;
  /** null for a plain `import module`. */
  name: string | null;
}

/** How a module-level name stands in a file. */
type NameState =
  | { kind: 'free' }
  /** Bound, once and for all, to what is wanted, under this name. */
  | { kind: 'bound'; as: string }
  /** Taken by something else. */
  | { kind: 'taken' };

/**
 * Is `name` of `module` already at hand in this file, free to be imported, or taken by something else?
 * A binding under a condition, or one of several, is no safe answer and counts as taken.
 * @param canonical Follows a name through re-exports to the module that defines it.
 */
export function nameState(
  layout: ModuleLayout,
  wanted: ImportRequest,
  limit = layout.length,
  canonical: (name: ImportRequest) => ImportRequest = (name) => name,
): NameState {
  const defined = canonical(wanted);
  const isWanted = (binding: ModuleLayout['bound'][number]) => {
    if (binding.from === null) return false;
    const { module, name } = canonical(binding.from);
    return module === defined.module && name === defined.name;
  };
  const own = layout.module === defined.module && defined.name !== null;
  for (const binding of layout.bound) {
    const same = layout.bound.filter((other) => other.name === binding.name);
    const right = own ? binding.name === defined.name && binding.from === null : isWanted(binding);
    if (right && same.length === 1 && !binding.conditional && (own || binding.extent.start < limit))
      return { kind: 'bound', as: binding.name };
  }
  const local = wanted.name ?? wanted.module.split('.')[0]!;
  return layout.bound.some((binding) => binding.name === local) ? { kind: 'taken' } : { kind: 'free' };
}

/**
 * Does a function around `offset` bind the name itself?
 */
export function isShadowedAt(layout: ModuleLayout, name: string, offset: number): boolean {
  return layout.scopes.some(
    ({ extent, names }) => extent.start <= offset && offset < extent.end && names.includes(name),
  );
}

/** Index of the top line after which a plain import can stand; -1: at the end of the header. */
export function importAnchor(layout: ModuleLayout, limit: number): number {
  const usable = layout.imports.filter(
    ({ line }) => layout.lines[line]!.end <= limit && layout.lines[line]!.kind !== 'future',
  );
  const firstDefinition = layout.lines.findIndex(({ kind }) => kind === 'definition');
  const leading = usable.filter(({ line }) => line < firstDefinition);
  const last = leading.at(-1) ?? usable.at(-1);
  if (last) return last.line;
  return layout.lines.findLastIndex(({ kind, end }) => (kind === 'docstring' || kind === 'future') && end <= limit);
}

/** New import lines that go after one anchor, and edits elsewhere (joined names, sorted places). */
interface ImportPlan {
  edits: Edit[];
  /** Lines for the anchor, in order; a blank one parts the standard library from what follows. */
  lines: string[];
}

/** Decide for every request whether it joins a line, takes its sorted place, opens a section or goes after the anchor. */
export function planImports(layout: ModuleLayout, requests: readonly ImportRequest[], limit: number): ImportPlan {
  const edits: Edit[] = [];
  const anchor = importAnchor(layout, limit);
  const standard: string[] = [];
  const others: string[] = [];
  const put = (place: Place | null): boolean => {
    if (place) edits.push(insert(layout.file, place.offset, place.text, edits.length));
    return place !== null;
  };
  for (const [module, names] of grouped(requests)) {
    const existing = names.length > 0 ? joinable(layout, module, limit) : null;
    const line = names.length > 0 ? `from ${module} import ${names.join(', ')}` : `import ${module}`;
    if (existing) edits.push(...joinEdits(layout, existing, names));
    else if (!put(sortedPlace(layout, module, line, anchor))) (isStandard(module) ? standard : others).push(line);
  }
  const sections = [
    put(onTop(layout, standard, anchor)) ? [] : standard,
    put(beforeRelative(layout, others, anchor)) ? [] : others,
  ].filter((section) => section.length > 0);
  return { edits, lines: sections.flatMap((section, i) => (i > 0 ? ['', ...section] : section)) };
}

function grouped(requests: readonly ImportRequest[]): [string, string[]][] {
  const groups = new Map<string, Set<string>>();
  for (const { module, name } of requests) {
    const key = name === null ? `import ${module}` : module;
    const names = groups.get(key) ?? new Set<string>();
    if (name !== null) names.add(name);
    groups.set(key, names);
  }
  const module = (key: string) => key.replace('import ', '');
  // as import sorters have it: sections, in each the plain ones first
  const rank = (key: string) => (isStandard(module(key)) ? 0 : 2) + (key.startsWith('import ') ? 0 : 1);
  const sorted = [...groups].sort(([a], [b]) => rank(a) - rank(b) || compareNames(module(a), module(b)));
  return sorted.map(([key, names]) => [module(key), [...names].sort(compareNames)]);
}

function compareNames(a: string, b: string): number {
  return byText(a.toLowerCase(), b.toLowerCase()) || byText(a, b);
}

const isSorted = (values: readonly string[]) =>
  values.every((value, index) => index === 0 || compareNames(values[index - 1]!, value) <= 0);

function joinable(layout: ModuleLayout, module: string, limit: number): TopImport | null {
  const found = layout.imports.filter(
    (candidate) =>
      candidate.module === module &&
      layout.lines[candidate.line]!.end <= limit &&
      candidate.names.every(({ name }) => name !== '*'),
  );
  return found[0] ?? null;
}

/** Put names into an existing import, in its order when it has one. */
function joinEdits(layout: ModuleLayout, line: TopImport, names: readonly string[]): Edit[] {
  const present = line.names.map(({ name }) => name);
  const sorted = isSorted(present);
  return names.map((name, index) => {
    const before = sorted ? line.names.find((other) => compareNames(other.name, name) > 0) : undefined;
    const last = line.names.at(-1)!;
    if (before ?? last.comment) return joinBefore(layout, before ?? last, name, index);
    return joinAfter(layout, last, name, index);
  });
}

function joinBefore(layout: ModuleLayout, before: ImportedName, name: string, order: number): Edit {
  const separator = before.ownLine ? `,${layout.eol}${before.indent}` : ', ';
  return insert(layout.file, before.extent.start, name + separator, order);
}

function joinAfter(layout: ModuleLayout, last: ImportedName, name: string, order: number): Edit {
  const separator = last.ownLine ? `,${layout.eol}${last.indent}` : ', ';
  return insert(layout.file, last.extent.end, separator + name, order);
}

/** A line that stands by itself, with where it goes. */
interface Place {
  offset: number;
  text: string;
}

/** What keeps a sorted run of imports of the same package, or of the standard library, sorted; null when there is no such run. */
function sortedPlace(layout: ModuleLayout, module: string, line: string, anchor: number): Place | null {
  const offset = line.startsWith('import ')
    ? plainPlace(layout, module, anchor)
    : isStandard(module)
      ? standardPlace(layout, module, anchor)
      : packagePlace(layout, module, anchor);
  return offset === null ? null : { offset, text: line + layout.eol };
}

function packagePlace(layout: ModuleLayout, module: string, anchor: number): number | null {
  const root = module.split('.')[0]!;
  const run = importRun(layout, anchor, (line) => line.module?.split('.')[0] === root && !line.written.startsWith('.'));
  if (run.length === 0 || !isSorted(run.map((line) => line.module!))) return null;
  return placeIn(layout, run, (line) => compareNames(line.module!, module) > 0);
}

/** Relative imports come last: new lines go above those that stand at the end; null where none do. */
function beforeRelative(layout: ModuleLayout, texts: readonly string[], anchor: number): Place | null {
  const above = layout.imports.filter(({ line }) => line <= anchor && layout.lines[line]!.kind === 'import');
  const last = above.findLastIndex(({ written }) => !written.startsWith('.'));
  const [first, absolute] = [above[last + 1], above[last]];
  if (texts.length === 0 || !first?.alone || first.line > anchor) return null;
  const { eol, lines } = layout;
  const block = texts.flatMap((text, i) => (i > 0 && isOfOther(texts[i - 1]!, text) ? ['', text] : text));
  const text = block.join(eol) + eol;
  // into the section above, or as one of its own
  if (absolute?.alone && lines[absolute.line]!.blankAfter > 0)
    return { offset: lines[absolute.line]!.end, text: (isOfOther(absolute, texts[0]!) ? eol : '') + text };
  const isGlued = absolute !== undefined;
  return { offset: topOf(layout, first), text: text + (isGlued ? '' : eol) };
}

/** Does a line of one package follow one of another? A blank line parts them. */
export function isOfOther(above: TopImport | string, text: string): boolean {
  if (text.startsWith('import ')) return false;
  const module = typeof above === 'string' ? above.split(' ')[1]! : (above.module ?? above.names[0]!.name);
  return module.split('.')[0] !== text.split(' ')[1]!.split('.')[0];
}

/** `import os` goes among the plain imports on top, when those are sorted. */
function plainPlace(layout: ModuleLayout, module: string, anchor: number): number | null {
  const run = importRun(layout, anchor, (line) => line.module === null && line.names.length === 1, true);
  if (run.length === 0) return null;
  const sorted = isSorted(run.map((line) => line.names[0]!.name));
  if (!sorted) return layout.lines[run.at(-1)!.line]!.end;
  return placeIn(layout, run, (line) => compareNames(line.names[0]!.name, module) > 0);
}

/** Among the names that are imported from the standard library, else after its plain imports. */
function standardPlace(layout: ModuleLayout, module: string, anchor: number): number | null {
  const ofStandard = (line: TopImport) =>
    line.module !== null && !line.written.startsWith('.') && isStandard(line.module);
  const from = importRun(layout, anchor, ofStandard, true);
  if (from.length > 0 && isSorted(from.map((line) => line.module!)))
    return placeIn(layout, from, (line) => compareNames(line.module!, module) > 0);
  const all = layout.imports.filter(
    (line) => line.line <= anchor && (ofStandard(line) || (line.module === null && isStandard(line.names[0]!.name))),
  );
  const last = all.at(-1);
  return last ? layout.lines[last.line]!.end : null;
}

/** The standard library comes first: a section of its own above the first import; null where there is none. */
function onTop(layout: ModuleLayout, texts: readonly string[], anchor: number): Place | null {
  const first = layout.imports.find(({ line }) => layout.lines[line]!.kind === 'import');
  if (texts.length === 0 || !first || first.line > anchor) return null;
  return { offset: topOf(layout, first), text: texts.map((text) => text + layout.eol).join('') + layout.eol };
}

/** Where something goes above a line: a comment on top of the file is the file's. */
function topOf(layout: ModuleLayout, { line }: TopImport): number {
  const { start, blockStart } = layout.lines[line]!;
  return line === 0 ? start : blockStart;
}

function placeIn(layout: ModuleLayout, run: readonly TopImport[], isGreater: (line: TopImport) => boolean): number {
  const next = run.find(isGreater);
  return next ? layout.lines[next.line]!.blockStart : layout.lines[run.at(-1)!.line]!.end;
}

/** The last (or first) run of directly adjacent import lines that holds a wanted one: its wanted lines. */
function importRun(
  layout: ModuleLayout,
  anchor: number,
  wanted: (line: TopImport) => boolean,
  first = false,
): TopImport[] {
  const runs: TopImport[][] = [];
  let previous: TopImport | null = null;
  for (const line of layout.imports) {
    if (!line.alone || line.line > anchor || layout.lines[line.line]!.kind !== 'import') continue;
    const adjacent = previous && line.line === previous.line + 1 && isGlued(layout, previous.line);
    if (adjacent) runs.at(-1)!.push(line);
    else runs.push([line]);
    previous = line;
  }
  const matching = runs.map((run) => run.filter(wanted)).filter((run) => run.length > 0);
  return (first ? matching[0] : matching.at(-1)) ?? [];
}

function isGlued(layout: ModuleLayout, index: number): boolean {
  const [line, next] = [layout.lines[index]!, layout.lines[index + 1]];
  return line.blankAfter === 0 && next !== undefined && next.blockStart === line.end;
}
