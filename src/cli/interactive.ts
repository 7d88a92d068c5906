/** `migrate -i`: asks for each site; yes, no, all that follow, quit, or suppress the finding with a reason. */
import { createInterface } from 'node:readline/promises';
import { filePlan } from '../engine/migrate/assemble.ts';
import { afterPlan, joined } from '../engine/migrate/convert.ts';
import { leaveAfter, placeKey } from '../engine/migrate/places.ts';
import type { Proven } from '../engine/migrate/prove.ts';
import type { FilePlan, MigrateSource, MigrationPlan, PlannedSite } from '../engine/migrate/types.ts';
import { verifyPlan } from '../engine/migrate/verify.ts';
import type { Edit } from '../model/index.ts';
import { printable } from '../report/escape.ts';
import { SourceEncodingError } from '../syntax/text.ts';
import type { Run } from './define.ts';
import { type MigrateCliOptions, planned, verificationTools } from './migrate-plan.ts';
import type { Migration } from './migration.ts';
import { Trouble } from './trouble.ts';

interface Answers {
  wanted: Set<string>;
  suppressed: { site: PlannedSite; reason: string }[];
}

/** Asks for each site of the plan, and plans and proves what the user said yes to. */
export async function choose(all: Proven, migration: Migration, options: MigrateCliOptions, run: Run): Promise<Proven> {
  const sites = [...new Map(all.plan.sites.map((site) => [placeKey(site.site.range), site])).values()];
  const { wanted, suppressed } = await ask(sites, verbOf(options), run);
  const unwanted = sites.map(({ site }) => placeKey(site.range)).filter((key) => !wanted.has(key));
  const input = { ...migration.input, leave: new Map(unwanted.map((key) => [key, null])) };
  if (suppressed.length === 0) return planned({ ...migration, input }, options);
  return withSuppressions({ ...migration, input }, suppressed, options);
}

const verbOf = (options: MigrateCliOptions): string => (options.revert ? 'take its tag out' : 'tag it');

async function ask(sites: readonly PlannedSite[], verb: string, run: Run): Promise<Answers> {
  const answers: Answers = { wanted: new Set(), suppressed: [] };
  const lines = createInterface({ input: process.stdin });
  const next = lines[Symbol.asyncIterator]();
  const read = async (prompt: string): Promise<string | null> => {
    run.streams.trouble(prompt);
    const line = await next.next();
    return line.done ? null : String(line.value).trim();
  };
  const question = `  ${verb}? [y]es [n]o [a]ll [q]uit [s]uppress: `;
  try {
    for (const [i, site] of sites.entries()) {
      const answer = await oneOf('ynaqs', `[${i + 1}/${sites.length}] ${described(site)}\n${question}`, question, read);
      if (answer === 'q') break;
      if (answer === 'a') for (const rest of sites.slice(i)) answers.wanted.add(placeKey(rest.site.range));
      if (answer === 'a') break;
      if (answer === 'y') answers.wanted.add(placeKey(site.site.range));
      if (answer !== 's') continue;
      const reason = await given('  reason: ', read);
      if (reason === null) break;
      answers.suppressed.push({ site, reason });
    }
  } finally {
    lines.close();
  }
  return answers;
}

type Read = (prompt: string) => Promise<string | null>;

/** The first letter of an answer that is one of the letters; the end of the input quits. */
async function oneOf(letters: string, first: string, again: string, read: Read): Promise<string> {
  for (let prompt = first; ; prompt = again) {
    const line = await read(prompt);
    if (line === null) return 'q';
    const letter = line.toLowerCase()[0];
    if (letter && letters.includes(letter)) return letter;
  }
}

/** A suppression is nothing without its reason. */
async function given(prompt: string, read: Read): Promise<string | null> {
  for (;;) {
    const line = await read(prompt);
    if (line === null || line !== '') return line;
  }
}

function described({ site, projectIds, trace }: PlannedSite): string {
  const ids = projectIds.length > 0 ? ` → ${projectIds.join(', ')}` : '';
  return `${printable(site.range.file)}:${site.range.line}: ${printable(site.argument)}${ids}${trace ? ' + trace id' : ''}`;
}

/** The comments come first; what is wanted is planned and proven on the files with them. */
function withSuppressions(migration: Migration, suppressed: Answers['suppressed'], options: MigrateCliOptions): Proven {
  const { input, reanalyse } = migration;
  const comments = commentsPlan(migration, suppressed);
  const problems = verifyPlan(comments, input, { compile: verificationTools(migration, options).compile });
  const overlay = afterPlan(comments);
  const again = { ...reanalyse(overlay), leave: leaveAfter(input.leave, comments.files) };
  const step: Migration = {
    ...migration,
    input: again,
    reanalyse: (more) => reanalyse(new Map([...overlay, ...more])),
  };
  const rest = planned(step, options);
  return { plan: joined(comments, rest.plan, input), problems: [...problems, ...rest.problems] };
}

/** Comments above the statements of the sites that are left as they are. */
function commentsPlan(migration: Migration, suppressed: Answers['suppressed']): MigrationPlan {
  const byFile = new Map<string, Edit[]>();
  for (const { site, reason } of suppressed) {
    const { file } = site.site.range;
    const text = migration.input.sources.get(file)!.text;
    const start = lineStart(text, site.site.shape.statement.start);
    const indent = /^[\t\f ]*/.exec(text.slice(start))![0];
    const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
    const comment = `${indent}# looptag: ignore[untagged-loop] -- ${reason.replaceAll(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')}${eol}`;
    byFile.set(file, [...(byFile.get(file) ?? []), { file, start, end: start, text: comment }]);
  }
  const files = [...byFile].map(([file, edits]) => commented(migration.input.sources.get(file)!, edits));
  return { method: 'suppress', sites: [], files, newFiles: [], skipped: [], notes: [], limits: [] };
}

function commented(source: MigrateSource, edits: readonly Edit[]): FilePlan {
  try {
    return filePlan(source, edits, []);
  } catch (error) {
    if (!(error instanceof SourceEncodingError)) throw error;
    throw new Trouble(
      `the encoding of ${source.file} cannot hold the reason: ${error.message}`,
      'give it in plain letters; nothing was changed',
    );
  }
}

function lineStart(text: string, offset: number): number {
  let i = offset;
  while (i > 0 && text[i - 1] !== '\n' && text[i - 1] !== '\r') i--;
  return i;
}
