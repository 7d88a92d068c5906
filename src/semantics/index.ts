/** The semantics room: scopes, values, modules, constants. */

export { wholeValue } from './aliases.ts';
export { objectsAnew } from './anew.ts';
export { sequenceOf } from './arguments.ts';
export { modulesStoring } from './attribute-stores.ts';
export { classMember, isSetter, lineage, ownInit } from './classes.ts';
export { fieldOf } from './constructions.ts';
export {
  dispatched,
  isAbstract,
  mayBeOfHeir,
  methodClass,
  overridden,
  realSelf,
  superMethod,
} from './dispatch.ts';
export { placesOf } from './element-places.ts';
export { elementsOf } from './elements.ts';
export { Evaluator } from './evaluate.ts';
export { isModelDecorator } from './fields.ts';
export type { FileAnswers } from './file-answers.ts';
export { argumentThrough, Folder, type Frame, frameOf, isTimedelta, NO_FRAME, roundPython } from './fold.ts';
export { argumentFor } from './given.ts';
export { isTestedBy } from './guards.ts';
export { givenFor, handedValues } from './handed.ts';
export { heirsSoFar, membersOfHeirs, methodsOfHeirs } from './heirs.ts';
export { putInside } from './inside-others.ts';
export type { LibraryTable } from './libraries.ts';
export {
  attributeLoadsOf,
  callsOf,
  callsWithin,
  functionAround,
  indexIn,
  loadsOf,
  loadsOfCode,
  methodsOf,
  perModule,
  push,
} from './lookups.ts';
export { type FramedPlace, mappingOf } from './mapping.ts';
export { Memory } from './memory.ts';
export { type Loaded, ModuleGraph } from './modules.ts';
export { isSetByOthers } from './open-fields.ts';
export { boundAt, findScope, reaching, usesOf } from './reaching.ts';
export { frameOfCall } from './receivers.ts';
export { type Replacement, replacementsOf } from './replacements.ts';
export { isDispatching, returnsOf } from './returns.ts';
export * from './scopes.ts';
export type { Container, Heirs } from './shared.ts';
export { parseOnce, type Source, syntaxFault } from './source.ts';
export * from './values.ts';
