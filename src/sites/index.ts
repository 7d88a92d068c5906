/** The sites room: spawn sites, their targets and the facts about them. */
export { type Analysed, analyse, type AnalyseOptions } from './analyse.ts';
export { buildTable } from './table.ts';
export type { Project } from './project.ts';
