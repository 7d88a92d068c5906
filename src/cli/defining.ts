/** Files that may define context variables, for projects whose spawning files import none. */
import type { FileSystem } from '../io/files.ts';
import type { ContextVariable } from '../model/index.ts';
import type { ModuleScopes } from '../semantics/index.ts';
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

/** @throws Trouble when the module that is said to define the context variable cannot have it. */
export function mustDefine(module: ModuleScopes, name: string, variables: readonly ContextVariable[]): void {
  const { bindings } = module.scope;
  if (bindings.has(name) || bindings.has('__getattr__') || module.stars.length) return;
  const others = variables.filter((v) => v.file === module.file).map((v) => `${v.module}:${v.name}`);
  throw new Trouble(
    `${module.file} defines no ${name}, which --context-var or context-var names`,
    others.length
      ? `it defines ${others.join(', ')}`
      : `define it there (\`${name} = ContextVar("${name}", default="")\`)`,
  );
}
