import type { Decision, Entry, LoopFacts } from '../../model/index.ts';

/** What the code proves about how often a loop runs; null when nothing. */
export function provenPeriod(facts: LoopFacts | null | undefined): number | 'once' | null {
  if (!facts) return null;
  if (facts.lifecycle === 'one-shot') return 'once';
  if (facts.lifecycle !== 'loop') return null;
  return facts.periodSeconds ?? facts.nominalPeriodSeconds;
}

/** The code's frequency when it contradicts the row's; null when they agree or one of them is not known. */
export function frequencyDrift(entry: Entry, decision: Decision): number | 'once' | null {
  const proven = provenPeriod(decision.target?.facts);
  const { kind, seconds } = entry.frequency;
  if (proven === null || kind === 'unknown') return null;
  if (proven === 'once') return kind === 'once' ? null : 'once';
  if (seconds === null) return proven;
  const range = decision.target?.facts.periodRange;
  if (range && seconds >= range.min && seconds <= range.max) return null;
  const nominal = decision.target?.facts.nominalPeriodSeconds;
  return Math.abs(seconds - proven) < 0.0005 || seconds === nominal ? null : proven;
}
