/**
 * Every case below `test/cases`: small inputs with their right answers (see the README there), by the built command line.
 *
 * `expected.json` without `"type": "rewrite"`: one `inventory` of the folder. With it, or with `expected.py` beside `input.py`: one
 * `migrate --write`, whose call sites must come out byte for byte; the wording of helper and imports is free.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTEXT_HELPER } from '../support/context-helper.ts';
import { type ExpectedInventory, inventoryDifferences } from './support/inventory.ts';
import { callSites } from './support/rewrite.ts';
import { atLeast, compileErrors, copy, json, looptag, python3, ROOT, temporary, write } from './support/run.ts';

const CASES = join(ROOT, 'test', 'cases');

const CONTEXT = `from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default="")
trace_id_ctx_var = ContextVar("trace_id", default="")


def generate_trace_id():
    return "0" * 32
`;

interface Case {
  name: string;
  folder: string;
  files: string[];
  expected: (ExpectedInventory & { type?: string; python_min: string; changed?: boolean }) | null;
}

function casesOf(kind: 'patterns' | 'bugs'): Case[] {
  return readdirSync(join(CASES, kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = join(CASES, kind, name);
      const answer = join(folder, 'expected.json');
      const expected = existsSync(answer) ? JSON.parse(readFileSync(answer, 'utf8')) : null;
      return { name, folder, files: readdirSync(folder), expected };
    });
}

const all = [...casesOf('patterns'), ...casesOf('bugs')];
const inventories = all.filter(({ expected }) => expected && expected.type !== 'rewrite');
const rewrites = all.filter(({ expected }) => expected?.type === 'rewrite');
const repaired = all.filter(({ files }) => files.includes('input.py') && files.includes('expected.py'));

it('finds the cases', () => {
  expect([inventories.length, rewrites.length, repaired.length]).toEqual([45, 15, 10]);
});

describe.concurrent('inventory', () => {
  it.each(inventories.map((each) => [each.name, each] as const))('%s', async (_name, { folder, expected }) => {
    const cwd = temporary();
    copy(folder, cwd, (path) => !path.endsWith('expected.json'));
    const outcome = await looptag(['inventory', '--format', 'json', '--root', '.', '.'], { cwd });
    expect(inventoryDifferences(json(outcome), expected!)).toEqual([]);
    expect(outcome.code).toBe(expected!.syntax_error_files?.length ? 2 : 0);
  });
});

/** What came of each rewrite that this python3 can read, for one run of it. */
const results: string[] = [];

/** Migrates one file, and proves that a second run changes nothing. */
async function migrated(file: string, options: string[], pythonMinimum: string): Promise<Buffer> {
  const cwd = temporary();
  write(cwd, { 'case.py': readFileSync(file), 'src/core/context.py': CONTEXT, 'app/ctx.py': CONTEXT_HELPER });
  const args = ['migrate', '--project-id', 'awoooi', ...options, '--write', '--root', '.', 'case.py'];
  const first = await looptag(args, { cwd });
  expect(first.err).not.toContain('internal error');
  expect(first.code, first.err).toBe(0);
  const path = join(cwd, 'case.py');
  const result = readFileSync(path);
  if (python3 && atLeast(python3, pythonMinimum)) results.push(path);
  await looptag(args, { cwd });
  expect(readFileSync(path).equals(result), 'a second run changes the file again').toBe(true);
  return result;
}

function expectCallSites(folder: string, before: string, after: RegExp, result: Buffer): void {
  const source = readFileSync(join(folder, before));
  const right = readdirSync(folder).filter((name) => after.test(name));
  const wanted = right.map((name) => callSites(source, readFileSync(join(folder, name))));
  const found = callSites(source, result);
  // The first answer is the one to show when none fits.
  if (!wanted.includes(found)) expect(found).toBe(wanted[0]);
}

describe.concurrent('rewrite', () => {
  it.each(rewrites.filter(({ expected }) => expected!.changed))(
    '$name: the comparison sees a call that is left alone',
    ({ folder }) => {
      const before = readFileSync(join(folder, 'before.py'));
      expect(callSites(before, before)).not.toBe(callSites(before, readFileSync(join(folder, 'after.py'))));
    },
  );

  it.each(rewrites.map((each) => [each.name, each] as const))('%s', async (_name, { folder, expected }) => {
    const options = ['--helper', 'inline', '--context-var', 'src.core.context:project_id_ctx_var'];
    const result = await migrated(join(folder, 'before.py'), options, expected!.python_min);
    expectCallSites(folder, 'before.py', /^after.*\.py$/, result);
  });

  it.each(repaired.map((each) => [each.name, each] as const))('%s', async (_name, { folder }) => {
    const result = await migrated(join(folder, 'input.py'), ['--helper', 'app.ctx'], '3.8');
    expectCallSites(folder, 'input.py', /^expected.*\.py$/, result);
  });
});

it.skipIf(!python3)('each result compiles', () => {
  expect(results.length).toBeGreaterThan(20);
  expect(compileErrors(python3!, results)).toEqual([]);
});
