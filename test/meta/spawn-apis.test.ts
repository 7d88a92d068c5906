/**
 * Every `rules/spawn-apis/<library>/cases/*.py`: a line that spawns is marked `# spawns: API NAME`, one that only schedules
 * `# scheduled: HOW NAME`, and no other line may be found.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import { analyse } from '../../src/sites/index.ts';

const ROOT = new URL('../../rules/spawn-apis/', import.meta.url);
const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());

it('are listed one for one with their folders', () => {
  expect(spawnApis.map(({ library }) => library)).toEqual(folders.map(({ name }) => name).sort());
});

function found(text: string): string[] {
  const { analysis } = analyse(new MemoryFileSystem([['case.py', text]]), ['case.py'], {
    spawnApis,
    contextVariable: 'project_id_ctx_var',
    traceVariable: 'trace_id_ctx_var',
    helper: '_run_with_context',
    importRoots: [],
  });
  expect(analysis.errors).toEqual([]);
  return [
    ...analysis.sites.map(
      ({ range, api, targets }) => `${range.line} spawns: ${api} ${targets.map(({ name }) => name)}`,
    ),
    ...analysis.scheduled.map(({ line, how, target }) => `${line} scheduled: ${how} ${target}`),
  ].sort();
}

describe.each(folders.map(({ name }) => [name] as const))('%s', (name) => {
  const folder = new URL(`${name}/`, ROOT);

  it('says what it covers and how objects are recognised', () => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8');
    expect(readme.startsWith(`# ${name}\n`)).toBe(true);
    const headings = [...readme.matchAll(/^## (.*)$/gm)].map((match) => match[1]);
    expect(headings).toContain('How objects are recognised');
    expect(headings).toContain(
      spawnApis.find(({ library }) => library === name)!.rows.some(({ scheduled }) => !scheduled)
        ? 'Counted as spawns'
        : 'Reported as scheduled work',
    );
  });

  const cases = existsSync(new URL('cases/', folder))
    ? readdirSync(new URL('cases/', folder)).filter((file) => file.endsWith('.py'))
    : [];

  it('has a case', () => {
    expect(cases).not.toEqual([]);
  });

  it.each(cases)('%s', (file) => {
    const text = readFileSync(new URL(`cases/${file}`, folder), 'utf8');
    const marked = text.split('\n').flatMap((line, i) => {
      const match = /# (spawns|scheduled): (\S+ \S+)$/.exec(line);
      return match ? [`${i + 1} ${match[1]}: ${match[2]}`] : [];
    });
    expect(found(text)).toEqual(marked.sort());
  });

  it('has a marked line for each row that its cases can show', () => {
    const texts = cases.map((file) => readFileSync(new URL(`cases/${file}`, folder), 'utf8')).join('\n');
    const apis = new Set(spawnApis.find(({ library }) => library === name)!.rows.map(({ api }) => api));
    expect([...apis].filter((api) => !texts.includes(`: ${api} `))).toEqual([]);
  });
});
