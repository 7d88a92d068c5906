import type { HelperNames } from '../../src/engine/contracts.ts';

/** What a helper calls its own: with underscores behind it where the file means something by that name which the helper uses. */
export function ownNames({ contextVariable, trace, imports }: HelperNames): (name: string) => string {
  const used = [contextVariable, trace?.variable, trace?.generator, ...imports];
  const taken = new Set(used.map((name) => name?.split('.', 1)[0]));
  const own = (name: string): string => (taken.has(name) ? own(`${name}_`) : name);
  return own;
}
