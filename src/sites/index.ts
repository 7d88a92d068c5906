/** The sites room: spawn sites, their targets and the facts about them. */

export { Memory } from '../semantics/index.ts';
export { type Analysed, type AnalyseOptions, analyse, contextVariables } from './analyse.ts';
export { variableName } from './context.ts';
export {
  FirstLook,
  type LookAt,
  lookedAt,
  lookInTurn,
  type Sought,
  type SyntaxVerdicts,
  type Told,
} from './first-look.ts';
export { findLoggingUse } from './logging.ts';
export type { Project, Question } from './project.ts';
export { packageFolder } from './related.ts';
export { buildTable } from './table.ts';
export type { WordSieve } from './word-sieve.ts';
