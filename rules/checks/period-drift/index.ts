import { defineCheck } from '../../../src/engine/contracts.ts';
import { duration } from '../../../src/model/duration.ts';
import type { Entry, LoopFacts, Severity } from '../../../src/model/index.ts';
import { aboutRow, lineRange, nameOf } from '../about.ts';
import { listedSpawns } from '../rows.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  differs: (name: string, listed: string, real: string) =>
    `${name} is listed as every ${listed}, but it runs every ${real}`,
  once: (name: string, listed: string) => `${name} is listed as every ${listed}, but it runs once`,
  forever: (name: string, real: string) => `${name} is listed as running once, but it loops ${real}`,
  unknown: (name: string) => `neither the catalogue nor the code says how often ${name} runs`,
  code: (source: string) => `the period is read here: ${source}`,
  definition: 'defined here',
};

/** The catalogue's figures are estimates; a second more or less is no drift. */
const TOLERANCE = 0.05;

export default defineCheck({
  id: 'period-drift',
  code: 'LT007',
  severity: 'warning',
  summary: 'The frequency in the catalogue is not the period in the code.',
  fixable: true,
  remedy: 'run `looptag catalog sync`, or change the period',
  *run(input) {
    const { catalogue } = input;
    if (!catalogue) return;
    for (const { entry, decision } of listedSpawns(input)) {
      const { target } = decision;
      const drift = target && driftOf(quoted(nameOf(decision)), entry, target.facts);
      if (!drift) continue;
      const { file, line, facts } = target;
      const message = facts.periodSource === null ? MESSAGES.definition : MESSAGES.code(facts.periodSource);
      yield aboutRow(catalogue, entry, 'frequency', drift.message, {
        severity: drift.severity,
        related: file === null || line === null ? [] : [{ message, range: lineRange(input, file, line) }],
        fixable: isProven(facts),
      });
    }
  },
});

/** What `catalog sync` writes: one figure, or that it runs once. */
function isProven({ lifecycle, periodSeconds, nominalPeriodSeconds }: LoopFacts): boolean {
  return lifecycle === 'one-shot' || periodSeconds !== null || nominalPeriodSeconds !== null;
}

interface Drift {
  message: string;
  severity?: Severity;
}

function driftOf(name: string, { frequency }: Entry, facts: LoopFacts): Drift | null {
  const real = bounds(facts);
  switch (frequency.kind) {
    case 'once': {
      if (facts.lifecycle !== 'loop') return null;
      return { message: MESSAGES.forever(name, real ? `every ${shown(real)}` : 'forever') };
    }
    case 'periodic': {
      if (frequency.seconds === null) return null;
      if (facts.lifecycle === 'one-shot') return { message: MESSAGES.once(name, duration(frequency.seconds)) };
      if (facts.lifecycle !== 'loop' || !real || agrees(frequency.seconds, real)) return null;
      return { message: MESSAGES.differs(name, duration(frequency.seconds), shown(real)) };
    }
    case 'unknown':
      return facts.lifecycle === 'loop' && !real ? { message: MESSAGES.unknown(name), severity: 'note' } : null;
  }
}

interface Bounds {
  min: number;
  max: number;
}

function bounds({ periodSeconds, periodRange, nominalPeriodSeconds }: LoopFacts): Bounds | null {
  if (periodRange) return periodRange;
  const seconds = periodSeconds ?? nominalPeriodSeconds;
  return seconds === null ? null : { min: seconds, max: seconds };
}

function agrees(listed: number, { min, max }: Bounds): boolean {
  return listed >= min * (1 - TOLERANCE) && listed <= max * (1 + TOLERANCE);
}

function shown({ min, max }: Bounds): string {
  return min === max ? duration(min) : `${duration(min)} to ${duration(max)}`;
}
