/**
 * What a revert leaves behind: a helper that nobody calls, a constant, imports.
 *
 * They are removed so that the planner, asked for the same things again, would put them back exactly as they were; that
 * is the proof that the bytes before the migration are restored.
 */
import {
  applyEdits,
  type DefinitionRequest,
  type ImportRequest,
  mapForward,
  moduleEdits,
  NoPlaceError,
  placeEdits,
} from '../../edit/index.ts';
import type { Edit, Extent, ModuleLayout } from '../../model/index.ts';
import { buildLayout } from '../../sites/layout.ts';
import { descendants, type Module, parseModule } from '../../syntax/index.ts';
import { Helpers } from './helpers.ts';
import { Names, sameText } from './names.ts';
import { ownersOf } from './own-imports.ts';
import { layoutCache } from './plan.ts';
import { combinations, definitionVariants, importVariants, type Variants } from './removals.ts';
import type { MigrateInput, MigrateSource } from './types.ts';

export interface Leftovers {
  /** Edits on the texts from which the tags are gone. */
  edits: Map<string, Edit[]>;
  deletedFiles: string[];
  notes: string[];
}

/** Removals tried per file before the clean-up gives up on byte-for-byte proof. */
const TRIES = 400;

interface Unused {
  definitions: DefinitionRequest[];
  definitionLines: number[];
  imports: ImportRequest[];
  /** Those of them that somebody may have written. */
  doubtful: ImportRequest[];
}

/**
 * @param input The project without the tags.
 * @param methods The codemods whose tags were taken out.
 * @param uses Offsets in each file at which a tag was, in the texts without tags.
 */
export function cleanUp(
  input: MigrateInput,
  uses: ReadonlyMap<string, number[]>,
  methods: ReadonlySet<string>,
): Leftovers {
  const out: Leftovers = { edits: new Map(), deletedFiles: [], notes: [] };
  const queue = [...uses.keys()].sort();
  const overlay = new Map(input.sources);
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const current = { ...input, sources: overlay };
    const source = overlay.get(file);
    if (!source || out.edits.has(file)) continue;
    const unused = findUnused(current, source, methods);
    if (unused.definitions.length === 0 && unused.imports.length === 0) continue;
    if (isWhollyOurs(current, source, methods)) {
      out.deletedFiles.push(file);
      overlay.delete(file);
      continue;
    }
    const edits = removalEdits(source, unused, uses.get(file) ?? [], input.earlier?.(file) ?? [], out.notes);
    out.edits.set(file, edits);
    const text = applyEdits(source.text, edits);
    overlay.set(file, { ...source, text, tree: parseModule(text) });
    // A helper in a module of its own may now be without callers.
    for (const { module } of unused.imports) {
      const home = input.resolveModule(module, file);
      if (home) queue.push(home);
    }
  }
  return out;
}

function helpersOf(input: MigrateInput, methods: ReadonlySet<string>): Helpers[] {
  const names = new Names(input, layoutCache(input));
  const codemods = Object.values(input.codemods).filter(({ id, helper }) => methods.has(id) && helper);
  return codemods.map((codemod) => new Helpers(names, codemod, 'inline', false));
}

