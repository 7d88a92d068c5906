export type AgreementCode =
  | 'yaml-error'
  | 'no-rules'
  | 'expr-unreadable'
  | 'loop-without-rule'
  | 'loop-without-absent'
  | 'rule-without-loop'
  | 'rule-for-one-shot'
  | 'threshold-too-short'
  | 'threshold-at-period'
  | 'boot-guard-missing'
  | 'per-worker'
  | 'label-differs'
  | 'code-catalogue';

/** One point in which code, catalogue and rules file do not agree. */
export interface AgreementProblem {
  code: AgreementCode;
  severity: 'error' | 'warning' | 'note';
  message: string;
  remedy: string;
  /** 1-based place in the rules file; null when nothing in it is at fault. */
  line: number | null;
  column: number | null;
  /** Name of the rule. */
  rule: string | null;
  /** Label values of the loops that it concerns. */
  loops: string[];
  /** A place in the code, for what the rules file cannot show. */
  related: { file: string; line: number } | null;
}
