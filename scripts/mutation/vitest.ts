/** As much of vitest as the tests use, for one process that runs them again and again. */

import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, setState } from '@vitest/expect';
import * as chai from 'chai';

type Body = (...args: never[]) => unknown;
type Hook = () => unknown;

interface Suite {
  name: string;
  skip: boolean;
  before: Hook[];
  after: Hook[];
  beforeEach: Hook[];
  afterEach: Hook[];
  children: (Suite | Test)[];
}

interface Test {
  name: string;
  skip: boolean;
  body: Hook;
}

const suite = (name: string, skip = false): Suite => ({
  name,
  skip,
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
  children: [],
});

let current = suite('');
let folder = '';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
chai.use((api) => {
  api.Assertion.addMethod('toMatchFileSnapshot', function (this: { _obj: unknown }, file: string) {
    const wanted = readFileSync(isAbsolute(file) ? file : join(folder, file), 'utf8');
    expect(this._obj).toBe!(wanted);
  });
});

export const expect = Object.assign(
  (value: unknown, message?: string) => {
    setState({ assertionCalls: 0, isExpectingAssertions: false, expectedAssertionsNumber: null }, expect as never);
    return chai.expect(value, message) as never as Record<string, (...args: unknown[]) => unknown>;
  },
  chai.expect,
  {
    unreachable: (message?: string) => {
      throw new Error(message ?? 'reached');
    },
  },
);
(globalThis as Record<symbol, unknown>)[Symbol.for('expect-global')] = expect;

const options = (args: unknown[]): Body | undefined => args.find((each) => typeof each === 'function') as Body;

function titled(name: string, values: unknown, index: number): string {
  const list = Array.isArray(values) ? values : [values];
  let next = 0;
  return name
    .replace(/\$(\w+)/g, (_, key: string) => String((list[0] as Record<string, unknown>)?.[key]))
    .replace(/%[sidjo]/g, () => String(list[next++]))
    .replace(/%#/g, String(index));
}

type Define = (name: string, ...args: unknown[]) => void;

function family(define: (name: string, body: Body | undefined, skip: boolean, args: unknown[]) => void): unknown {
  const make = (skip: boolean): Define => {
    const plain: Define = (name, ...args) => define(String(name), options(args), skip, []);
    const each =
      (table: readonly unknown[]): Define =>
      (name, ...args) => {
        for (const [i, values] of table.entries())
          define(titled(name, values, i), options(args), skip, Array.isArray(values) ? values : [values]);
      };
    return Object.assign(plain, { each, for: each });
  };
  const [runs, skips] = [make(false), make(true)];
  return Object.assign(runs, {
    skip: skips,
    todo: skips,
    concurrent: runs,
    sequential: runs,
    skipIf: (condition: unknown) => (condition ? skips : runs),
    runIf: (condition: unknown) => (condition ? runs : skips),
  });
}

export const describe = family((name, body, skip, args) => {
  const outer = current;
  const inner = suite(name, skip || outer.skip);
  outer.children.push(inner);
  current = inner;
  body?.(...(args as never[]));
  current = outer;
});

export const it = family((name, body, skip, args) => {
  current.children.push({
    name,
    skip: skip || current.skip || !body,
    body: () => body!(...((args.length ? args : [{}]) as never[])),
  });
});
export const test = it;
export const beforeAll = (hook: Hook): unknown => current.before.push(hook);
export const afterAll = (hook: Hook): unknown => current.after.push(hook);
export const beforeEach = (hook: Hook): unknown => current.beforeEach.push(hook);
export const afterEach = (hook: Hook): unknown => current.afterEach.push(hook);
export const vi = { setConfig: () => {} };
/** No process is kept for the tests here. */
export const inject = (): undefined => undefined;

export interface Outcome {
  name: string;
  error: string | null;
  milliseconds: number;
}

/** Collects the tests of a file and runs those that are wanted, up to the first that fails when `stop` is set. */
export async function runFile(
  file: string,
  load: () => Promise<unknown>,
  wanted: (name: string) => boolean,
  hooks: { before(name: string): void; after(outcome: Outcome): boolean },
): Promise<void> {
  const root = suite(file);
  current = root;
  folder = join(file, '..');
  await load();
  let stopped = false;
  const contains = (s: Suite, path: string): boolean =>
    s.children.some((c) =>
      'children' in c ? contains(c, `${path} > ${c.name}`) : !c.skip && wanted(`${path} > ${c.name}`),
    );
  const visit = async (s: Suite, path: string, before: Hook[], after: Hook[]): Promise<void> => {
    if (stopped || s.skip || !contains(s, path)) return;
    let broken: unknown = null;
    try {
      for (const hook of s.before) await hook();
    } catch (e) {
      broken = e;
    }
    const [each, finish] = [
      [...before, ...s.beforeEach],
      [...s.afterEach, ...after],
    ];
    for (const child of s.children) {
      if (stopped) break;
      const name = `${path} > ${child.name}`;
      if ('children' in child) await visit(child, name, each, finish);
      else if (!child.skip && wanted(name)) {
        hooks.before(name);
        const started = performance.now();
        let error: string | null = null;
        try {
          if (broken) throw broken;
          for (const hook of each) await hook();
          await child.body();
        } catch (e) {
          error = String((e as Error)?.message ?? e);
        }
        for (const hook of finish) await hook();
        stopped = hooks.after({ name, error, milliseconds: performance.now() - started });
      }
    }
    for (const hook of s.after) await hook();
  };
  await visit(root, file, [], []);
}
