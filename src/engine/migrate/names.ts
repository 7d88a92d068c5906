/** What a file calls a module-level name of the project, and what it must import or define for that. */
import { type DefinitionRequest, type ImportRequest, isShadowedAt, nameState } from '../../edit/index.ts';
import type { ModuleLayout } from '../../model/index.ts';
import type { ModuleName, Reference, SymbolRef } from '../contracts.ts';
import { makesCycle } from './cycles.ts';
import { type MigrateInput, refused } from './types.ts';

/** The names of one run; pure questions, the answers carry their needs. */
export class Names {
  readonly context: SymbolRef | null;
  readonly trace: { variable: SymbolRef; generator: SymbolRef } | null;
  /** Why there is no context variable. */
  readonly contextProblem: string;
  /** Why no trace id can be put. */
  readonly traceProblem: string;
  readonly #canonical: (name: ImportRequest) => ImportRequest;

  constructor(
    readonly input: MigrateInput,
    readonly layoutOf: (file: string) => ModuleLayout | null,
  ) {
    const { policy, options } = input;
    const context = this.#variable(options.contextVariable ?? null, policy.contextVariable);
    this.context = context.symbol;
    this.contextProblem = context.problem;
    const { symbol: trace, problem } = this.#variable(options.traceVariable ?? null, policy.traceVariable, {
      beside: `, and a function ${policy.traceGenerator} beside it`,
      choice: 'traceVariable and traceGenerator in the policy',
    });
    this.#canonical = (name) =>
      name.name === null || !input.canonical ? name : input.canonical({ module: name.module, name: name.name });
    const generator = trace && { module: trace.module, name: policy.traceGenerator };
    const isThere = generator !== null && this.#isDefined(generator);
    this.trace = isThere ? { variable: trace!, generator } : null;
    this.traceProblem =
      generator && !isThere
        ? `${generator.module} defines no ${generator.name}, which makes one: define it there, or name yours as traceGenerator in the policy`
        : problem;
  }

  /** Does every file of the module have the name? One that was not read may. */
  #isDefined(symbol: SymbolRef): boolean {
    const files = [...this.input.sources.values()].filter(({ module }) => module === symbol.module);
    return files.every(({ file }) => this.#has(file, symbol));
  }

  #has(file: string, symbol: ModuleName): boolean {
    const bound = this.layoutOf(file)?.bound;
    if (!bound || bound.some(({ name }) => name === symbol.name || name === '__getattr__')) return true;
    // what a star import brings leads on to where it is defined
    return this.#canonical(symbol).module !== symbol.module;
  }

  #variable(
    given: SymbolRef | null,
    name: string,
    { beside, choice } = { beside: '', choice: `--context-var ${this.#others(name) || 'MODULE:NAME'}` },
  ): { symbol: SymbolRef | null; problem: string } {
    if (given) return { symbol: given, problem: '' };
    const found = this.input.analysis.contextVariables.filter((variable) => variable.name === name);
    const context = this.context;
    // services of one repository may each have their own in a module of one name: an import finds the right one
    const isOne = new Set(found.map(({ module }) => module)).size === 1;
    const chosen = isOne ? found[0] : context && found.find(({ module }) => module === context.module);
    if (chosen) return { symbol: { module: chosen.module, name }, problem: '' };
    const places = found.map(({ module }) => `${module}:${name}`).join(', ');
    const problem =
      found.length === 0
        ? `the project defines no context variable ${name}: define one (\`${name} = ContextVar("${name}", default="")\`)${beside}, or name yours with ${choice}`
        : `several modules define ${name} (${places}): choose one with ${choice}`;
    return { symbol: null, problem };
  }

  /** What the project has in the place of the usual variable. */
  #others(name: string): string {
    const others = this.input.analysis.contextVariables.filter((variable) => variable.name !== name);
    return [...new Set(others.map((variable) => `${variable.module}:${variable.name}`))].join(' or ');
  }

  /** Is the name bound in this file, free, or taken? Re-exports count as the name that they pass on. */
  stateIn(layout: ModuleLayout, symbol: ModuleName, limit = layout.length): ReturnType<typeof nameState> {
    return nameState(layout, symbol, limit, this.#canonical);
  }

  /** How a module-level name is written at an offset of a file. */
  refer(file: string, symbol: ModuleName | null, at: number): Reference {
    if (!symbol) return refused('no-context-variable', this.contextProblem);
    const target = this.input.resolveModule(symbol.module, file);
    const reference = this.importable(file, symbol, at, target ? [target] : []);
    if ('refusal' in reference || reference.needs.length === 0 || target === null) return reference;
    if (target === file)
      return refused('no-context-variable', `${file} is expected to define ${symbol.name} and does not`);
    if (symbol.name !== null && !this.#has(target, symbol))
      return refused(
        'no-definition',
        `${target} defines no ${symbol.name}: define it there, or name yours in the policy`,
      );
    return reference;
  }

  /**
   * As `refer`, for a module that need not be there yet.
   * @param leads The files that importing it leads to.
   */
  importable(file: string, symbol: ModuleName, at: number, leads: readonly string[]): Reference {
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read, so nothing can be imported there`);
    const state = this.stateIn(layout, symbol, importTimeLimit(layout, at));
    const local = state.kind === 'bound' ? state.as : (symbol.name ?? symbol.module.split('.')[0]!);
    if (state.kind === 'taken')
      return refused('name-clash', `${file} already binds ${local} to something else: rename one of the two`);
    if (isShadowedAt(layout, local, at))
      return refused('name-clash', `a function around this place binds ${local} itself: rename that name`);
    if (state.kind === 'bound') return { name: local, needs: [] };
    if (makesCycle(this.input, file, leads))
      return refused(
        'import-cycle',
        `importing ${symbol.module} here would make an import cycle: move ${local} to a module that imports nothing of the project`,
      );
    return { name: local, needs: [{ kind: 'import', file, ...symbol, at }] };
  }

  /** Bring a definition to a file, unless it is there already or imported under that name. */
  define(file: string, definition: DefinitionRequest, at: number): Reference {
    const layout = this.layoutOf(file);
    if (!layout) return refused('no-definition', `${file} was not read, so nothing can be defined there`);
    if (isShadowedAt(layout, definition.name, at))
      return refused('name-clash', `a function around this place binds ${definition.name} itself: rename that name`);
    const bound = layout.bound.filter(({ name }) => name === definition.name);
    if (bound.length === 0) return { name: definition.name, needs: [{ kind: 'definition', file, definition, at }] };
    const [only] = bound;
    const imported = only!.from?.name === definition.name;
    if (bound.length === 1 && !only!.conditional && (imported || sameText(only!.value, assignedText(definition.text))))
      return { name: definition.name, needs: [] };
    return refused('name-clash', `${file} already binds ${definition.name} to something else: rename one of the two`);
  }
}

/** What a definition binds: the whole function, or the value of an assignment. */
export const assignedText = (text: string): string =>
  text.startsWith('def ') ? text : text.slice(text.indexOf('=') + 1);

/** Equal but for layout: blanks, line ends, the kind of quotes. */
export function sameText(a: string | null, b: string): boolean {
  const normal = (text: string) => text.replace(/\s+/g, '').replaceAll("'", '"');
  return a !== null && normal(a) === normal(b);
}

/** What stands in a function is looked up when it runs; anything else needs its names above it. */
export function importTimeLimit(layout: ModuleLayout, at: number): number {
  const inFunction = layout.scopes.some(({ extent }) => extent.start <= at && at < extent.end);
  return inFunction ? layout.length : at;
}
