/** What a file calls the context variable and the helper, and what it must import or define for that. */
import { type DefinitionRequest, type ImportRequest, isShadowedAt, nameState } from '../../edit/index.ts';
import type { ContextHelper, ModuleLayout } from '../../model/index.ts';
import type { CodemodDefinition, HelperReference, Need, Reference, SymbolRef } from '../contracts.ts';
import { makesCycle } from './cycles.ts';
import { type MigrateInput, refused } from './types.ts';

type Refused = ReturnType<typeof refused>;

/** The names of one run; pure questions, the answers carry their needs. */
export class Names {
  readonly context: SymbolRef | null;
  readonly trace: { variable: SymbolRef; generator: SymbolRef } | null;
  readonly #contextProblem: string;
  readonly #canonical: (name: ImportRequest) => ImportRequest;

  constructor(
    readonly input: MigrateInput,
    readonly layoutOf: (file: string) => ModuleLayout | null,
    /** Where a new helper goes: the file itself, or this module. */
    readonly home: 'inline' | { module: string },
    readonly wantsTrace: boolean,
  ) {
    const { policy, options } = input;
    const context = this.#variable(options.contextVariable ?? null, policy.contextVariable);
    this.context = context.symbol;
    this.#canonical = (name) =>
      name.name === null || !input.canonical ? name : input.canonical({ module: name.module, name: name.name });
    this.#contextProblem = context.problem;
    const trace = this.#variable(options.traceVariable ?? null, policy.traceVariable).symbol;
    this.trace = trace && { variable: trace, generator: { module: trace.module, name: policy.traceGenerator } };
  }

