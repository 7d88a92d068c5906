import { isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments, type YAMLMap } from 'yaml';
import { PromqlError } from '../promql/lexer.ts';
import { type Expr, parsePromql } from '../promql/parser.ts';

export interface ReadRule {
  kind: 'alert' | 'record';
  name: string;
  line: number;
  column: number;
  exprText: string;
  /** null when it does not parse; `error` says why. */
  expr: Expr | null;
  error: string | null;
  exprLine: number;
  hold: string | null;
  labels: Record<string, string>;
}

interface ReadRules {
  rules: ReadRule[];
  problems: { message: string; line: number; column: number }[];
  /** A list of rule groups was found, even if empty. */
  groups: number;
}

/** Nesting deeper than any chart or custom resource has. */
const MAX_DEPTH = 12;

/**
 * Reads the rules of a Prometheus rule file, of PrometheusRule resources (several documents, `kind: List`) or of Helm
 * values: whatever map has a list `rules` is a group. Faulty YAML is reported, and what was readable is used.
 */
export function readRules(text: string): ReadRules {
  const lines = new LineCounter();
  const found: ReadRules = { rules: [], problems: [], groups: 0 };
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  for (const document of Array.isArray(documents) ? documents : []) {
    for (const error of document.errors) {
      const { line, col } = lines.linePos(error.pos[0]);
      found.problems.push({ message: error.message, line, column: col });
    }
    visit(document.contents as Node | null, lines, found, 0);
  }
  return found;
}

function visit(node: unknown, lines: LineCounter, found: ReadRules, depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (isSeq(node)) for (const item of node.items) visit(item, lines, found, depth + 1);
  if (!isMap(node)) return;
  const rules = node.get('rules', true);
  if (isSeq(rules)) {
    found.groups += 1;
    for (const rule of rules.items) if (isMap(rule)) readRule(rule, lines, found);
    return;
  }
  if (node.has('groups')) found.groups += 1;
  for (const pair of node.items) visit(pair.value, lines, found, depth + 1);
}

function readRule(node: YAMLMap, lines: LineCounter, found: ReadRules): void {
  const kind = node.has('alert') ? 'alert' : node.has('record') ? 'record' : null;
  const expr = node.get('expr', true);
  const at = lines.linePos(node.range?.[0] ?? 0);
  if (kind === null || !isScalar(expr)) {
    found.problems.push({ message: 'a rule needs `alert` or `record`, and `expr`', line: at.line, column: at.col });
    return;
  }
  const exprText = String(expr.value ?? '');
  found.rules.push({
    kind,
    name: String(node.get(kind) ?? ''),
    line: at.line,
    column: at.col,
    exprText,
    exprLine: lines.linePos(expr.range?.[0] ?? 0).line,
    ...parsed(exprText),
    hold: node.has('for') ? String(node.get('for')) : null,
    labels: labelsOf(node.get('labels')),
  });
}

function parsed(text: string): { expr: Expr | null; error: string | null } {
  try {
    return { expr: parsePromql(text), error: null };
  } catch (error) {
    if (!(error instanceof PromqlError)) throw error;
    return { expr: null, error: `${error.message} (character ${error.offset + 1})` };
  }
}

function labelsOf(node: unknown): Record<string, string> {
  if (!isMap(node)) return {};
  return Object.fromEntries(
    node.items.map(({ key, value }) => [
      String(isScalar(key) ? key.value : key),
      isScalar(value) ? String(value.value) : '',
    ]),
  );
}
