/** One plan as several patches, one a pull request, which may be applied in any order. */
import {
  barriersOf,
  EntangledError,
  fileHeader,
  formatHunk,
  headerBytes,
  type LineChange,
  lineChanges,
  looseHunks,
  splitLines,
  unifiedDiff,
} from '../../edit/index.ts';
import type { Edit } from '../../model/index.ts';
import { byText } from '../../model/order.ts';
import { spliceEncoded } from '../../syntax/text.ts';
import type { FilePlan, MigrateSource, MigrationPlan, PlannedSite } from './types.ts';

interface SplitPatch {
  /** Name of the group; `base` for what several groups need. */
  group: string;
  sites: PlannedSite[];
  patch: Uint8Array;
}

interface SplitPlan {
  /** `base` first, when there is one: the code of the others calls what it brings. */
  patches: SplitPatch[];
  /** Sites that went into another group's patch, and why. */
  notes: string[];
}

const BASE = 'base';
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

/**
 * Divide a plan into patches.
 *
 * A site goes into its group's patch; imports and helpers go into `base` unless one group alone needs them. Two changes so
 * close that their patches could not be applied in either order go into the patch that comes first.
 * @param groupOf The group of a site.
 * @param order Groups as they should come; others follow by name.
 */
export function splitPlan(
  plan: MigrationPlan,
  sources: ReadonlyMap<string, MigrateSource>,
  groupOf: (site: PlannedSite) => string,
  order: readonly string[] = [],
): SplitPlan {
  const groups = new Map(plan.sites.map((site) => [site, groupOf(site)]));
  const names = [...new Set(groups.values())].sort((a, b) => rank(order, a) - rank(order, b) || byText(a, b));
  const notes: string[] = [];
  for (;;) {
    const labels = labelEdits(plan, groups);
    const outcome = tryPatches(plan, sources, labels, [BASE, ...names]);
    if (!('clash' in outcome)) {
      const header = headerBytes([...plan.limits]);
      const patches = [BASE, ...names].flatMap((group) => {
        const body = Buffer.concat([
          outcome.get(group) ?? Buffer.alloc(0),
          group === BASE || names.length === 1 ? newFiles(plan, groups, group) : Buffer.alloc(0),
        ]);
        const sites = plan.sites.filter((site) => groups.get(site) === group);
        return body.length > 0 ? [{ group, sites, patch: Buffer.concat([header, body]) }] : [];
      });
      return { patches, notes };
    }
    const { site, into } = outcome.clash;
    notes.push(
      `${site.site.range.file}:${site.site.range.line} goes into the patch of ${into}: it stands too close to a change of that patch`,
    );
    groups.set(site, into);
  }
}

const rank = (order: readonly string[], name: string): number => {
  const index = order.indexOf(name);
  return index < 0 ? order.length : index;
};

/** Which patch each edit belongs to. */
function labelEdits(plan: MigrationPlan, groups: ReadonlyMap<PlannedSite, string>): Map<Edit, string> {
  const labels = new Map<Edit, string>();
  for (const [site, group] of groups) for (const edit of site.edits) labels.set(edit, group);
  for (const file of plan.files) {
    const own = new Set(file.edits.flatMap((edit) => labels.get(edit) ?? []));
    const home = own.size === 1 ? [...own][0]! : BASE;
    for (const edit of file.shared) labels.set(edit, home);
  }
  return labels;
}

function newFiles(plan: MigrationPlan, groups: ReadonlyMap<PlannedSite, string>, group: string): Buffer {
  const alone = new Set(groups.values()).size === 1;
  if (alone !== (group !== BASE)) return Buffer.alloc(0);
  const changes = plan.newFiles.map(({ file, text }) => ({
    file,
    before: null,
    after: new TextEncoder().encode(text),
  }));
  return Buffer.from(unifiedDiff(changes));
}

type Clash = { clash: { site: PlannedSite; into: string } };

function tryPatches(
  plan: MigrationPlan,
  sources: ReadonlyMap<string, MigrateSource>,
  labels: ReadonlyMap<Edit, string>,
  order: readonly string[],
): Map<string, Buffer> | Clash {
  const out = new Map<string, Buffer>();
  for (const file of plan.files) {
    const source = sources.get(file.file)!;
    const present = order.filter((group) => file.edits.some((edit) => labels.get(edit) === group));
    const changes = new Map(
      present.map((group) => [
        group,
        lineChanges(
          latin1(file.bytes),
          applied(file, source, labels, (label) => label === group),
        ),
      ]),
    );
    for (const group of present) {
      try {
        const part = filePatch(file, source, labels, group, changes);
        out.set(group, Buffer.concat([out.get(group) ?? Buffer.alloc(0), part]));
      } catch (error) {
        if (!(error instanceof EntangledError)) throw error;
        return resolveClash(plan, file, labels, changes, order, group, error);
      }
    }
  }
  return out;
}

function applied(
  file: FilePlan,
  source: MigrateSource,
  labels: ReadonlyMap<Edit, string>,
  wanted: (label: string) => boolean,
): string {
  const edits = file.edits.filter((edit) => wanted(labels.get(edit)!));
  return latin1(spliceEncoded(file.bytes, source, edits));
}

function filePatch(
  file: FilePlan,
  source: MigrateSource,
  labels: ReadonlyMap<Edit, string>,
  group: string,
  changes: ReadonlyMap<string, LineChange[]>,
): Buffer {
  const foreign = [...changes].flatMap(([label, list]) => (label === group ? [] : list));
  const after = splitLines(applied(file, source, labels, (label) => label === group));
  const others = splitLines(applied(file, source, labels, (label) => label !== group));
  const hunks = looseHunks(splitLines(latin1(file.bytes)), after, changes.get(group)!, barriersOf(foreign), others);
  const header = fileHeader({ file: file.file, before: file.bytes, after: file.newBytes });
  return Buffer.from(header + hunks.map(formatHunk).join(''), 'latin1');
}

/** The later of the two groups gives its site to the earlier one. */
function resolveClash(
  plan: MigrationPlan,
  file: FilePlan,
  labels: ReadonlyMap<Edit, string>,
  changes: ReadonlyMap<string, LineChange[]>,
  order: readonly string[],
  group: string,
  error: EntangledError,
): Clash {
  const touches = ({ start, removed }: LineChange) => start - 1 <= error.line && error.line <= start + removed;
  const near =
    [...changes].find(([label, list]) => label !== group && list.some(touches))?.[0] ??
    [...changes.keys()].find((label) => label !== group) ??
    BASE;
  const [first, second] = order.indexOf(group) < order.indexOf(near) ? [group, near] : [near, group];
  const lineOf = (edit: Edit) => file.text.slice(0, edit.start).split('\n').length - 1;
  const candidates = plan.sites.filter((site) =>
    site.edits.some((edit) => labels.get(edit) === second && edit.file === file.file),
  );
  const distance = (site: PlannedSite) =>
    Math.min(
      ...site.edits
        .filter((edit) => edit.file === file.file)
        .map((edit) => Math.abs(lineOf(edit) - error.change.start)),
    );
  const site = candidates.reduce((best, other) => (distance(other) < distance(best) ? other : best));
  return { clash: { site, into: first } };
}
