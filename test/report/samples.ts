/** Check results and inventories that every format has to bear. */
import { Chalk } from 'chalk';
import type { CheckResult, Finding, Range, Rule, Severity } from '../../src/model/index.ts';
import type { InventoryReport, ReportOptions } from '../../src/report/index.ts';
import { analysis, decision, entry, facts, reconciliation, site, tag, target } from '../support/builders.ts';

export function options(over: Partial<ReportOptions> = {}): ReportOptions {
  return {
    chalk: new Chalk({ level: 0 }),
    width: 100,
    sourceOf: () => null,
    tool: { name: 'looptag', version: '1.2.3' },
    failOn: 'error',
    verbose: false,
    ...over,
  };
}

export function range(file: string, line: number, column: number, endColumn: number, over: Partial<Range> = {}): Range {
  return { file, line, column, endLine: line, endColumn, start: 0, end: 0, ...over };
}

export function finding(over: Partial<Finding> = {}): Finding {
  return {
    rule: 'untagged-loop',
    code: 'LT001',
    severity: 'error',
    message: '`run_x` is spawned without a project id',
    range: range('apps/api/src/main.py', 499, 9, 40),
    site: 'src.main:lifespan:run_x',
    related: [],
    fix: null,
    fixable: true,
    ...over,
  };
}

const RULES: Rule[] = [
  ['untagged-loop', 'LT001', 'error'],
  ['dropped-task', 'LT017', 'warning'],
  ['missing-heartbeat', 'LT009', 'note'],
].map(([id, code, severity]) => ({
  id: id!,
  code: code!,
  severity: severity as Severity,
  summary: 'A summary.',
  fixable: true,
  docUrl: `docs/rules.md#${id}`,
  remedy: 'run `looptag migrate`',
}));

export function result(findings: Finding[], over: Partial<CheckResult> = {}): CheckResult {
  const of = (severity: Severity) => findings.filter((f) => f.severity === severity).length;
  return {
    findings,
    summary: {
      files: 3,
      sites: 31,
      errors: of('error'),
      warnings: of('warning'),
      notes: of('note'),
      suppressed: 0,
      baselined: 0,
      fixable: findings.filter((f) => f.fixable).length,
    },
    errors: [],
    rules: RULES,
    loops: [
      {
        site: 'src.main:lifespan:run_x',
        name: 'run_x',
        module: 'src.main',
        range: range('apps/api/src/main.py', 499, 9, 40),
      },
      {
        site: 'src.main:lifespan:run_ok',
        name: 'run_ok',
        module: 'src.main',
        range: range('apps/api/src/main.py', 600, 9, 40),
      },
    ],
    staleBaseline: [],
    ...over,
  };
}

/** Escape sequences, line breaks, overrides of direction, tags, lone surrogates, mark-up of every format. */
export const ODD =
  'a\x1b[31m\x07\r\n::set-output name=x::y\t\u202e\u2066\u200b\u2028\u{e0041}\ud800\uffff\x9b2J<b>&"\'|`]]>--%{}[x](y)@z,=1';
export const ODD_FILE = 'odd,name: 100%\x1b]0;x\x07 ?#é中😀.py';

const many = Array.from({ length: 35 }, (_, i) =>
  finding({
    severity: (['error', 'warning', 'note'] as const)[i % 3]!,
    rule: RULES[i % 3]!.id,
    code: RULES[i % 3]!.code,
    site: `src.main:lifespan:run_${i}`,
    message: `finding number ${i}`,
    range: range('apps/api/src/main.py', i + 1, 5, 9),
  }),
);

const ERROR = { file: 'broken.py', line: 3, column: 7, message: "expected ':'", kind: 'syntax' as const };

export const CHECKS: Record<string, CheckResult> = {
  empty: result([], { loops: [] }),
  one: result([finding()]),
  many: result(many),
  odd: result(
    [
      finding({
        message: `\`${ODD}\` is odd`,
        range: range(ODD_FILE, 1, 1, 4, { endLine: 2, end: 9 }),
        site: `m:f:${ODD}`,
        related: [{ message: ODD, range: range(ODD_FILE, 2, 1, 2) }],
        fix: { title: ODD, safe: true, edits: [{ file: ODD_FILE, start: 1, end: 3, text: ODD }] },
      }),
    ],
    {
      loops: [{ site: `m:f:${ODD}`, name: ODD, module: 'm', range: range(ODD_FILE, 1, 1, 4) }],
      errors: [{ ...ERROR, file: ODD_FILE, message: ODD }],
      staleBaseline: [{ rule: 'untagged-loop', identity: ODD, line: 3 }],
    },
  ),
  unreadable: result([], { errors: [ERROR] }),
};

const oddTarget = target(ODD, {
  qualifiedName: ODD,
  file: ODD_FILE,
  tag: tag(ODD),
  facts: facts({ periodSource: ODD }),
});
const oddSite = site('x', 3, { id: ODD, argument: ODD, enclosing: ODD, targets: [oddTarget] });
const loops = Array.from({ length: 40 }, (_, i) => site(`run_${i}`, i + 1));

export const INVENTORIES: Record<string, InventoryReport> = {
  empty: { analysis: analysis([]), reconciliation: null, root: '.' },
  one: { analysis: analysis([site('run_x', 499)]), reconciliation: null, root: '.' },
  many: {
    analysis: analysis(loops),
    reconciliation: reconciliation(
      loops.map((s, i) =>
        decision(s, { entry: entry(i + 1, `run_${i}`), marker: 'legacy_awoooi_default', priority: 'P2' }),
      ),
      { verdict: 'As many as the catalogue says.' },
    ),
    root: '.',
  },
  odd: {
    analysis: analysis([oddSite], {
      mentions: [{ file: ODD_FILE, line: 1, column: 1, kind: 'comment', text: ODD, detail: ODD, spawns: ODD }],
      scheduled: [{ file: ODD_FILE, line: 1, column: 1, how: ODD, target: ODD, periodSeconds: 60 }],
      errors: [{ ...ERROR, file: ODD_FILE, message: ODD }],
      grepHits: [],
    }),
    reconciliation: reconciliation(
      [decision(oddSite, { entry: entry(1, ODD), marker: ODD, priority: ODD, projectId: ODD })],
      {
        verdict: ODD,
        stale: [entry(2, ODD)],
      },
    ),
    root: '.',
  },
  unreadable: { analysis: analysis([], { files: ['broken.py'], errors: [ERROR] }), reconciliation: null, root: '.' },
};
