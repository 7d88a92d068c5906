import { describe, expect, test } from 'vitest';
import type { Analysis } from '../../src/model/index.ts';
import { initCatalogue, syncCatalogue } from '../../src/policy/catalogue/write.ts';
import { lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analysis, target } from '../support/builders.ts';
import { awoooi, loop, request, service, tenantBasic } from './support.ts';

const far = (name: string, line: number) => {
  const s = loop(name, line, 5400);
  return { ...s, range: { ...s.range, file: 'apps/worker/main.py' } };
};
const alike = (module: string, line: number) =>
  loop('run', line, 60, { targets: [target('run', { qualifiedName: `src.${module}.run` })] });

const projects: Record<string, Analysis> = {
  'the bundled service': service(),
  'one loop': analysis([loop('run_a', 10, null)]),
  'nothing at all': analysis([]),
  'a request only': analysis([request('send', 10)]),
  'two files and names alike': analysis([
    alike('a', 10),
    alike('b', 20),
    far('run_far', 3),
    loop('run_contract_outbox_relay', 40, 'once'),
  ]),
};

describe.each(['zh-TW', 'en'] as const)('%s', (lang) => {
  test.each(
    Object.keys(projects).flatMap((p) => [awoooi, tenantBasic].map((policy) => [p, policy.name, policy] as const)),
  )('%s, %s: sync changes nothing, lint is clean', (project, _name, policy) => {
    const a = projects[project]!;
    const text = initCatalogue(a, policy, { lang, today: '2026-05-03' });
    const catalogue = readCatalogue(text, 'docs/INV-8.md', policy);
    expect(catalogue.problems).toEqual([]);
    expect(catalogue.language).toBe(lang);
    const r = reconcile(a, catalogue, policy);
    expect(r.stale).toEqual([]);
    expect(r.unlisted.filter((d) => d.required)).toEqual([]);
    expect(lintCatalogue(catalogue, policy, r)).toEqual([]);
    expect(syncCatalogue(catalogue, r, a, policy)).toEqual({ text, changes: [] });
    expect(syncCatalogue(catalogue, r, a, policy, { prune: true, tick: true }).text).toBe(text);
  });

  test('what no rule judges waits for a decision', () => {
    const silent = { ...tenantBasic, suggestions: [] };
    const a = analysis([loop('run_a', 10)]);
    const text = initCatalogue(a, silent, { lang, today: '2026-05-03' });
    const unknown = lang === 'zh-TW' ? '（需確認）' : 'TBD';
    expect(text).toContain(` | ${unknown} | ${unknown} |  |\n`);
    const catalogue = readCatalogue(text, 'docs/loops.md', silent);
    expect(syncCatalogue(catalogue, reconcile(a, catalogue, silent), a, silent).changes).toEqual([]);
    const judged = syncCatalogue(catalogue, reconcile(a, catalogue, tenantBasic), a, tenantBasic).text;
    expect(judged).toMatch(/ \| `default_tenant` \| P1 +\| {2}\|\n/);
  });

  test('golden', async () => {
    const text = initCatalogue(service(), awoooi, { lang, today: '2026-05-03' });
    await expect(text).toMatchFileSnapshot(`cases/init/${lang}.md`);
  });
});
