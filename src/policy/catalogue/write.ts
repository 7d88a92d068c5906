/** What writes catalogues. Loads the table of character widths: import it only where something is written. */
export { type InitOptions, initCatalogue } from './init.ts';
export { type SyncOptions, type SyncResult, syncCatalogue } from './sync.ts';
