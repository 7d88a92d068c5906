/** The syntax room: source text in, tree or syntax error out. */
export * from './ast.ts';
export { PythonSyntaxError, parseModule } from './parser.ts';
export { surelyParses } from './recognise/index.ts';
export { decodePython, LineIndex, SourceEncodingError } from './text.ts';
export { childrenOf, descendants, encloses, isSuper, lastNameOf, nodesBelow } from './walk.ts';
