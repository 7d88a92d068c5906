/** The edit room: edits in, text or a unified diff out. Knows nothing of Python's grammar. */
export * from './build.ts';
export * from './edits.ts';
export * from './hunks.ts';
export * from './imports.ts';
export * from './module-lines.ts';
export * from './unified.ts';
