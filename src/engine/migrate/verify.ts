/** The proof that stands before any write. */
import { applyEdits, invertEdits, placeEdits } from '../../edit/index.ts';
import type { SpawnSite } from '../../model/index.ts';
import { parseOnce } from '../../semantics/index.ts';
import { PythonSyntaxError, parseModule } from '../../syntax/index.ts';
import { type DecodedSource, decodePython, LineIndex, SourceEncodingError, spliceEncoded } from '../../syntax/text.ts';
import { compareTrees } from './compare-trees.ts';
import { leaveAfter, originsOf, placeKey, shiftsOf } from './places.ts';
import { planMigration } from './plan.ts';
import type { FilePlan, MigrateInput, MigrateSource, MigrationPlan } from './types.ts';

export interface VerificationProblem {
  file: string;
  line: number | null;
  message: string;
  /** Places of the sites whose rewrite is concerned, in the text before the plan; absent: no site in particular. */
  sites?: string[];
  /** Seen by a new analysis of the result, not in a single file. */
  ofAnalysis?: boolean;
}

/** What a verification may ask of the outside. */
export interface VerificationTools {
  /** Compile files with the project's Python; the problems that it reports. Absent: not checked. */
  compile?(files: readonly { file: string; bytes: Uint8Array }[]): VerificationProblem[];
  /** Analyse the project anew with these files in place of those on disk, and decide anew. Absent: not checked. */
  reanalyse?(overlay: ReadonlyMap<string, Uint8Array>): MigrateInput;
}

/**
 * Check a plan: every file parses and compiles, nothing differs but the intended nodes, bytes outside the edits are equal,
 * a second pass finds nothing to do, and a new analysis sees each site tagged as decided.
 * @returns All problems; an empty list is the licence to write.
 */
export function verifyPlan(
  plan: MigrationPlan,
  input: MigrateInput,
  tools: VerificationTools = {},
): VerificationProblem[] {
  const problems = plan.files.flatMap((file) => verifyFile(file, input.sources.get(file.file)!));
  for (const { file, text } of plan.newFiles) problems.push(...parseProblems(file, text));
  if (problems.length > 0) return problems.map((problem) => withSites(problem, plan));
  const overlay = overlayOf(plan);
  if (overlay.size === 0) return [];
  const compiled = tools.compile?.([...overlay].map(([file, bytes]) => ({ file, bytes }))) ?? [];
  if (compiled.length > 0) return compiled.map((problem) => withSites(problem, plan));
  if (!tools.reanalyse) return [];
  const again = { ...tools.reanalyse(overlay), leave: leaveAfter(input.leave, plan.files) };
  return secondPass(plan, input, again);
}

/** A fault of a file concerns all sites that change it. */
function withSites(problem: VerificationProblem, plan: MigrationPlan): VerificationProblem {
  const concerned = plan.sites.filter(({ edits }) => edits.some(({ file }) => file === problem.file));
  return concerned.length > 0 ? { ...problem, sites: concerned.map(({ site }) => placeKey(site.range)) } : problem;
}

/** The bytes of every file that the plan writes. */
export function overlayOf(plan: MigrationPlan): Map<string, Uint8Array> {
  const changed = plan.files.map(({ file, newBytes }): [string, Uint8Array] => [file, newBytes]);
  const created = plan.newFiles.map(({ file, text }): [string, Uint8Array] => [file, new TextEncoder().encode(text)]);
  return new Map([...changed, ...created]);
}

function verifyFile(file: FilePlan, source: MigrateSource): VerificationProblem[] {
  const problem = (message: string, line: number | null = null) => [{ file: file.file, line, message }];
  // the new analysis is given the same bytes, and finds this tree
  const after = parseOnce(file.file, file.newBytes);
  const known = after.tree && after.text === file.newText ? after.tree : null;
  const parsed = known ? [] : parseProblems(file.file, file.newText);
  if (parsed.length > 0) return parsed;
  const tree = known ?? parseModule(file.newText);
  const difference = compareTrees(source.tree, tree, placeEdits(file.edits, file.text.length));
  if (difference)
    return problem(
      `the tree differs where nothing was to change: ${difference.what}`,
      lineOf(file.newText, difference.offset),
    );
  return bytesProblem(file, source, known ? after : null).flatMap((message) => problem(message));
}

function bytesProblem(file: FilePlan, source: MigrateSource, after: DecodedSource | null): string[] {
  try {
    const decoded = after ?? decodePython(file.newBytes);
    const inverse = invertEdits(file.text, file.edits);
    if (decoded.text !== file.newText) return ['the bytes to be written do not decode to the text that was checked'];
    if (applyEdits(file.newText, inverse) !== file.text) return ['the edits cannot be undone'];
    const back = spliceEncoded(file.newBytes, decoded, inverse);
    return Buffer.compare(back, source.bytes) === 0 ? [] : ['bytes outside the edits differ'];
  } catch (error) {
    if (!(error instanceof SourceEncodingError)) throw error;
    return [error.message];
  }
}

function parseProblems(file: string, text: string): VerificationProblem[] {
  try {
    parseModule(text);
    return [];
  } catch (error) {
    if (!(error instanceof PythonSyntaxError)) throw error;
    return [{ file, line: lineOf(text, error.offset), message: `the result does not parse: ${error.message}` }];
  }
}

const lineOf = (text: string, offset: number): number => new LineIndex(text).position(offset).line;

function secondPass(plan: MigrationPlan, before: MigrateInput, input: MigrateInput): VerificationProblem[] {
  const origins = originsOf(
    before.decisions.map(({ site }) => site),
    plan.files,
  );
  const problems = planMigration(input).sites.map(({ site }) =>
    problemOf(site, `a second pass would change ${site.argument} again`, origins.get(placeKey(site.range))),
  );
  const shiftOf = shiftsOf(plan.files);
  const all = [...input.analysis.sites, ...(input.analysis.forwarders ?? [])];
  const byPlace = new Map(all.map((site) => [placeKey(site.range), site]));
  for (const { site, method, projectIds } of plan.sites) {
    const wanted = input.codemods[method]?.carriesId === false ? [] : projectIds;
    const { file, start } = site.range;
    const found = byPlace.get(placeKey({ file, start: start + shiftOf(file, start) }));
    const tags = [...(found?.targets.map(({ tag }) => tag) ?? []), found?.tag];
    const seen = tags.flatMap((tag) => (tag ? [tag.projectId] : []));
    const message = !found
      ? `a new analysis does not find the call that spawns ${site.argument}`
      : !wanted.every((id) => seen.includes(id))
        ? `a new analysis sees ${seen.join(', ') || 'no tag'} on ${site.argument}, not ${wanted.join(', ')}`
        : null;
    if (message) problems.push(problemOf(found ?? site, message, placeKey(site.range)));
  }
  return problems;
}

function problemOf({ range }: SpawnSite, message: string, at: string | undefined): VerificationProblem {
  return { file: range.file, line: range.line, message, ...(at ? { sites: [at] } : {}), ofAnalysis: true };
}