function findUnused(input: MigrateInput, source: MigrateSource, methods: ReadonlySet<string>): Unused {
  const layout = buildLayout(source);
  const unused: Unused = { definitions: [], definitionLines: [], imports: [], doubtful: [] };
  const gone: Extent[] = [];
  const candidates: ImportRequest[] = [...namesSet(input), ...platformSession(input, layout)];
  for (const helpers of helpersOf(input, methods)) {
    const name = helpers.newName;
    candidates.push(...helpers.symbolsUsed(), ...helperImports(layout, name));
    const definition = isMentioned(layout, helpers) ? null : helpers.ownDefinition(source.file);
    if (!definition || usedElsewhere(input, source, name)) continue;
    const bound = layout.bound.find((binding) => binding.name === name)!;
    candidates.push(
      ...layout.bound.flatMap(({ name: n, from }) => (from && definition.after.includes(n) ? [from] : [])),
    );
    unused.definitions.push(definition);
    unused.definitionLines.push(bound.line);
    gone.push(bound.extent);
  }
  const label = unusedLabel(input, layout);
  if (label) {
    unused.definitions.push(label.definition);
    unused.definitionLines.push(label.line);
    gone.push(label.extent);
    candidates.push({ module: 'os', name: null });
  }
  const mentions = mentionsOutside(source.tree, gone);
  const ownerOf = ownersOf(input, source);
  const isUnused = ({ module, name }: ImportRequest) => {
    const binding = layout.bound.find(({ from }) => from?.module === module && from.name === name);
    if (binding === undefined || (mentions.has(binding.name) && !layout.typeOnly.includes(binding.name))) return false;
    return !usedElsewhere(input, source, binding.name);
  };
  const keyed = new Map(candidates.map((candidate) => [`${candidate.module}:${candidate.name}`, candidate]));
  for (const request of [...keyed.values()].filter(isUnused)) {
    const owner = ownerOf(request);
    if (owner !== 'somebody') unused.imports.push(request);
    if (owner === null) unused.doubtful.push(request);
  }
  return unused;
}

/** An assignment mentions its own name once. */
function isMentioned(layout: ModuleLayout, { newName, codemod }: Helpers): boolean {
  return (layout.mentions[newName] ?? 0) > (codemod.helper!.kind === 'assignment' ? 1 : 0);
}

/** What a body that sets the ids imports. */
function namesSet(input: MigrateInput): ImportRequest[] {
  const { context, trace } = new Names(input, () => null);
  return [...(context ? [context] : []), ...(trace ? [trace.variable, trace.generator] : [])];
}

/** The platform's session, where the tenant's comes from the same module. */
function platformSession({ policy }: MigrateInput, { bound }: ModuleLayout): ImportRequest[] {
  const { tenant, platform } = policy.platformSession;
  const homes = bound.flatMap(({ from }) => (from?.name && tenant.includes(from.name) ? [from.module] : []));
  return bound.flatMap(({ from }) => (from?.name === platform && homes.includes(from.module) ? [from] : []));
}

/** From wherever the file imports the helper. */
function helperImports(layout: ModuleLayout, name: string): ImportRequest[] {
  return layout.bound.flatMap(({ from }) => (from?.name === name ? [from] : []));
}

function unusedLabel(
  input: MigrateInput,
  layout: ModuleLayout,
): { definition: DefinitionRequest; line: number; extent: Extent } | null {
  const { variable, env, value } = input.policy.legacyLabel;
  const text = `${variable} = os.getenv("${env}", "${value}")`;
  const bound = layout.bound.filter(({ name }) => name === variable);
  const [only] = bound;
  if (
    bound.length !== 1 ||
    layout.mentions[variable] !== 1 ||
    !sameText(only!.value, text.slice(text.indexOf('=') + 1))
  )
    return null;
  return { definition: { name: variable, text, blankLines: 1, after: [] }, line: only!.line, extent: only!.extent };
}

function usedElsewhere(input: MigrateInput, source: MigrateSource, name: string): boolean {
  for (const other of input.sources.values()) {
    if (other.file === source.file || !other.text.includes(name)) continue;
    const bound = buildLayout(other).bound;
    if (!bound.some(({ from }) => from !== null && from.module === source.module && from.name === name)) continue;
    // another service may have a module of the same name
    if ((input.resolveModule(source.module, other.file) ?? source.file) === source.file) return true;
  }
  return false;
}

function mentionsOutside(tree: Module, gone: readonly Extent[]): Set<string> {
  const out = new Set<string>();
  for (const node of descendants(tree)) {
    if (node.kind !== 'Name' || gone.some(({ start, end }) => start <= node.start && node.end <= end)) continue;
    out.add(node.id);
  }
  return out;
}

