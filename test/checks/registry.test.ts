import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checks } from '../../rules/checks/index.ts';
import { checkInput } from '../support/builders.ts';

const ROOT = new URL('../../rules/checks/', import.meta.url);
const folders = readdirSync(ROOT, { withFileTypes: true })
  .filter((e) => e.isDirectory())
  .map((e) => e.name);

describe('the rules', () => {
  it('are listed one for one with their folders', () => {
    expect(checks.map(({ id }) => id)).toEqual([...folders].sort());
  });

  it('have the codes from LT001 on, each once and none left out', () => {
    const codes = checks.map(({ code }) => code).sort();
    expect(codes.length).toBeGreaterThanOrEqual(27);
    expect(codes).toEqual(Array.from({ length: codes.length }, (_, i) => `LT${String(i + 1).padStart(3, '0')}`));
  });

  it('block only on what stops the migration', () => {
    const errors = checks.filter(({ severity }) => severity === 'error').map(({ id }) => id);
    expect(errors).toEqual([
      'ineffective-tag',
      'missing-trace-id',
      'stale-entry',
      'syntax-error',
      'uncatalogued-loop',
      'untagged-loop',
      'wrong-project-id',
    ]);
  });

  it.each(checks.map((check) => [check.id, check] as const))('%s says nothing about an empty project', (_id, check) => {
    expect([...check.run(checkInput())]).toEqual([]);
    expect(check.remedy).toBeTruthy();
    expect(check.summary).toMatch(/^[A-Z].*\.$/);
  });
});

describe.each(folders)('%s', (id) => {
  const check = checks.find((c) => c.id === id)!;
  const read = (file: string) => readFileSync(new URL(`${id}/${file}`, ROOT), 'utf8');

  it('is explained: what, why, bad, good, how to fix', () => {
    const readme = read('README.md');
    expect(readme.startsWith(`# ${id} (${check.code})\n`)).toBe(true);
    const headings = [...readme.matchAll(/^## (.*)$/gm)].map((m) => m[1]);
    expect(headings).toEqual(['What it reports', 'Why', 'Bad', 'Good', 'How to fix']);
  });

  it('has a bad case with a marker and a good case without', () => {
    const bad = read('cases/bad.py') + (existsSync(new URL(`${id}/cases/bad.md`, ROOT)) ? read('cases/bad.md') : '');
    const markers = [...bad.matchAll(/expect: (LT\d+)/g)].map((m) => m[1]);
    expect(new Set(markers)).toEqual(new Set([check.code]));
    expect(read('cases/good.py')).not.toContain('expect:');
  });
});
