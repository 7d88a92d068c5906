/** Which helper a file calls: the project's own, one that an earlier run brought, or a new one and where it goes. */
import { type DefinitionRequest, isShadowedAt } from '../../edit/index.ts';
import type { ContextHelper, ModuleLayout, NewFile } from '../../model/index.ts';
import type { CodemodDefinition, HelperReference, Need, Reference, SymbolRef } from '../contracts.ts';
import { assignedText, type Names, sameText } from './names.ts';
import { type MigrateInput, refused } from './types.ts';

type Refused = ReturnType<typeof refused>;

/** In the file that needs it, or in a module that all import. */
export type HelperHome = 'inline' | { module: string };

/** The place of the helper's own names counts as import time of nothing: they are looked up when it runs. */
const LATE = Number.MAX_SAFE_INTEGER;

export class Helpers {
  readonly #input: MigrateInput;
  /** Files that mention the helper's name; found once, for there may be many files and many sites. */
  #mentioning: string[] | null = null;

  constructor(
    readonly names: Names,
    readonly codemod: CodemodDefinition,
    readonly home: HelperHome,
    /** Render new helpers with a `trace` parameter. */
    readonly wantsTrace: boolean,
  ) {
    this.#input = names.input;
  }

  /** The name that a new helper gets. */
  get newName(): string {
    return this.codemod.helper!.name(this.#input.policy);
  }

  /** How the helper is called at an offset of a file, and what that takes. */
  at(file: string, at: number): HelperReference | Refused {
    const existing = this.codemod.id === 'wrapper' ? this.#known(file) : null;
    if (existing) {
      const reference = this.names.refer(file, { module: existing.module, name: existing.name }, at);
      return 'refusal' in reference ? reference : { ...reference, ...parameters(existing) };
    }
    const ours = this.#brought(file);
    const home = ours ? { module: ours.module } : this.home;
    const reference = home === 'inline' ? this.#inline(file, at) : this.#inModule(home.module, file, at);
    if ('refusal' in reference) return reference;
    const trace = (ours ? ours.trace : this.wantsTrace && this.names.trace !== null) ? 'trace' : null;
    return { ...reference, coroParam: 0, idParam: 1, idParamName: 'project_id', returnsResult: true, trace };
  }

  /** A helper that the analysis knows: in this file first, then one that it imports, then any of the project. */
  #known(file: string): ContextHelper | null {
    const usable = this.#input.analysis.helpers.filter(
      (helper) => this.#setsOurVariable(helper) && this.#isFoundFrom(file, helper),
    );
    const layout = this.names.layoutOf(file);
    const isBound = (helper: ContextHelper) =>
      layout !== null && this.names.stateIn(layout, { module: helper.module, name: helper.name }).kind === 'bound';
    const near = usable.find((helper) => helper.file === file) ?? usable.find(isBound);
    const { helper: wanted } = this.#input.options;
    if (near || wanted === 'inline') return near ?? null;
    if (wanted) return usable.find(({ module }) => module === wanted.module) ?? null;
    return usable.find(({ name }) => name === this.#input.policy.helper) ?? usable[0] ?? null;
  }

  /** Services of one repository may have modules of one name: here it may be another file. */
  #isFoundFrom(file: string, { module, file: home }: { module: string; file: string }): boolean {
    return file === home || home === '' || (this.#input.resolveModule(module, file) ?? home) === home;
  }

