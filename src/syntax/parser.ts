import type { Module } from './ast.ts';
import { StatementParser } from './statements.ts';
import { tokenize } from './tokenizer.ts';

export { PythonSyntaxError } from './errors.ts';

/**
 * Parses one Python file: the grammars of 3.8 to 3.14 together.
 *
 * @param text - the decoded source, without a BOM.
 * @throws PythonSyntaxError at the first error that CPython's tokenizer or parser would raise.
 */
export function parseModule(text: string): Module {
  return new StatementParser(text, tokenize(text)).module();
}
