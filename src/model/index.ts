export * from './catalogue.ts';
export * from './edit.ts';
export * from './finding.ts';
export * from './layout.ts';
export * from './location.ts';
export * from './policy.ts';
export * from './site.ts';
export * from './status.ts';
