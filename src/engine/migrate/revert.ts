/** The way back: take tags out of the code, and with the last one what they needed. */
import { applyEdits, mapBack, mapForward, placeEdits } from '../../edit/index.ts';
import type { Decision, Edit, Tag } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import { parseModule } from '../../syntax/index.ts';
import type { CodemodDefinition } from '../contracts.ts';
import { filePlan } from './assemble.ts';
import { cleanUp, type Leftovers } from './cleanup.ts';
import { doneAtOtherEnd } from './forwarders.ts';
import { Helpers } from './helpers.ts';
import { Names } from './names.ts';
import { codemodInput, layoutCache } from './plan.ts';
import { asksForTrace, groupBySite, setAside } from './select.ts';
import type { FilePlan, MigrateInput, MigrateSource, MigrationPlan, PlannedSite, SkippedSite } from './types.ts';

/** Which codemod put a tag; the ways that looptag does not write have none. */
const WRITER: Record<Tag['via'], string | null> = {
  wrapper: 'wrapper',
  'context-argument': 'context-argument',
  'loop-body': 'loop-body',
  caller: null,
  decorator: null,
};

/** A plan that undoes the tags of the decided sites, whatever method put them there. */
export function planRevert(input: MigrateInput): MigrationPlan {
  const names = new Names(input, layoutCache(input));
  const sites: PlannedSite[] = [];
  const { groups, left: skipped } = setAside(groupBySite(input.decisions), input.leave);
  const uses = new Map<string, number[]>();
  const outcomes = groups.flatMap((decisions) => [
    ...undoTags(input, names, decisions),
    ...undoHeartbeats(input, names, decisions),
  ]);
  for (const outcome of outcomes) {
    if ('reason' in outcome) skipped.push(outcome);
    else {
      sites.push(outcome.planned);
      uses.set(outcome.file, [...(uses.get(outcome.file) ?? []), outcome.use]);
    }
  }
  const edits = uniqueEdits(sites);
  const undone = undoneSources(input, edits);
  const leftovers = cleanUp(
    { ...input, sources: new Map([...input.sources, ...undone]) },
    forwardUses(input, edits, uses),
    new Set(sites.map(({ method }) => method)),
  );
  const files = revertedFiles(input, edits, leftovers);
  return {
    method: 'revert',
    sites,
    files,
    newFiles: [],
    deletedFiles: leftovers.deletedFiles,
    deleted: leftovers.deletedFiles.map((file) => ({ file, bytes: input.sources.get(file)!.bytes })),
    skipped: doneAtOtherEnd(input, sites, skipped),
    notes: [...new Set([...sites.flatMap(({ notes }) => notes), ...leftovers.notes])],
    limits: [],
  };
}

type Undone = { planned: PlannedSite; file: string; use: number };

/** One tag at the call, or one in each coroutine function that the call starts. */
function undoTags(input: MigrateInput, names: Names, decisions: Decision[]): (Undone | SkippedSite)[] {
  const tagged = decisions.filter((decision) => tagInForce(decision) !== null);
  const places = new Map(tagged.map((decision) => [tagPlace(tagInForce(decision)!), decision]));
  return [...places.values()].map((decision) => undoTag(input, names, decision, tagInForce(decision)!));
}

const tagPlace = ({ via, file, line }: Tag): string => (via === 'loop-body' ? `${via} ${file}:${line}` : via);

function undoTag(input: MigrateInput, names: Names, tagged: Decision, tag: Tag): Undone | SkippedSite {
  const codemod = WRITER[tag.via] ? input.codemods[WRITER[tag.via]!] : undefined;
  if (!codemod?.undo)
    return {
      site: tagged.site,
      code: 'shape',
      reason: `tagged by its ${tag.via} (${tag.file}:${tag.line}), which looptag does not write: take it out by hand`,
    };
  return undo(input, names, tagged, codemod, tag.projectId === null ? [] : [tag.projectId]);
}

/** With `--heartbeat`, the updates of the gauge go as well. */
function undoHeartbeats(input: MigrateInput, names: Names, decisions: Decision[]): (Undone | SkippedSite)[] {
  const codemod = input.codemods.heartbeat;
  if (!input.options.heartbeat || !codemod?.undo) return [];
  const beating = decisions.filter(({ target }) => target?.facts.heartbeat);
  return beating.map((decision) => undo(input, names, decision, codemod, []));
}

function undo(
  input: MigrateInput,
  names: Names,
  decision: Decision,
  codemod: CodemodDefinition,
  projectIds: string[],
): Undone | SkippedSite {
  const { site, target } = decision;
  // A trace id that nobody asked us for was there before.
  const trace = asksForTrace(decision, input.policy, input.options);
  const work = { site, decisions: [decision], target, projectIds, trace };
  const result = codemod.undo!(codemodInput(input, work, new Helpers(names, codemod, 'inline', false)));
  if ('refusal' in result) return { site, ...result.refusal };
  const { edits, notes = [] } = result;
  const planned = {
    site,
    decisions: [decision],
    method: codemod.id,
    projectIds,
    trace: false,
    edits,
    notes,
    unsafe: null,
  };
  const file = edits[0]?.file ?? site.range.file;
  const use = codemod.scope === 'site' ? site.range.start : Math.min(...edits.map(({ start }) => start));
  return { planned, file, use };
}

/** Sites that share a coroutine share its edits. */
function uniqueEdits(sites: readonly PlannedSite[]): Map<string, Edit[]> {
  const out = new Map<string, Map<string, Edit>>();
  for (const edit of sites.flatMap((site) => site.edits)) {
    const edits = out.get(edit.file) ?? new Map<string, Edit>();
    out.set(edit.file, edits.set(`${edit.start}:${edit.end}`, edit));
  }
  return new Map([...out].map(([file, edits]) => [file, [...edits.values()]]));
}

function undoneSources(input: MigrateInput, edits: ReadonlyMap<string, Edit[]>): [string, MigrateSource][] {
  return [...edits].map(([file, list]) => {
    const source = input.sources.get(file)!;
    const text = applyEdits(source.text, list);
    return [file, { ...source, text, tree: parseModule(text) }];
  });
}

function forwardUses(
  input: MigrateInput,
  edits: ReadonlyMap<string, Edit[]>,
  uses: ReadonlyMap<string, number[]>,
): Map<string, number[]> {
  return new Map(
    [...uses].map(([file, offsets]) => {
      const placed = placeEdits(edits.get(file) ?? [], input.sources.get(file)!.text.length);
      return [file, offsets.map((offset) => mapForward(placed, offset))];
    }),
  );
}

/** One list of edits on the original text: those of the sites, and the clean-up's mapped back through them. */
function revertedFiles(input: MigrateInput, edits: ReadonlyMap<string, Edit[]>, leftovers: Leftovers): FilePlan[] {
  const gone = new Set(leftovers.deletedFiles);
  const files = [...new Set([...edits.keys(), ...leftovers.edits.keys()])].filter((file) => !gone.has(file)).sort();
  return files.map((file) => {
    const source = input.sources.get(file)!;
    const own = edits.get(file) ?? [];
    const placed = placeEdits(own, source.text.length);
    const shared = (leftovers.edits.get(file) ?? []).map((edit) => ({
      ...edit,
      start: mapBack(placed, edit.start),
      end: mapBack(placed, edit.end),
    }));
    return filePlan(source, own, shared);
  });
}
