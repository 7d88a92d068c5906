import type { Decision } from '../model/index.ts';
import type { PeriodOrigin, SkipCode } from './model.ts';
import { duration } from './promql/write.ts';

export type Period =
  | { seconds: number; origin: PeriodOrigin; mismatch: string | null }
  | { seconds: null; code: SkipCode; reason: string };

/** Periods further apart than this share count as different: a round's own work shifts what is measured. */
const TOLERANCE = 0.05;

/** The period that an alert must follow, or why there is none. Never guesses. */
export function periodOf(decision: Decision): Period {
  const { target, entry, site } = decision;
  if (target === null) return none('unresolved', site.unresolved ?? 'the spawned coroutine could not be named');
  const frequency = entry?.frequency ?? null;
  const { lifecycle } = target.facts;
  if (lifecycle === 'one-shot') return none('one-shot', 'runs once and ends: its gauge would go stale by design');
  if (lifecycle === 'unknown' && frequency?.kind === 'once') return none('one-shot', 'the catalogue says it runs once');
  if (lifecycle === 'unknown' && frequency?.kind !== 'periodic') {
    return none('unknown-lifecycle', 'neither the code nor the catalogue says whether it loops');
  }
  if (lifecycle === 'loop' && site.shape.path === 'request' && entry === null) {
    return none('per-request', 'started by requests: no series is expected while there are none');
  }
  const read = periodInCode(decision);
  const stated = frequency?.kind === 'periodic' ? frequency.seconds : null;
  if (read !== null) return { ...read, mismatch: mismatch(read.seconds, stated) };
  if (stated !== null && stated > 0) return { seconds: stated, origin: 'catalogue', mismatch: null };
  const why = target.facts.periodSource ?? 'no constant sleep was found';
  return none('unknown-period', `period unknown (${why}): give the catalogue a frequency`);
}

function none(code: SkipCode, reason: string): Period {
  return { seconds: null, code, reason };
}

function periodInCode(decision: Decision): { seconds: number; origin: PeriodOrigin } | null {
  const { periodSeconds, periodRange, nominalPeriodSeconds } = decision.target!.facts;
  const longest = periodRange?.max ?? null;
  if (positive(longest) && longest > (periodSeconds ?? 0)) return { seconds: longest, origin: 'code-range' };
  if (positive(periodSeconds)) return { seconds: periodSeconds, origin: 'code' };
  if (positive(nominalPeriodSeconds)) return { seconds: nominalPeriodSeconds, origin: 'code-schedule' };
  return null;
}

function positive(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}

function mismatch(code: number, catalogue: number | null): string | null {
  if (catalogue === null || Math.abs(code - catalogue) <= TOLERANCE * Math.max(code, catalogue)) return null;
  return `period mismatch: code ${duration(code)} (${code} s), catalogue ${duration(catalogue)} (${catalogue} s)`;
}
