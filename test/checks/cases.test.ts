/** The cases of each rule through the whole pipeline: Python and Markdown in, findings out. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { runChecks, selectChecks } from '../../src/engine/check.ts';
import { readDirectives } from '../../src/engine/directives.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import { lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { parsePolicy } from '../../src/policy/policy/parse.ts';
import { analyse, findLoggingUse } from '../../src/sites/index.ts';

const ROOT = new URL('../../rules/', import.meta.url);
const policy = parsePolicy(readFileSync(new URL('policies/awoooi.yaml', ROOT), 'utf8'), 'awoooi');
const TODAY = '2026-05-03';
const { active } = selectChecks(checks, {});

function findingsOf(python: string, markdown: string | null) {
  const fs = new MemoryFileSystem([['main.py', python]]);
  const analysed = analyse(fs, ['main.py'], {
    spawnApis,
    contextVariable: policy.contextVariable,
    traceVariable: policy.traceVariable,
    helper: policy.helper,
    importRoots: [],
  });
  const { analysis } = analysed;
  const sourceOf = (file: string) => analysed.sourceOf(file)?.text ?? (file === 'main.py' ? python : null);
  const { hints } = readDirectives(analysis.directives ?? [], { rules: checks, today: TODAY, sourceOf });
  const catalogue = markdown === null ? null : readCatalogue(markdown, 'INV-8.md', policy);
  const reconciliation = reconcile(analysis, catalogue, policy, hints);
  if (catalogue) catalogue.contradictions = lintCatalogue(catalogue, policy, reconciliation);
  const logging = findLoggingUse(analysed.project, analysis.files, analysis.contextVariables);
  const input = { analysis, catalogue, reconciliation, policy, today: TODAY, logging, sourceOf };
  return runChecks(active, input, { known: checks }).findings;
}

/** `main.py:31 LT001` of each line with a marker. */
function expected(file: string, text: string | null): string[] {
  return (text ?? '').split('\n').flatMap((line, i) => {
    const codes = [...line.matchAll(/expect: (LT\d+)/g)].map((m) => m[1]);
    return codes.map((code) => `${file}:${i + 1} ${code}`);
  });
}

describe.each(checks.map((c) => [c.id, c] as const))('%s', (id, check) => {
  const folder = new URL(`checks/${id}/cases/`, ROOT);
  const read = (name: string) =>
    existsSync(new URL(name, folder)) ? readFileSync(new URL(name, folder), 'utf8') : null;
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => name.slice(0, -3));

  it.each(names)('%s', (name) => {
    const python = read(`${name}.py`)!;
    const markdown = read(`${name}.md`);
    const own = findingsOf(python, markdown).filter(({ code }) => code === check.code);
    const found = own.map(({ range, code }) => `${range.file}:${range.line} ${code}`).sort();
    expect(found).toEqual([...expected('INV-8.md', markdown), ...expected('main.py', python)].sort());
  });
});
