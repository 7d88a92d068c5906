/** `--split class|priority|file --patch-dir DIR`: one patch a pull request. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitPlan } from '../engine/migrate/split.ts';
import type { MigrationPlan, PlannedSite } from '../engine/migrate/types.ts';
import { plural } from '../model/plural.ts';
import { printable } from '../report/escape.ts';
import type { Run } from './define.ts';
import type { MigrateCliOptions } from './migrate-plan.ts';
import type { Migration } from './migration.ts';
import { unwritable } from './trouble.ts';
import type { Workspace } from './workspace.ts';

const GROUPS = {
  class: (site: PlannedSite) => `class-${site.decisions[0]?.class ?? 'none'}`,
  priority: (site: PlannedSite) => site.decisions[0]?.priority ?? 'no-priority',
  file: (site: PlannedSite) => site.site.range.file,
} satisfies Record<NonNullable<MigrateCliOptions['split']>, (site: PlannedSite) => string>;

export function writeSplit(
  w: Workspace,
  plan: MigrationPlan,
  migration: Migration,
  options: MigrateCliOptions,
  run: Run,
): void {
  const dir = options.patchDir!;
  const order = options.split === 'priority' ? w.policy.priorities.map((p) => p.id) : [];
  const { patches, notes } = splitPlan(plan, migration.input.sources, GROUPS[options.split!], order);
  try {
    mkdirSync(dir, { recursive: true });
    patches.forEach((p, i) => {
      const name = `${String(i + 1).padStart(2, '0')}-${p.group.replaceAll(/[^\w.-]+/g, '-')}.patch`;
      writeFileSync(join(dir, name), p.patch);
      run.streams.err(`${name}: ${plural(p.sites.length, 'site')}\n`);
    });
  } catch (e) {
    throw unwritable(dir, e);
  }
  for (const note of notes) run.streams.err(`${printable(note)}\n`);
}
