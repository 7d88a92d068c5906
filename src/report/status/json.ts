import { jsonText } from '../escape.ts';
import type { StatusReport } from './model.ts';

/** `looptag/status@1`. */
export function statusJson(report: StatusReport): string {
  const { status, history, forecast, evidence, asOf } = report;
  return jsonText({
    schema: 'looptag/status@1',
    ...(asOf === undefined ? {} : { asOf }),
    policy: status.policy,
    catalogue: status.catalogue,
    complete: status.complete,
    totals: status.totals,
    milestones: status.milestones,
    acceptance: status.acceptance,
    classes: status.classes,
    priorities: status.priorities,
    markers: status.markers,
    batches: status.batches,
    matrix: status.matrix,
    loops: status.loops.map((loop) => ({
      ...loop,
      ...(evidence === undefined ? {} : { evidence: loop.sites.flatMap((site) => own(evidence, site)) }),
    })),
    ...(history === undefined ? {} : { history }),
    ...(forecast === undefined ? {} : { forecast }),
  });
}

function own<T>(table: Readonly<Record<string, readonly T[]>>, key: string): readonly T[] {
  return Object.hasOwn(table, key) ? table[key]! : [];
}
