/** From rewritten sites to whole files: shared imports and definitions come in once, and every file is applied. */
import { applyEdits, EditOverlapError, moduleEdits, NoPlaceError, sortEdits } from '../../edit/index.ts';
import type { Edit, NewFile } from '../../model/index.ts';
import { byKey, byStart } from '../../model/order.ts';
import { SourceEncodingError, spliceEncoded } from '../../syntax/text.ts';
import type { Need } from '../contracts.ts';
import { firstInRing } from './cycles.ts';
import { doneAtOtherEnd } from './forwarders.ts';
import type { Helpers } from './helpers.ts';
import { importTimeLimit, type Names } from './names.ts';
import type { Pass } from './plan.ts';
import type { FilePlan, MigrateInput, MigrateSource, MigrationPlan, SkippedSite } from './types.ts';

type Planned = Pass['planned'][number];

/** Put a plan together; a site whose edits cannot be combined with the others is skipped with its reason. */
export function assemble(input: MigrateInput, names: Names, passes: readonly Pass[]): MigrationPlan {
  let planned = passes.flatMap((pass) => pass.planned);
  const skipped: SkippedSite[] = passes.flatMap((pass) => pass.skipped);
  for (;;) {
    const outcome = tryAssemble(input, names, planned);
    if (!('culprit' in outcome)) {
      const used = passes.filter(({ helpers }) => planned.some(({ method }) => method === helpers.codemod.id));
      return {
        method: passes[0]!.helpers.codemod.id,
        sites: planned,
        files: outcome.files,
        newFiles: used.flatMap(({ helpers }) => newFilesOf(input, helpers, planned)),
        skipped: doneAtOtherEnd(input, planned, skipped).sort((a, b) => byStart(a.site.range, b.site.range)),
        notes: [
          ...new Set([
            ...planned.flatMap((site) => site.notes),
            ...outOfReach(input, planned, names),
            ...withoutTrace(names, planned),
          ]),
        ],
        limits: used.flatMap(({ helpers }) => helpers.codemod.limits),
      };
    }
    const { culprit, code, reason } = outcome;
    skipped.push({ site: culprit.site, code, reason });
    planned = planned.filter((site) => site !== culprit);
  }
}

/** A trace id is asked for and cannot be put: the project id alone is better than nothing. */
function withoutTrace({ trace, traceProblem }: Names, planned: readonly Planned[]): string[] {
  const some = trace === null && planned.find((site) => site.trace);
  if (!some) return [];
  const { file, line } = some.site.range;
  return [`${file}:${line}: no trace id is put, though one is asked for: ${traceProblem}`];
}

/** Imports that work only when something outside of the code makes them. */
function outOfReach(input: MigrateInput, planned: readonly Planned[], { context }: Names): string[] {
  return planned.flatMap(({ needs }) =>
    needs.flatMap((need) => {
      const home = need.kind === 'import' ? input.resolveModule(need.module, need.file) : null;
      if (need.kind !== 'import' || input.canImport?.(need.file, need.module) !== false) return [];
      const lacks = `${need.file}: nothing shows that it can import ${need.module}`;
      if (home !== null) return [`${lacks} (${home}): make sure that it can, and name the folder in \`import-roots\``];
      return need.module === context?.module
        ? [`${lacks}, which is no module of the project: make sure that it can`]
        : [];
    }),
  );
}

type Outcome = { files: FilePlan[] } | { culprit: Planned; code: SkippedSite['code']; reason: string };

function tryAssemble(input: MigrateInput, names: Names, planned: readonly Planned[]): Outcome {
  const ring = firstInRing(input, planned, ({ needs }) => needs);
  if (ring)
    return {
      culprit: ring.item,
      code: 'import-cycle',
      reason: `importing ${ring.module} would make an import cycle with what else this run imports: name another module with --helper`,
    };
  const files: FilePlan[] = [];
  for (const [file, { own, needs }] of sharesOf(planned)) {
    const source = input.sources.get(file)!;
    try {
      const shared = needs.length > 0 ? sharedEdits(names, file, needs) : [];
      files.push(filePlan(source, own, shared));
    } catch (error) {
      return { culprit: culpritOf(planned, file, error), ...explain(file, error) };
    }
  }
  return { files };
}

