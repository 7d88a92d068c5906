/** Rules = their pages = their cases = the table of the README = the codes in the changelog. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { codemods } from '../../rules/codemods/index.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const foldersOf = (path: string): string[] =>
  readdirSync(new URL(path, ROOT), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

const HEADINGS = ['What it reports', 'Why', 'Bad', 'Good', 'How to fix'];
const ids = checks.map(({ id }) => id).sort();
const codes = checks.map(({ code }) => code).sort();

describe('checks', () => {
  it('are the folders', () => {
    expect(foldersOf('rules/checks')).toEqual(ids);
  });

  it('have codes of their own, without a gap that the changelog does not explain', () => {
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^LT\d{3}$/);
    const listed = [...read('CHANGELOG.md').matchAll(/^- Rule `([\w-]+)` \((LT\d{3})\)/gm)].map(
      (match) => `${match[2]} ${match[1]}`,
    );
    const removed = [...read('CHANGELOG.md').matchAll(/^- Removed: rule `([\w-]+)` \((LT\d{3})\)/gm)].map(
      (match) => `${match[2]} ${match[1]}`,
    );
    expect(listed.filter((each) => !removed.includes(each)).sort()).toEqual(
      checks.map(({ code, id }) => `${code} ${id}`).sort(),
    );
    const numbers = [...new Set(listed.map((each) => Number(each.slice(2, 5))))].sort((a, b) => a - b);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
  });

  it('are on the page of rules and in the tables, each once', () => {
    const page = read('docs/rules.md');
    expect([...page.matchAll(/^## (.*)$/gm)].map((match) => match[1]).sort()).toEqual(ids);
    const row = /^\| (LT\d{3}) \| \[`([\w-]+)`\]\((?:docs\/rules\.md)?#\2\) \|/gm;
    for (const file of ['docs/rules.md', 'README.md']) {
      expect([...read(file).matchAll(row)].map((match) => match[2]).sort()).toEqual(ids);
    }
  });

  it.each(ids)('%s has five headings, a bad case and a good one', (id) => {
    const readme = read(`rules/checks/${id}/README.md`);
    expect([...readme.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual(HEADINGS);
    const cases = readdirSync(new URL(`rules/checks/${id}/cases/`, ROOT));
    const texts = cases.map((name) => read(`rules/checks/${id}/cases/${name}`));
    expect(texts.some((text) => text.includes('expect: LT'))).toBe(true);
    expect(
      cases.some((name) => /\.py$/.test(name) && !read(`rules/checks/${id}/cases/${name}`).includes('expect: LT')),
    ).toBe(true);
  });
});

describe('codemods', () => {
  it('are the folders', () => {
    expect(foldersOf('rules/codemods')).toEqual(Object.keys(codemods).sort());
  });

  it.each(Object.keys(codemods))('%s has a page that shows code, and a case', (id) => {
    const readme = read(`rules/codemods/${id}/README.md`);
    expect(readme.startsWith(`# ${id}\n`)).toBe(true);
    expect(readme).toMatch(/^```python$/m);
    const cases = existsSync(new URL(`rules/codemods/${id}/cases/`, ROOT))
      ? foldersOf(`rules/codemods/${id}/cases`)
      : [];
    expect(cases).not.toEqual([]);
  });

  it('are in the table of the README', () => {
    for (const id of Object.keys(codemods)) expect(read('README.md')).toContain(`](rules/codemods/${id}/README.md)`);
  });
});
