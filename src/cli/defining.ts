/** Files that may define context variables, for projects whose spawning files import none. */
import type { SymbolRef } from '../engine/contracts.ts';
import type { FileSystem } from '../io/files.ts';
import type { ContextVariable } from '../model/index.ts';
import type { ModuleScopes } from '../semantics/index.ts';
import type { Analysed } from '../sites/index.ts';
import { Trouble } from './trouble.ts';

/** The files that make a context variable, going by their text; one that cannot be read makes none. */
export function mayDefineVariables(fs: FileSystem, files: readonly string[]): string[] {
  return files.filter((file) => {
    try {
      const bytes = fs.read(file);
      return bytes !== null && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('ContextVar(');
    } catch {
      return false;
    }
  });
}

/**
 * @param bases - what the module may be found from.
 * @throws Trouble when the module of the context variable is neither in the project nor can be a library's.
 */
export function mustBeThere({ module, name }: SymbolRef, { project, analysis }: Analysed, bases: ModuleScopes[]): void {
  const { graph } = project;
  const [top] = module.split('.', 1);
  const isProjects = bases.some((base) => graph.load(base, 0, top!) !== null);
  const ours = analysis.contextVariables;
  const isElsewhere = ours.some((v) => v.name === name);
  if ((!isProjects && !isElsewhere) || isImported(graph.modules(), module)) return;
  throw new Trouble(
    `the project has no module ${module}, which --context-var or context-var names`,
    ours.length
      ? `its context variables are ${listed(ours)}`
      : `make it, and define the variable there (${definitionOf(name)})`,
  );
}

const listed = (variables: readonly ContextVariable[]): string =>
  variables.map((v) => `${v.module}:${v.name}`).join(', ');
const definitionOf = (name: string): string => `\`${name} = ContextVar("${name}", default="")\``;

function isImported(modules: Iterable<ModuleScopes>, name: string): boolean {
  return [...modules].some(({ scope, stars }) =>
    [...[...scope.bindings.values()].flat(), ...stars].some(
      (b) => 'module' in b && (b.module === name || b.module?.startsWith(`${name}.`)),
    ),
  );
}

/** @throws Trouble when the module that is said to define the context variable cannot have it. */
export function mustDefine(module: ModuleScopes, name: string, variables: readonly ContextVariable[]): void {
  const { bindings } = module.scope;
  if (bindings.has(name) || bindings.has('__getattr__') || module.stars.length) return;
  const here = variables.filter((v) => v.file === module.file);
  const named = variables.filter((v) => v.name === name);
  throw new Trouble(
    `${module.file} defines no ${name}, which --context-var or context-var names`,
    here.length
      ? `it defines ${listed(here)}`
      : named.length
        ? `the project has ${listed(named)}`
        : `define it there (${definitionOf(name)})`,
  );
}
