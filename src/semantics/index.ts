/** The semantics room: scopes, values, modules, constants. */
export { lineage, classMember, ownBindings } from './classes.ts';
export { placesOf, elementsOf } from './elements.ts';
export { Evaluator } from './evaluate.ts';
export { argumentFor, Folder, type Folded, type Frame, isTimedelta, NO_FRAME, returnsOf } from './fold.ts';
export { canonicalName, type LibraryTable } from './libraries.ts';
export { type Loaded, ModuleGraph } from './modules.ts';
export { findScope, reaching } from './reaching.ts';
export * from './scopes.ts';
export { parseSource, readSource, type Source } from './source.ts';
export * from './values.ts';