  #setsOurVariable({ variable }: ContextHelper): boolean {
    const { context } = this.names;
    if (!variable || !context) return true;
    return variable.name === context.name && variable.module === context.module;
  }

  /** A helper that an earlier run wrote, known by its text. */
  #brought(file: string): { module: string; trace: boolean } | null {
    const { helper: wanted } = this.#input.options;
    this.#mentioning ??= [...this.#input.sources.values()]
      .filter(({ text }) => text.includes(this.newName))
      .map((source) => source.file);
    const others = wanted === 'inline' ? [] : this.#mentioning.filter((other) => other !== file);
    for (const candidate of [file, ...others]) {
      const source = this.#input.sources.get(candidate);
      if (!source || !this.#isFoundFrom(file, source)) continue;
      if (wanted && wanted !== 'inline' && candidate !== file && source.module !== wanted.module) continue;
      const layout = this.names.layoutOf(candidate);
      const kind = layout && this.#isOurs(layout);
      if (kind) return { module: source.module, trace: kind === 'trace' };
    }
    return null;
  }

  #isOurs(layout: ModuleLayout): 'trace' | 'plain' | null {
    const bound = layout.bound.filter(({ name }) => name === this.newName);
    const [only] = bound;
    const helper = this.codemod.helper!;
    if (bound.length !== 1 || only!.how !== helper.kind || only!.decorated || only!.value === null) return null;
    if (helper.accepts) return helper.accepts(only!.value, this.#input.policy) ? 'plain' : null;
    for (const trace of [true, false]) {
      const made = this.definition(layout.file, LATE, trace);
      if (!('refusal' in made) && made.needs.length === 0 && sameText(only!.value, made.request.text))
        return trace ? 'trace' : 'plain';
    }
    return null;
  }

  /** The definition that an earlier run put into a file, as a request for it; null when there is none. */
  ownDefinition(file: string): DefinitionRequest | null {
    const layout = this.names.layoutOf(file);
    const kind = layout && this.#isOurs(layout);
    if (!kind) return null;
    const made = this.definition(file, LATE, kind === 'trace');
    if ('refusal' in made) return null;
    const text = layout.bound.find(({ name }) => name === this.newName)?.value ?? null;
    return sameText(text, assignedText(made.request.text)) ? made.request : null;
  }

  /** Everything that a helper of this codemod may have made a file import. */
  symbolsUsed(): SymbolRef[] {
    const symbols = this.#symbols(true);
    return [...('refusal' in symbols ? [] : symbols.project), ...this.codemod.helper!.imports];
  }

  #inline(file: string, at: number): Reference {
    const layout = this.names.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read`);
    const name = this.newName;
    if (isShadowedAt(layout, name, at))
      return refused('name-clash', `a function around this place binds ${name} itself: rename that name`);
    if (layout.bound.some((binding) => binding.name === name)) {
      if (this.#isOurs(layout)) return { name, needs: [] };
      return refused('name-clash', `${file} already has another ${name}: rename it, or name a module with --helper`);
    }
    const made = this.definition(file, at, this.wantsTrace);
    if ('refusal' in made) return made;
    return { name, needs: [...made.needs, { kind: 'definition', file, definition: made.request, at }] };
  }

  /** The text of the helper as this file would hold it, with what it needs itself. */
  definition(file: string, at: number, withTrace: boolean): { request: DefinitionRequest; needs: Need[] } | Refused {
    const helper = this.codemod.helper!;
    const symbols = this.#symbols(withTrace);
    if ('refusal' in symbols) return symbols;
    const needs: Need[] = [];
    const locals = new Map<SymbolRef, string>();
    const after: string[] = [];
    for (const symbol of [...symbols.project, ...helper.imports]) {
      let reference = this.names.refer(file, symbol, at);
      let member = '';
      // the file has an `Any` of another library: `typing.Any` then
      if ('refusal' in reference && reference.refusal.code === 'name-clash' && helper.imports.includes(symbol)) {
        reference = this.names.refer(file, { module: symbol.module, name: null }, at);
        member = `.${symbol.name}`;
      }
      if ('refusal' in reference) return reference;
      locals.set(symbol, `${reference.name}${member}`);
      after.push(reference.name);
      needs.push(...reference.needs);
    }
    const text = this.#render(symbols, (symbol) => locals.get(symbol)!);
    const blankLines = helper.kind === 'function' ? 2 : 1;
    return { request: { name: this.newName, text, blankLines, after }, needs };
  }

  #symbols(withTrace: boolean): HelperSymbols | Refused {
    if (!this.codemod.helper!.usesContext) return { project: [], context: null, trace: null };
    const { context } = this.names;
    if (!context) return refused('no-context-variable', this.names.contextProblem);
    const trace = withTrace ? this.names.trace : null;
    return { project: [context, ...(trace ? [trace.variable, trace.generator] : [])], context, trace };
  }

  #render({ context, trace }: HelperSymbols, local: (symbol: SymbolRef) => string): string {
    const helper = this.codemod.helper!;
    return helper.render({
      helper: this.newName,
      contextVariable: context ? local(context) : '',
      trace: trace && { variable: local(trace.variable), generator: local(trace.generator) },
      imports: helper.imports.map(local),
      policy: this.#input.policy,
    });
  }

  #inModule(module: string, file: string, at: number): Reference {
    const home = this.#input.resolveModule(module, file);
    if (home === file) return this.#inline(file, at);
    const here = this.names.importable(
      file,
      { module, name: this.newName },
      at,
      home ? [home] : this.#contextFiles(file),
    );
    if ('refusal' in here) return here;
    const inside = home === null ? this.newModule(module, { from: file }) : this.#inline(home, LATE);
    if ('refusal' in inside) return inside;
    return { name: here.name, needs: 'needs' in inside ? [...here.needs, ...inside.needs] : here.needs };
  }

  #contextFiles(file: string): string[] {
    const symbols = this.#symbols(this.wantsTrace);
    const modules = 'refusal' in symbols ? [] : symbols.project.map(({ module }) => module);
    return modules.flatMap((module) => this.#input.resolveModule(module, file) ?? []);
  }

  /** A module that holds nothing but the helper. */
  newModule(module: string, how: { trace?: boolean; from?: string } = {}): NewFile | Refused {
    const symbols = this.#symbols(how.trace ?? this.wantsTrace);
    if ('refusal' in symbols) return symbols;
    const { imports, moduleDoc, kind } = this.codemod.helper!;
    const blocks = [importLines(imports), importLines(symbols.project)].filter((block) => block !== '');
    const body = this.#render(symbols, ({ name }) => name);
    const text = `"""${moduleDoc}"""\n\n${blocks.join('\n\n')}\n${kind === 'function' ? '\n' : ''}\n${body}\n`;
    return { file: this.#input.newModuleFile(module, how.from), text };
  }
}

interface HelperSymbols {
  /** What it imports from the project. */
  project: SymbolRef[];
  context: SymbolRef | null;
  trace: { variable: SymbolRef; generator: SymbolRef } | null;
}

function importLines(symbols: readonly SymbolRef[]): string {
  const modules = [...new Set(symbols.map(({ module }) => module))].sort();
  return modules
    .map((module) => {
      const names = symbols.filter((symbol) => symbol.module === module).map(({ name }) => name);
      return `from ${module} import ${[...new Set(names)].sort().join(', ')}`;
    })
    .join('\n');
}

function parameters(helper: ContextHelper): Omit<HelperReference, 'name' | 'needs'> {
  const { coroParam, idParam, idParamName, returnsResult } = helper;
  const trace = helper.traceParam ?? (helper.setsTraceId ? 'always' : null);
  return { coroParam, idParam, idParamName, returnsResult, trace };
}
