import type { Catalogue, Policy } from '../../model/index.ts';
import type { Claim } from './claims.ts';
import type { Layout } from './layout.ts';

/** Another document that speaks of the same loops, such as ADR-123. */
export interface OtherDocument {
  file: string;
  text: string;
}

/** What the parts of lint share. */
export interface LintWork {
  catalogue: Catalogue;
  policy: Policy;
  layout: Layout;
  claims: Claim[];
  others: OtherDocument[];
}

/** The line of a document on which a pattern is first found, 1-based; null when it is not there. */
export function lineOf(text: string, pattern: RegExp): number | null {
  const index = text.split(/\r\n|\n|\r/).findIndex((line) => pattern.test(line));
  return index < 0 ? null : index + 1;
}

/** A whole word in a text: `run_a` is not in `run_ab`. */
export function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\w.])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`, 'u');
}
