import type { Analysis, Decision, Mention, Reconciliation, SpawnSite, Target } from '../../../model/index.ts';
import { jsonText } from '../../escape.ts';
import { decisionLookup, inventorySummary, sortedSites } from '../../inventory.ts';

/**
 * `looptag/inventory@1`, see `schemas/inventory.schema.json`.
 * With a reconciliation each target also has `catalog`, `class` and `projectId`.
 */
export function inventoryJson(
  analysis: Analysis,
  reconciliation: Reconciliation | null,
  meta: { root: string; shard?: string },
): string {
  const decisionOf = decisionLookup(reconciliation);
  const targetOf = (site: SpawnSite) => (target: Target) => ({
    ...targetJson(target),
    ...(reconciliation ? judgementJson(decisionOf(site, target)) : {}),
  });
  return jsonText({
    schema: 'looptag/inventory@1',
    root: meta.root,
    ...(meta.shard === undefined ? {} : { shard: meta.shard }),
    summary: inventorySummary(analysis),
    sites: sortedSites(analysis).map((site) => siteJson(site, site.targets.map(targetOf(site)))),
    mentions: analysis.mentions.map(mentionJson),
    scheduled: analysis.scheduled.map(({ file, line, column, how, target, periodSeconds }) => ({
      file,
      line,
      column,
      how,
      target,
      periodSeconds,
    })),
    errors: analysis.errors.map(({ file, line, column, message }) => ({ file, line, column, message })),
  });
}

function siteJson({ id, range, api, enclosing, argument, unresolved, certainty }: SpawnSite, targets: object[]) {
  const { file, line, column, endLine, endColumn } = range;
  return { id, file, line, column, endLine, endColumn, api, enclosing, argument, targets, unresolved, certainty };
}

function targetJson({ name, qualifiedName, file, line, facts, tag, traceId }: Target) {
  return {
    name,
    qualifiedName,
    file,
    line,
    lifecycle: facts.lifecycle,
    periodSeconds: facts.periodSeconds,
    periodSource: facts.periodSource,
    tag: tag && { projectId: tag.projectId, via: tag.via },
    traceId,
    // a gauge that a failed round reaches too, or that is set only once, is no heartbeat
    heartbeat: Boolean(facts.heartbeat?.inLoop && facts.heartbeat.onSuccess),
  };
}

function judgementJson(decision: Decision | null) {
  const entry = decision?.entry ?? null;
  return {
    catalog: entry && {
      number: entry.number,
      marker: entry.marker,
      priority: entry.priority,
      line: entry.line,
    },
    class: decision?.class ?? null,
    projectId: decision?.projectId ?? null,
  };
}

function mentionJson({ file, line, column, kind, text, spawns }: Mention) {
  return { file, line, column, kind, text, ...(spawns === undefined ? {} : { spawns }) };
}