/** Nothing in it but what a run created with the file. */
function isWhollyOurs(input: MigrateInput, source: MigrateSource, methods: ReadonlySet<string>): boolean {
  const created = helpersOf(input, methods).flatMap((helpers) =>
    [true, false].map((trace) => helpers.newModule(source.module, { trace })),
  );
  return created.some((made) => !('refusal' in made) && made.text === source.text);
}

function removalEdits(
  source: MigrateSource,
  unused: Unused,
  uses: readonly number[],
  earlier: Iterable<string>,
  notes: string[],
): Edit[] {
  const choices = choicesOf(source, unused);
  // Several texts may give what is there now; the one that was there once is it.
  let texts: (string | null)[] | null = null;
  for (const text of earlier) {
    texts ??= choices.map((edits) => textWithout(source, edits));
    const known = choices[texts.indexOf(text)];
    if (known) return known;
  }
  const proven = choices.find((edits) => wouldComeBack(source, unused, uses, edits) === 'yes');
  if (proven) return proven;
  const sure = withoutOthers(source, unused, uses);
  if (sure.imports.length < unused.imports.length) {
    const names = unused.imports.filter((i) => !sure.imports.includes(i)).map(({ module, name }) => name ?? module);
    notes.push(
      `${source.file}: nothing uses ${names.join(', ')} any more, but the import does not stand where a migration puts one: it stays`,
    );
    return removalEdits(source, { ...sure, doubtful: [] }, uses, [], notes);
  }
  notes.push(`${source.file}: what the tags needed is taken out, but blank lines may differ from before the migration`);
  return choices.find((edits) => wouldComeBack(source, unused, uses, edits) === 'no') ?? [];
}

/** Ways to take all of it out. */
function choicesOf(source: MigrateSource, { definitionLines, imports }: Unused): Edit[][] {
  const layout = buildLayout(source);
  const variants: Variants = [
    ...definitionLines.map((line) => definitionVariants(source.text, layout, line)),
    ...importVariants(source.text, layout, imports),
  ];
  const choices: Edit[][] = [];
  for (const choice of combinations(variants)) {
    if (choices.push(choice.map((extent) => ({ file: source.file, ...extent, text: '' }))) === TRIES) break;
  }
  return choices;
}

/** Without as few of the doubtful imports as it takes for the others to stand where the planner puts them. */
function withoutOthers(source: MigrateSource, unused: Unused, uses: readonly number[]): Unused {
  const fits = (tried: Unused) =>
    choicesOf(source, tried).some((edits) => wouldComeBack(source, tried, uses, edits) === 'yes');
  const left = subsets(unused.doubtful).map((kept) => unused.imports.filter((i) => !kept.includes(i)));
  const alone = { ...unused, definitions: [], definitionLines: [] };
  const imports =
    left.find((imports) => fits({ ...unused, imports })) ?? left.find((imports) => fits({ ...alone, imports }));
  return { ...unused, imports: imports ?? unused.imports };
}

/** All choices of some, the smallest first. */
function subsets<T>(items: readonly T[]): T[][] {
  const all: T[][] = [[]];
  for (const item of items) all.push(...all.map((some) => [...some, item]));
  return all.sort((a, b) => a.length - b.length);
}

function textWithout({ text }: MigrateSource, edits: Edit[]): string | null {
  try {
    return applyEdits(text, edits);
  } catch {
    return null;
  }
}

/** Does the planner put exactly this text back? */
function wouldComeBack(
  source: MigrateSource,
  unused: Unused,
  uses: readonly number[],
  edits: Edit[],
): 'yes' | 'no' | 'broken' {
  try {
    const text = applyEdits(source.text, edits);
    const layout = buildLayout({ ...source, text, tree: parseModule(text) });
    const placed = placeEdits(edits, source.text.length);
    const limit = Math.min(text.length, ...uses.map((offset) => mapForward(placed, offset)));
    const again = moduleEdits(layout, { imports: unused.imports, definitions: unused.definitions, limit });
    return applyEdits(text, again) === source.text ? 'yes' : 'no';
  } catch (error) {
    return error instanceof NoPlaceError ? 'no' : 'broken';
  }
}