function explain(file: string, error: unknown): { code: SkippedSite['code']; reason: string } {
  if (error instanceof NoPlaceError)
    return {
      code: 'shape',
      reason: `no line of ${file} stands before this call and after what the helper uses: move the call into a function`,
    };
  if (error instanceof EditOverlapError)
    return { code: 'shape', reason: 'its text overlaps with that of another edit: migrate it in a run of its own' };
  if (error instanceof SourceEncodingError)
    return { code: 'encoding', reason: `the encoding of ${file} cannot hold the text: ${error.message}` };
  throw error;
}

/** The site to leave out: the one that an overlap names, or the one that needs its names first. */
function culpritOf(planned: readonly Planned[], file: string, error: unknown): Planned {
  if (error instanceof EditOverlapError) {
    const found = planned.findLast(({ edits }) =>
      edits.some((edit) => edit.file === file && edit.start === error.second.start && edit.text === error.second.text),
    );
    if (found) return found;
  }
  const firstNeed = (site: Planned) => Math.min(...site.needs.filter((need) => need.file === file).map(({ at }) => at));
  const concerned = planned.filter(({ needs, edits }) => [...needs, ...edits].some((item) => item.file === file));
  return concerned.reduce((first, site) => (firstNeed(site) < firstNeed(first) ? site : first));
}

/** What all sites change in one file, and what they need there. */
interface Share {
  own: Edit[];
  needs: Need[];
}

/** By file, in the order of their names. Two sites that start the same coroutine ask for the same statement in it: it comes once. */
function sharesOf(planned: readonly Planned[]): [string, Share][] {
  const shares = new Map<string, Share>();
  const owners = new Map<string, Planned>();
  const of = (file: string): Share => {
    const share = shares.get(file) ?? { own: [], needs: [] };
    shares.set(file, share);
    return share;
  };
  for (const site of planned) {
    for (const edit of site.edits) {
      const { own } = of(edit.file);
      const key = `${edit.start}:${edit.end}:${edit.file}:${edit.text}`;
      const owner = owners.get(key);
      if (owner && owner !== site) continue;
      owners.set(key, site);
      own.push(edit);
    }
    for (const need of site.needs) of(need.file).needs.push(need);
  }
  return [...shares].sort(byKey);
}

/** Above the first function that needs them where that can be; else at least before the first use at import time. */
function sharedEdits(names: Names, file: string, needs: readonly Need[]): Edit[] {
  const layout = names.layoutOf(file)!;
  const imports = needs.flatMap((need) => (need.kind === 'import' ? [{ module: need.module, name: need.name }] : []));
  const definitions = new Map(
    needs.flatMap((need) => (need.kind === 'definition' ? [[need.definition.name, need.definition]] : [])),
  );
  const request = { imports, definitions: [...definitions.values()] };
  const strict = Math.min(layout.length, ...needs.map(({ at }) => at));
  try {
    return moduleEdits(layout, { ...request, limit: strict });
  } catch (error) {
    if (!(error instanceof NoPlaceError)) throw error;
    const limit = Math.min(layout.length, ...needs.map(({ at }) => importTimeLimit(layout, at)));
    return moduleEdits(layout, { ...request, limit });
  }
}

/** Apply the edits of one file to its text and to its bytes. */
export function filePlan(source: MigrateSource, own: readonly Edit[], shared: readonly Edit[]): FilePlan {
  const { file, text, bytes } = source;
  const edits = sortEdits([...own, ...shared], text.length);
  const newText = applyEdits(text, edits);
  return { file, edits, shared: [...shared], text, newText, bytes, newBytes: spliceEncoded(bytes, source, edits) };
}

function newFilesOf(input: MigrateInput, helpers: Helpers, planned: readonly Planned[]): NewFile[] {
  const { home, codemod } = helpers;
  if (home === 'inline' || !codemod.helper) return [];
  const isWanted = (need: Need) =>
    need.kind === 'import' && need.module === home.module && input.resolveModule(home.module, need.file) === null;
  const wanting = new Set(planned.flatMap(({ needs }) => needs.filter(isWanted).map(({ file }) => file)));
  // services of one repository get one each
  const created = [...wanting].sort().map((file) => helpers.newModule(home.module, { from: file }));
  return [...new Map(created.flatMap((made) => ('refusal' in made ? [] : [[made.file, made] as const]))).values()];
}
