import type { Need } from '../contracts.ts';
import type { MigrateInput } from './types.ts';

/** Would a new import from `file` to `targets` close a ring that is not there yet? */
export function makesCycle(input: Pick<MigrateInput, 'importsOf'>, file: string, targets: readonly string[]): boolean {
  const present = new Set(input.importsOf(file));
  return targets.some((target) => !present.has(target) && reaches(input, target, file));
}

/** Files with what a plan makes them import. */
type NewImports = Map<string, Set<string>>;

/**
 * The first item whose imports, with those of all items before it, close a ring: each by itself may be harmless.
 * @param needsOf What an item imports where.
 */
export function firstInRing<T>(
  input: Pick<MigrateInput, 'importsOf' | 'resolveModule'>,
  items: readonly T[],
  needsOf: (item: T) => readonly Need[],
): { item: T; module: string } | null {
  const added: NewImports = new Map();
  const importsOf = (file: string): readonly string[] => [...input.importsOf(file), ...(added.get(file) ?? [])];
  for (const item of items) {
    const fresh = needsOf(item).flatMap((need) => {
      const target = need.kind === 'import' ? input.resolveModule(need.module, need.file) : null;
      if (need.kind !== 'import' || !target || target === need.file || added.get(need.file)?.has(target)) return [];
      const known = input.importsOf(need.file).includes(target);
      added.set(need.file, (added.get(need.file) ?? new Set()).add(target));
      return known ? [] : [{ file: need.file, target, module: need.module }];
    });
    const ring = fresh.find(({ file, target }) => reaches({ importsOf }, target, file));
    if (ring) return { item, module: ring.module };
  }
  return null;
}

function reaches(input: Pick<MigrateInput, 'importsOf'>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const queue = [from];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (next === to) return true;
    for (const imported of input.importsOf(next)) {
      if (seen.has(imported)) continue;
      seen.add(imported);
      queue.push(imported);
    }
  }
  return false;
}
