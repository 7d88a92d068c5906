/** The inventory as flat rows, one for each coroutine that a site starts. */

import { duration } from '../model/duration.ts';
import type {
  Analysis,
  Decision,
  LoopFacts,
  Reconciliation,
  ScheduledWork,
  SpawnSite,
  Target,
} from '../model/index.ts';
import { byPlace } from '../model/order.ts';
import { tagInForce } from '../model/tag-in-force.ts';

export interface InventoryRow {
  site: SpawnSite;
  target: Target | null;
  decision: Decision | null;
  /** Number of its row; `31?` for the undecided row that it would fill; empty without one. */
  number: string;
  /** The coroutine, or the source of what is spawned when it can't be named. */
  name: string;
}

/** Rows in the order of files and lines. */
export function inventoryRows(analysis: Analysis, reconciliation: Reconciliation | null): InventoryRow[] {
  const decisionOf = decisionLookup(reconciliation);
  const waiting = new Map(reconciliation?.undecided.map(({ entry, decision }) => [decision, entry.number]));
  return sortedSites(analysis).flatMap((site): InventoryRow[] => {
    const targets: (Target | null)[] = site.targets.length > 0 ? site.targets : [null];
    return targets.map((target) => {
      const decision = decisionOf(site, target);
      const open = decision && waiting.get(decision);
      return {
        site,
        target,
        decision,
        number: open != null ? `${open}?` : String(decision?.entry?.number ?? ''),
        name: target?.name ?? (site.argument || site.api),
      };
    });
  });
}

export function sortedSites({ sites }: Analysis): SpawnSite[] {
  return [...sites].sort((a, b) => byPlace(a.range, b.range));
}

/** Decisions are found by site and coroutine; they may hold copies of both. */
export function decisionLookup(
  reconciliation: Reconciliation | null,
): (site: SpawnSite, target: Target | null) => Decision | null {
  const bySite = new Map<string, Decision[]>();
  for (const decision of reconciliation?.decisions ?? []) {
    const key = keyOf(decision.site);
    bySite.set(key, [...(bySite.get(key) ?? []), decision]);
  }
  return (site, target) => {
    const decisions = bySite.get(keyOf(site)) ?? [];
    const same = (d: Decision) => d.target?.name === target?.name && d.target?.qualifiedName === target?.qualifiedName;
    return decisions.find((d) => d.target === target) ?? decisions.find(same) ?? null;
  };
}

function keyOf({ id, range }: SpawnSite): string {
  return `${range.file} ${range.start} ${id}`;
}

interface InventorySummary {
  files: number;
  parsed: number;
  sites: number;
  /** Coroutines, not sites: one site may start several. */
  loops: number;
  oneShot: number;
  unknown: number;
  tagged: number;
  untagged: number;
  grepLines: number;
}

export function inventorySummary(analysis: Analysis): InventorySummary {
  const rows = inventoryRows(analysis, null);
  const lifecycle = (wanted: string) =>
    rows.filter((row) => (row.target?.facts.lifecycle ?? 'unknown') === wanted).length;
  const tagged = rows.filter((row) => tagInForce(row)).length;
  return {
    files: analysis.files.length,
    parsed: analysis.parsed,
    sites: analysis.sites.length,
    loops: lifecycle('loop'),
    oneShot: lifecycle('one-shot'),
    unknown: lifecycle('unknown'),
    tagged,
    untagged: rows.length - tagged,
    grepLines: analysis.grepLines,
  };
}

/** `5 min`, `30 s – 60 s`, `~1 d` for a computed sleep with a known cadence, `?` for a loop without a known period. */
export function periodText(facts: LoopFacts | undefined): string {
  if (facts?.lifecycle !== 'loop') return '';
  if (facts.periodSeconds !== null) return duration(facts.periodSeconds);
  if (facts.periodRange) return `${duration(facts.periodRange.min)} – ${duration(facts.periodRange.max)}`;
  if (facts.nominalPeriodSeconds !== null) return `~${duration(facts.nominalPeriodSeconds)}`;
  return '?';
}

/** `awoooi (wrapper)`; empty without a tag. */
export function tagText(row: Pick<InventoryRow, 'site' | 'target'>): string {
  const tag = tagInForce(row);
  return tag ? `${tag.projectId ?? 'dynamic'} (${tag.via})` : '';
}

export function scheduledText({ how, target, periodSeconds }: ScheduledWork): string {
  const every = periodSeconds === null ? '' : ` every ${duration(periodSeconds)}`;
  return `${how} ${target ?? '?'}${every}`;
}

/** Spawns on lines that `grep asyncio.create_task` does not show: aliases, wrappers, other APIs. */
export function missedByGrep(analysis: Analysis): SpawnSite[] {
  const hits = new Set(analysis.grepHits.map(({ file, line }) => `${file}:${line}`));
  return sortedSites(analysis).filter(({ range }) => {
    for (let line = range.line; line <= range.endLine; line++) {
      if (hits.has(`${range.file}:${line}`)) return false;
    }
    return true;
  });
}
