/** The proof that stands before any write. */
import { applyEdits, invertEdits, placeEdits } from '../../edit/index.ts';
import { PythonSyntaxError, parseModule } from '../../syntax/index.ts';
import { decodePython, LineIndex, SourceEncodingError, spliceEncoded } from '../../syntax/text.ts';
import { compareTrees } from './compare-trees.ts';
import { planMigration } from './plan.ts';
import type { FilePlan, MigrateInput, MigrateSource, MigrationPlan } from './types.ts';

export interface VerificationProblem {
  file: string;
  line: number | null;
  message: string;
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
  if (problems.length > 0) return problems;
  const overlay = overlayOf(plan);
  if (overlay.size === 0) return [];
  problems.push(...(tools.compile?.([...overlay].map(([file, bytes]) => ({ file, bytes }))) ?? []));
  if (problems.length === 0 && tools.reanalyse) problems.push(...secondPass(plan, tools.reanalyse(overlay)));
  return problems;
}

/** The bytes of every file that the plan writes. */
export function overlayOf(plan: MigrationPlan): Map<string, Uint8Array> {
  const changed = plan.files.map(({ file, newBytes }): [string, Uint8Array] => [file, newBytes]);
  const created = plan.newFiles.map(({ file, text }): [string, Uint8Array] => [file, new TextEncoder().encode(text)]);
  return new Map([...changed, ...created]);
}

function verifyFile(file: FilePlan, source: MigrateSource): VerificationProblem[] {
  const problem = (message: string, line: number | null = null) => [{ file: file.file, line, message }];
  const parsed = parseProblems(file.file, file.newText);
  if (parsed.length > 0) return parsed;
  const difference = compareTrees(source.tree, parseModule(file.newText), placeEdits(file.edits, file.text.length));
  if (difference)
    return problem(
      `the tree differs where nothing was to change: ${difference.what}`,
      lineOf(file.newText, difference.offset),
    );
  return bytesProblem(file, source).flatMap((message) => problem(message));
}

function bytesProblem(file: FilePlan, source: MigrateSource): string[] {
  try {
    const decoded = decodePython(file.newBytes);
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

function secondPass(plan: MigrationPlan, input: MigrateInput): VerificationProblem[] {
  const again = planMigration(input);
  const problems = again.sites.map(({ site }) => ({
    file: site.range.file,
    line: site.range.line,
    message: `a second pass would change ${site.argument} again`,
  }));
  const shiftOf = shiftsOf(plan);
  const byPlace = new Map(
    [...input.analysis.sites, ...(input.analysis.forwarders ?? [])].map((s) => [
      `${s.range.file}\0${s.range.start}`,
      s,
    ]),
  );
  for (const { site, projectIds: wanted } of plan.sites) {
    const { file, start } = site.range;
    const found = byPlace.get(`${file}\0${start + shiftOf(file, start)}`);
    const tags = [...(found?.targets.map(({ tag }) => tag) ?? []), found?.tag];
    const seen = tags.flatMap((tag) => (tag ? [tag.projectId] : []));
    if (found && !wanted.every((id) => seen.includes(id)))
      problems.push({
        file: site.range.file,
        line: found.range.line,
        message: `a new analysis sees ${seen.join(', ') || 'no tag'} on ${site.argument}, not ${wanted.join(', ')}`,
      });
    if (!found)
      problems.push({
        file: site.range.file,
        line: site.range.line,
        message: `a new analysis does not find the call that spawns ${site.argument}`,
      });
  }
  return problems;
}

/** How far the edits of a file move an offset of it. */
function shiftsOf(plan: MigrationPlan): (file: string, offset: number) => number {
  const byFile = new Map(
    plan.files.map((file) => {
      let sum = 0;
      const steps = placeEdits(file.edits, file.text.length).map((edit) => {
        sum += edit.text.length - (edit.end - edit.start);
        return { end: edit.end, sum };
      });
      return [file.file, steps];
    }),
  );
  return (file, offset) => {
    const steps = byFile.get(file) ?? [];
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (steps[mid]!.end <= offset) low = mid + 1;
      else high = mid;
    }
    return low === 0 ? 0 : steps[low - 1]!.sum;
  };
}
