/** Catalogues with the code that they speak of, and all that is read, decided, complained of and written: below `examples/`. */
import { join } from 'node:path';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { readDirectives } from '../../src/engine/directives.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import type { Entry, Reconciliation } from '../../src/model/index.ts';
import { initCatalogue, syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { lintCatalogue, readCatalogue, reconcile, statusReport } from '../../src/policy/index.ts';
import { analyse } from '../../src/sites/index.ts';
import { testExamples } from '../support/examples.ts';
import { portrait } from '../support/portrait.ts';
import { awoooi, tenantBasic } from './support.ts';

const rowOf = (entry: Entry | null) => (entry ? `row ${entry.number ?? '?'} on line ${entry.row}` : null);

/** What is decided, without the sites and rows themselves. */
function decided({ decisions, stale, unlisted, undecided, verdict }: Reconciliation) {
  const siteOf = (decision: Reconciliation['decisions'][number] | null) =>
    decision && `${decision.target?.name ?? '?'} at ${decision.site.range.file}:${decision.site.range.line}`;
  return {
    decisions: decisions.map((decision) => {
      const { site: _, target: __, entry, ...rest } = decision;
      return { of: siteOf(decision), entry: rowOf(entry), ...rest };
    }),
    stale: stale.map(rowOf),
    unlisted: unlisted.map(siteOf),
    undecided: undecided.map(({ entry, decision }) => `${rowOf(entry)}: ${siteOf(decision)}`),
    verdict,
  };
}

function differences(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const [gone, come] = [new Set(old), new Set(fresh)];
  return [
    ...old.filter((l) => !come.has(l)).map((l) => `- ${l}`),
    ...fresh.filter((l) => !gone.has(l)).map((l) => `+ ${l}`),
  ];
}

testExamples(join(import.meta.dirname, 'examples'), (files) => {
  const { 'INV-8.md': text = '', 'other.md': other, ...sources } = files;
  const policy = text.includes('tenant-basic') ? tenantBasic : awoooi;
  const { analysis, sourceOf } = analyse(new MemoryFileSystem(Object.entries(sources)), Object.keys(sources), {
    spawnApis,
    contextVariable: policy.contextVariable,
    traceVariable: policy.traceVariable,
    helper: policy.helper,
    importRoots: [],
  });
  const { hints } = readDirectives(analysis.directives ?? [], {
    rules: [],
    today: '2026-05-03',
    sourceOf: (file) => sourceOf(file)?.text ?? null,
  });
  const catalogue = readCatalogue(text, 'docs/INV-8.md', policy);
  const reconciliation = reconcile(analysis, catalogue, policy, hints);
  const others = other === undefined ? [] : [{ file: 'docs/other.md', text: other }];
  const sync = (options: Parameters<typeof syncCatalogue>[4]) => {
    const { text: after, changes } = syncCatalogue(catalogue, reconciliation, analysis, policy, options);
    return { changes, text: differences(text, after) };
  };
  const pruned = sync({ prune: true, bareRemarks: true, tick: true, acceptance: [{ id: 'all-tagged', met: true }] });
  const { text: _, file: __, ...read } = catalogue;
  const whole = {
    ...read,
    entries: read.entries.map(({ cells, ...entry }) => ({ ...entry, cells: Object.keys(cells) })),
    cells: read.entries.slice(0, 2).map(({ cells }) => cells),
    ...decided(reconciliation),
    lint: lintCatalogue(catalogue, policy, reconciliation, others),
    sync: sync({}),
    pruned: pruned.text,
    init: initCatalogue(analysis, policy, { lang: 'en', today: '2026-05-03' }).split('\n'),
    status: statusReport(analysis, reconciliation, catalogue, policy, {
      labelHits: [],
      logging: null,
      alertTested: null,
    }),
  };
  return portrait(whole, { main: text, textOf: () => text }, []);
});
