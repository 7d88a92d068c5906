/** From one way of tagging to another: the old tags are taken out, the project is analysed anew, and migrated the new way. */
import type { Decision, SpawnSite } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { leaveAfter, originsOf, placeKey } from './places.ts';
import { planMigration } from './plan.ts';
import { planRevert } from './revert.ts';
import type { FilePlan, LeftAlone, MigrateInput, MigrationPlan, SkippedSite } from './types.ts';
import { overlayOf, type VerificationProblem, type VerificationTools, verifyPlan } from './verify.ts';

interface Conversion {
  /** Both steps, each with the project that it starts from. */
  steps: { plan: MigrationPlan; input: MigrateInput }[];
  /** What is to be written: the files from before the first step to after the last. */
  plan: MigrationPlan;
}

type Step = Conversion['steps'][number];

type Reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) => MigrateInput;

/**
 * Plan the change of tags to `input.options.method`.
 * @param reanalyse Analyse and decide anew with some files replaced.
 */
export function planConversion(input: MigrateInput, reanalyse: Reanalyse): Conversion {
  const leave = new Map(input.leave);
  for (;;) {
    const conversion = attempt({ ...input, leave }, reanalyse);
    const [revert, forward] = conversion.steps as [Step, Step];
    const known = leave.size;
    for (const [place, why] of refusedAfter(revert, forward)) leave.set(place, why);
    if (leave.size === known) return conversion;
  }
}

/** Sites that the new way refuses after the old tag is gone: they are to keep it. */
function refusedAfter(revert: Step, forward: Step): [string, LeftAlone][] {
  const reverted = revert.plan.sites.map(({ site }) => site);
  const untagged = new Set(reverted.map(({ range }) => placeKey(range)));
  const origins = originsOf(
    revert.input.decisions.map(({ site }) => site),
    revert.plan.files,
  );
  const done = new Set(forward.plan.sites.map(({ site }) => placeKey(site.range)));
  return forward.plan.skipped.flatMap(({ site, code, reason }): [string, LeftAlone][] => {
    const place = origins.get(placeKey(site.range));
    const isLost = place !== undefined && untagged.has(place) && !done.has(placeKey(site.range));
    return isLost ? [[place, { code, reason: `keeps the tag that it has: ${reason}` }]] : [];
  });
}

function attempt(input: MigrateInput, reanalyse: Reanalyse): Conversion {
  const old = input.decisions.filter((decision) => isOtherwise(input, decision));
  const revert = planRevert({ ...input, decisions: old });
  const bare = { ...reanalyse(afterPlan(revert)), leave: leaveAfter(input.leave, revert.files) };
  const forward = planMigration(bare);
  const steps = [
    { plan: revert, input },
    { plan: forward, input: bare },
  ];
  return { steps, plan: joined(revert, forward, input) };
}

/** Tagged in another way than the method would do it; an id in the coroutine is one way, whichever method put it. */
function isOtherwise({ codemods, options, policy }: MigrateInput, decision: Decision): boolean {
  const tag = tagInForce(decision);
  if (!tag) return false;
  const codemod = codemods[options.method];
  if (codemod?.scope !== 'target' || tag.via !== 'loop-body') return tag.via !== options.method;
  return tag.projectId !== (codemod.projectId?.(policy) ?? decision.projectId);
}

/** A file that is to go is seen as an empty one, for an overlay cannot take files away. */
export function afterPlan(revert: MigrationPlan): Map<string, Uint8Array> {
  const gone = (revert.deletedFiles ?? []).map((file): [string, Uint8Array] => [file, new Uint8Array()]);
  return new Map([...overlayOf(revert), ...gone]);
}

/** Verify every step on the project that it starts from. */
export function verifyConversion({ steps }: Conversion, tools: VerificationTools = {}): VerificationProblem[] {
  const [revert, forward] = steps as [Step, Step];
  const before = afterPlan(revert.plan);
  const reanalyse: Reanalyse | undefined =
    tools.reanalyse && ((overlay) => tools.reanalyse!(new Map([...before, ...overlay])));
  const { compile } = tools;
  const origins = originsOf(
    revert.input.decisions.map(({ site }) => site),
    revert.plan.files,
  );
  const back = (problem: VerificationProblem) => ({
    ...problem,
    sites: problem.sites?.map((at) => origins.get(at) ?? at),
  });
  return [
    ...verifyPlan(revert.plan, revert.input, { compile }),
    ...verifyPlan(forward.plan, forward.input, { compile, reanalyse }).map(back),
  ];
}

/** Two plans, the second made on the result of the first, as one. */
export function joined(first: MigrationPlan, second: MigrationPlan, input: MigrateInput): MigrationPlan {
  const asBefore = inTextBefore(first, input);
  const deleted = new Map((first.deleted ?? []).map(({ file, bytes }) => [file, emptied(file, bytes)]));
  const before = new Map([...deleted, ...first.files.map((file): [string, FilePlan] => [file.file, file])]);
  const after = new Map(second.files.map((file) => [file.file, file]));
  const stillGone = [...deleted.keys()].filter((file) => !after.has(file));
  const files = [...new Set([...before.keys(), ...after.keys()])].filter((file) => !stillGone.includes(file)).sort();
  return {
    ...second,
    sites: second.sites.map(asBefore),
    files: files.map((file) => spanning(before.get(file), after.get(file))).filter(isChange),
    deletedFiles: [...stillGone, ...(second.deletedFiles ?? [])],
    deleted: [
      ...(first.deleted ?? []).filter(({ file }) => stillGone.includes(file)),
      ...(second.deleted ?? []).map(({ file, bytes }) => ({ file, bytes: before.get(file)?.bytes ?? bytes })),
    ],
    skipped: listedOnce([...first.skipped, ...second.skipped.map(asBefore)]),
    notes: [...new Set([...first.notes, ...second.notes])],
  };
}

/** What both steps leave alone for the same reason. */
function listedOnce(skipped: readonly SkippedSite[]): SkippedSite[] {
  return [...new Map(skipped.map((each) => [`${placeKey(each.site.range)}\0${each.reason}`, each])).values()];
}

/** Places are told in the text that the user has. */
function inTextBefore(first: MigrationPlan, input: MigrateInput): <T extends { site: SpawnSite }>(item: T) => T {
  const sites = input.decisions.map(({ site }) => site);
  const origins = originsOf(sites, first.files);
  const byPlace = new Map(sites.map((site) => [placeKey(site.range), site]));
  return (item) => ({ ...item, site: byPlace.get(origins.get(placeKey(item.site.range)) ?? '') ?? item.site });
}

const isChange = ({ bytes, newBytes }: FilePlan): boolean => Buffer.compare(bytes, newBytes) !== 0;

function emptied(file: string, bytes: Uint8Array): FilePlan {
  const text = new TextDecoder().decode(bytes);
  return { file, edits: [], shared: [], text, newText: '', bytes, newBytes: new Uint8Array() };
}

/** One edit from the first differing character to the last. */
function spanning(first: FilePlan | undefined, second: FilePlan | undefined): FilePlan {
  const { file, text, bytes } = (first ?? second)!;
  const { newText, newBytes } = (second ?? first)!;
  const shortest = Math.min(text.length, newText.length);
  let start = 0;
  while (start < shortest && text[start] === newText[start]) start++;
  let tail = 0;
  while (tail < shortest - start && text.at(-1 - tail) === newText.at(-1 - tail)) tail++;
  const edit = { file, start, end: text.length - tail, text: newText.slice(start, newText.length - tail) };
  return { file, edits: [edit], shared: [edit], text, newText, bytes, newBytes };
}
