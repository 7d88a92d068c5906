import type { LoopAlert } from '../model.ts';
import type { AgreementCode, AgreementProblem } from './model.ts';
import type { ReadRule } from './read-rules.ts';

export function problem(
  code: AgreementCode,
  severity: AgreementProblem['severity'],
  message: string,
  remedy: string,
  where: { rule?: ReadRule; loops?: readonly string[] } = {},
): AgreementProblem {
  const { rule, loops = [] } = where;
  return {
    code,
    severity,
    message: rule ? `${rule.name}: ${message}` : message,
    remedy,
    line: rule?.line ?? null,
    column: rule?.column ?? null,
    rule: rule?.name ?? null,
    loops: [...loops],
    related: null,
  };
}

/** A few by name, the rest by number: one fault of one rule stays one line. */
export function named(loops: readonly LoopAlert[], show: (loop: LoopAlert) => string): string {
  const few = loops.slice(0, 5).map(show).join(', ');
  return loops.length > 5 ? `${few} and ${loops.length - 5} more (${loops.length} loops)` : few;
}
