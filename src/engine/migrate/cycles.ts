import type { MigrateInput } from './types.ts';

/** Would a new import from `file` to `targets` close a ring that is not there yet? */
export function makesCycle(input: Pick<MigrateInput, 'importsOf'>, file: string, targets: readonly string[]): boolean {
  const present = new Set(input.importsOf(file));
  return targets.some((target) => !present.has(target) && reaches(input, target, file));
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