  #variable(given: SymbolRef | null, name: string): { symbol: SymbolRef | null; problem: string } {
    if (given) return { symbol: given, problem: '' };
    const found = this.input.analysis.contextVariables.filter((variable) => variable.name === name);
    if (found.length === 1) return { symbol: { module: found[0]!.module, name }, problem: '' };
    const places = found.map(({ module }) => `${module}:${name}`).join(', ');
    const problem =
      found.length === 0
        ? `the project defines no context variable ${name}: name it with --context-var MODULE:NAME`
        : `several modules define ${name} (${places}): choose one with --context-var`;
    return { symbol: null, problem };
  }

  /** How a module-level name of the project is written at an offset of a file. */
  refer(file: string, symbol: SymbolRef | null, at: number): Reference {
    if (!symbol) return refused('no-context-variable', this.#contextProblem);
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read, so nothing can be imported there`);
    const limit = importTimeLimit(layout, at);
    const state = nameState(layout, symbol, limit, this.#canonical);
    const local = state.kind === 'bound' ? state.as : symbol.name;
    if (state.kind === 'taken')
      return refused('name-clash', `${file} already binds ${symbol.name} to something else: rename one of the two`);
    if (isShadowedAt(layout, local, at))
      return refused('name-clash', `a function around this place binds ${local} itself: rename that name`);
    if (state.kind === 'bound') return { name: local, needs: [] };
    const target = this.input.resolveModule(symbol.module);
    if (target === file)
      return refused('no-context-variable', `${file} is expected to define ${symbol.name} and does not`);
    if (makesCycle(this.input, file, target ? [target] : []))
      return refused(
        'import-cycle',
        `importing ${symbol.module} here would make an import cycle: move ${symbol.name} to a module of its own`,
      );
    return { name: local, needs: [{ kind: 'import', file, ...symbol, at }] };
  }

  /** Bring a definition to a file unless it is there already, word for word. */
  define(file: string, definition: DefinitionRequest, at: number): Reference {
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read, so nothing can be defined there`);
    if (isShadowedAt(layout, definition.name, at))
      return refused('name-clash', `a function around this place binds ${definition.name} itself: rename that name`);
    const bound = layout.bound.filter(({ name }) => name === definition.name);
    const value = definition.text.slice(definition.text.indexOf('=') + 1).replace(/\s+/g, '');
    if (bound.length === 1 && bound[0]!.value?.replace(/\s+/g, '') === value)
      return { name: definition.name, needs: [] };
    if (bound.length > 0)
      return refused('name-clash', `${file} already binds ${definition.name} to something else: rename one of the two`);
    return { name: definition.name, needs: [{ kind: 'definition', file, definition, at }] };
  }

  /** The helper of a codemod at an offset of a file: the project's own, or one that this run brings. */
  helper(codemod: CodemodDefinition, file: string, at: number): HelperReference | Refused {
    const existing = codemod.id === 'wrapper' ? this.#existingHelper(file) : null;
    if (existing) {
      const reference = this.refer(file, { module: existing.module, name: existing.name }, at);
      if ('refusal' in reference) return reference;
      return { ...reference, ...parameters(existing) };
    }
    const name = this.helperName(codemod);
    const reference =
      this.home === 'inline'
        ? this.#inline(codemod, name, file, at)
        : this.#inModule(codemod, name, this.home.module, file, at);
    if ('refusal' in reference) return reference;
    const trace = this.wantsTrace && this.trace ? 'trace' : null;
    return { ...reference, coroParam: 0, idParam: 1, idParamName: 'project_id', returnsResult: true, trace };
  }

  helperName(codemod: CodemodDefinition): string {
    return codemod.id === 'wrapper' ? this.input.policy.helper : codemod.helper!.name;
  }

  /** In this file first, then one that it imports, then (unless the helper is to be inline) any of the project. */
  #existingHelper(file: string): ContextHelper | null {
    const { helpers } = this.input.analysis;
    const usable = helpers.filter((helper) => this.#setsOurVariable(helper));
    const layout = this.layoutOf(file);
    const near =
      usable.find((helper) => helper.file === file) ??
      usable.find(
        (helper) =>
          layout &&
          nameState(layout, { module: helper.module, name: helper.name }, undefined, this.#canonical).kind === 'bound',
      );
    if (near) return near;
    if (this.input.options.helper === 'inline') return null;
    const { home } = this;
    if (home !== 'inline' && this.input.options.helper)
      return usable.find((helper) => helper.module === home.module) ?? null;
    return usable.find((helper) => helper.name === this.input.policy.helper) ?? usable[0] ?? null;
  }

  #setsOurVariable(helper: ContextHelper): boolean {
    const { variable } = helper;
    if (!variable || !this.context) return true;
    return variable.name === this.context.name && variable.module === this.context.module;
  }

  #inline(codemod: CodemodDefinition, name: string, file: string, at: number): Reference {
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read`);
    if (layout.bound.some((binding) => binding.name === name) || isShadowedAt(layout, name, at))
      return refused('name-clash', `${file} already has another ${name}: rename it, or name a module with --helper`);
    const definition = this.#helperDefinition(codemod, name, file, at);
    if ('refusal' in definition) return definition;
    return { name, needs: [...definition.needs, { kind: 'definition', file, definition: definition.request, at }] };
  }

  /** The text of the helper as this file would hold it, with what it needs itself. */
  #helperDefinition(
    codemod: CodemodDefinition,
    name: string,
    file: string,
    at: number,
  ): { request: DefinitionRequest; needs: Need[] } | Refused {
    const references = [this.refer(file, this.context, at)];
    const trace = this.wantsTrace ? this.trace : null;
    if (trace) references.push(this.refer(file, trace.variable, at), this.refer(file, trace.generator, at));
    for (const symbol of codemod.helper!.imports) references.push(this.refer(file, symbol, at));
    const names: string[] = [];
    const needs: Need[] = [];
    for (const reference of references) {
      if ('refusal' in reference) return reference;
      names.push(reference.name);
      needs.push(...reference.needs);
    }
    const text = codemod.helper!.render({
      helper: name,
      contextVariable: names[0]!,
      trace: trace ? { variable: names[1]!, generator: names[2]! } : null,
    });
    return { request: { name, text, blankLines: 2, after: names }, needs };
  }

  #inModule(codemod: CodemodDefinition, name: string, module: string, file: string, at: number): Reference {
    const home = this.input.resolveModule(module);
    if (home === file) return this.#inline(codemod, name, file, at);
    const here = this.#importable(file, { module, name }, at, home);
    if ('refusal' in here) return here;
    if (home === null) {
      const created = this.newModule(codemod, name, module);
      return 'refusal' in created ? created : here;
    }
    const inside = this.#inline(codemod, name, home, Number.MAX_SAFE_INTEGER);
    if ('refusal' in inside) return inside;
    return { name: here.name, needs: [...here.needs, ...inside.needs] };
  }

  #importable(file: string, symbol: SymbolRef, at: number, home: string | null): Reference {
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read`);
    if (layout.bound.some(({ name }) => name === symbol.name) || isShadowedAt(layout, symbol.name, at))
      return refused('name-clash', `${file} already has another ${symbol.name}: rename it first`);
    const leads = home ? [home] : this.#contextFiles();
    if (makesCycle(this.input, file, leads))
      return refused(
        'import-cycle',
        `importing ${symbol.module} here would make an import cycle: name another module with --helper`,
      );
    return { name: symbol.name, needs: [{ kind: 'import', file, ...symbol, at }] };
  }

  #contextFiles(): string[] {
    const modules = [this.context?.module, this.wantsTrace ? this.trace?.variable.module : undefined];
    return modules.flatMap((module) => (module ? (this.input.resolveModule(module) ?? []) : []));
  }

  /** The text of a module that holds nothing but the helper. */
  newModule(codemod: CodemodDefinition, name: string, module: string): { file: string; text: string } | Refused {
    if (!this.context) return refused('no-context-variable', this.#contextProblem);
    const trace = this.wantsTrace ? this.trace : null;
    const symbols = [this.context, ...(trace ? [trace.variable, trace.generator] : [])];
    const body = codemod.helper!.render({
      helper: name,
      contextVariable: this.context.name,
      trace: trace ? { variable: trace.variable.name, generator: trace.generator.name } : null,
    });
    const lines = [importLines(codemod.helper!.imports), importLines(symbols)].filter((block) => block !== '');
    const text = `"""The project id for the tasks of background loops."""\n\n${lines.join('\n\n')}\n\n\n${body}\n`;
    return { file: this.input.newModuleFile(module), text };
  }
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

/** What stands in a function is looked up when it runs; anything else needs its names above it. */
export function importTimeLimit(layout: ModuleLayout, at: number): number {
  const inFunction = layout.scopes.some(({ extent }) => extent.start <= at && at < extent.end);
  return inFunction ? layout.length : at;
}
