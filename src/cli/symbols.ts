/** Python names that the user writes: a module for the helper, and where the context variable is. */
import type { SymbolRef } from '../engine/contracts.ts';

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*';
const MODULE = `${NAME}(?:\\.${NAME})*`;
const ONE_MODULE = new RegExp(`^${MODULE}$`, 'u');
const ONE_SYMBOL = new RegExp(`^(${MODULE}):(${NAME})$`, 'u');

/** What is expected of a context variable, and of a helper's home. */
export const SYMBOL_EXPECTED = 'MODULE:NAME';
export const SYMBOL_EXAMPLE = 'for example src.core.context:project_id_ctx_var';
export const HELPER_EXPECTED = '"inline" or a dotted module name';

/** `src.core.context:project_id_ctx_var`; null when it is not written so. */
export function symbolIn(text: string): SymbolRef | null {
  const found = ONE_SYMBOL.exec(text);
  return found && { module: found[1]!, name: found[2]! };
}

/** null when it is neither `inline` nor a module. */
export function helperIn(text: string): 'inline' | { module: string } | null {
  if (text === 'inline') return 'inline';
  return ONE_MODULE.test(text) ? { module: text } : null;
}
