/** `migrate -i`: asks for each site; yes, no, all that follow, quit, or suppress the finding with a reason. */
import { createInterface } from 'node:readline/promises';
import { filePlan } from '../engine/migrate/assemble.ts';
import type { MigrationPlan, PlannedSite } from '../engine/migrate/types.ts';
import type { Edit } from '../model/index.ts';
import { printable } from '../report/escape.ts';
import type { Run } from './define.ts';
import { type MigrateCliOptions, type Planned, planned } from './migrate-plan.ts';
import type { Migration } from './migration.ts';

interface Answers {
  wanted: Set<string>;
  suppressed: { site: PlannedSite; reason: string }[];
}

export async function choose(
  all: Planned,
  migration: Migration,
  options: MigrateCliOptions,
  run: Run,
): Promise<Planned> {
  const { wanted, suppressed } = await ask(all.plan.sites, run);
  const decisions = migration.input.decisions.filter((d) => wanted.has(d.site.id));
  const reanalyse: Migration['reanalyse'] = (overlay) => {
    const again = migration.reanalyse(overlay);
    return { ...again, decisions: again.decisions.filter((d) => wanted.has(d.site.id)) };
  };
  const { plan, problems } = planned({ ...migration, input: { ...migration.input, decisions }, reanalyse }, options);
  return { plan: withSuppressions(plan, migration, suppressed), problems };
}

async function ask(sites: readonly PlannedSite[], run: Run): Promise<Answers> {
  const answers: Answers = { wanted: new Set(), suppressed: [] };
  const lines = createInterface({ input: process.stdin });
  const next = lines[Symbol.asyncIterator]();
  const read = async (prompt: string): Promise<string> => {
    run.streams.err(prompt);
    const line = await next.next();
    return line.done ? 'q' : String(line.value).trim();
  };
  try {
    for (const [i, site] of sites.entries()) {
      const { file, line } = site.site.range;
      const what = `${printable(file)}:${line}: ${printable(site.site.argument)} → ${site.projectIds.join(', ')}${site.trace ? ' + trace id' : ''}`;
      const answer = (
        await read(`[${i + 1}/${sites.length}] ${what}\n  tag it? [y]es [n]o [a]ll [q]uit [s]uppress: `)
      ).toLowerCase()[0];
      if (answer === 'q') break;
      if (answer === 'a') {
        for (const rest of sites.slice(i)) answers.wanted.add(rest.site.id);
        break;
      }
      if (answer === 'y') answers.wanted.add(site.site.id);
      if (answer === 's') {
        const reason = await read('  reason: ');
        if (reason && reason !== 'q') answers.suppressed.push({ site, reason });
      }
    }
  } finally {
    lines.close();
  }
  return answers;
}

/** Adds the comments above the statements of the sites that are left as they are. */
function withSuppressions(plan: MigrationPlan, migration: Migration, suppressed: Answers['suppressed']): MigrationPlan {
  if (!suppressed.length) return plan;
  const byFile = new Map<string, Edit[]>();
  for (const { site, reason } of suppressed) {
    const { file } = site.site.range;
    const text = migration.input.sources.get(file)!.text;
    const start = lineStart(text, site.site.shape.statement.start);
    const indent = /^[\t\f ]*/.exec(text.slice(start))![0];
    const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
    const comment = `${indent}# looptag: ignore[untagged-loop] -- ${reason.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')}${eol}`;
    byFile.set(file, [...(byFile.get(file) ?? []), { file, start, end: start, text: comment, order: -1 }]);
  }
  const files = plan.files.map((f) => {
    const more = byFile.get(f.file) ?? [];
    byFile.delete(f.file);
    const own = f.edits.filter((e) => !f.shared.includes(e));
    return more.length ? filePlan(migration.input.sources.get(f.file)!, [...own, ...more], f.shared) : f;
  });
  for (const [file, edits] of byFile) files.push(filePlan(migration.input.sources.get(file)!, edits, []));
  return { ...plan, files };
}

function lineStart(text: string, offset: number): number {
  let i = offset;
  while (i > 0 && text[i - 1] !== '\n' && text[i - 1] !== '\r') i--;
  return i;
}
