/** From one way of tagging to another: the old tags are taken out, the project is analysed anew, and migrated the new way. */

import { planMigration } from './plan.ts';
import { planRevert } from './revert.ts';
import type { FilePlan, MigrateInput, MigrationPlan } from './types.ts';
import { overlayOf, type VerificationProblem, type VerificationTools, verifyPlan } from './verify.ts';

export interface Conversion {
  /** Both steps, each with the project that it starts from. */
  steps: { plan: MigrationPlan; input: MigrateInput }[];
  /** What is to be written: the files from before the first step to after the last. */
  plan: MigrationPlan;
}

/**
 * Plan the change of tags to `input.options.method`.
 * @param reanalyse Analyse and decide anew with some files replaced.
 */
export function planConversion(
  input: MigrateInput,
  reanalyse: (overlay: ReadonlyMap<string, Uint8Array>) => MigrateInput,
): Conversion {
  const { method } = input.options;
  const old = input.decisions.filter(({ site, target }) => {
    const tag = target?.tag ?? site.tag;
    return tag != null && tag.via !== method;
  });
  const revert = planRevert({ ...input, decisions: old });
  const bare = reanalyse(overlayOf(revert));
  const forward = planMigration(bare);
  const steps = [
    { plan: revert, input },
    { plan: forward, input: bare },
  ];
  return { steps, plan: joined(revert, forward) };
}

/** Verify every step on the project that it starts from. */
export function verifyConversion({ steps }: Conversion, tools: VerificationTools = {}): VerificationProblem[] {
  return steps.flatMap(({ plan, input }, index) => verifyPlan(plan, input, index === steps.length - 1 ? tools : {}));
}

function joined(first: MigrationPlan, second: MigrationPlan): MigrationPlan {
  const before = new Map(first.files.map((file) => [file.file, file]));
  const after = new Map(second.files.map((file) => [file.file, file]));
  const files = [...new Set([...before.keys(), ...after.keys()])].sort();
  const deleted = (first.deletedFiles ?? []).filter(
    (file) => !second.newFiles.some((created) => created.file === file),
  );
  return {
    ...second,
    files: files
      .map((file) => spanning(before.get(file), after.get(file)))
      .filter((file) => file.text !== file.newText),
    deletedFiles: deleted,
    skipped: [...first.skipped, ...second.skipped],
    notes: [...new Set([...first.notes, ...second.notes])],
  };
}

/** One edit from the first differing character to the last. */
function spanning(first: FilePlan | undefined, second: FilePlan | undefined): FilePlan {
  const { file, text, bytes } = (first ?? second)!;
  const { newText, newBytes } = (second ?? first)!;
  let start = 0;
  while (start < text.length && text[start] === newText[start]) start++;
  let tail = 0;
  while (tail < Math.min(text.length, newText.length) - start && text.at(-1 - tail) === newText.at(-1 - tail)) tail++;
  const edit = { file, start, end: text.length - tail, text: newText.slice(start, newText.length - tail) };
  return { file, edits: [edit], shared: [], text, newText, bytes, newBytes };
}
