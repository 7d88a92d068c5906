/** The syntax room: source text in, tree or syntax error out. */
export * from './ast.ts';
export { parseModule, PythonSyntaxError } from './parser.ts';
export { childrenOf, descendants } from './walk.ts';
