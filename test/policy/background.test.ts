/** Does a spawn work in the background, or for what started it? */
import { describe, expect, test } from 'vitest';
import { tail } from '../../src/model/identifier.ts';
import type { CalledFrom, OwnGroup, SiteShape } from '../../src/model/index.ts';
import { samePath } from '../../src/model/listed-line.ts';
import { reconcile } from '../../src/policy/index.ts';
import { type Hint, hintOf, isBackground, isWaitedFor } from '../../src/policy/reconcile/candidates.ts';
import { analysis, facts, site, target } from '../support/builders.ts';
import { awoooi } from './support.ts';

interface Case {
  lifecycle?: 'loop' | 'one-shot' | 'unknown';
  path?: SiteShape['path'];
  use?: SiteShape['use'];
  calledFrom?: CalledFrom[];
  group?: OwnGroup;
  file?: string;
  outside?: boolean;
  nothing?: boolean;
}

function candidate({ lifecycle = 'one-shot', file, outside, nothing, ...shape }: Case) {
  const of = target('job', { facts: facts({ lifecycle }), ...(outside ? { file: null, line: null } : {}) });
  const plain = site('job', 5);
  const range = { ...plain.range, ...(file ? { file } : {}) };
  const spawn = { ...plain, range, shape: { ...plain.shape, ...shape } };
  return { site: spawn, target: nothing ? null : of };
}

const START = { start: 1, ends: null } as const;
const RESULT = { start: 1, ends: 'for-result' } as const;
const MEMBERS = { start: 1, ends: 'with-members' } as const;

describe('in the background', () => {
  test.each<[string, boolean, Case]>([
    ['a loop at start-up', true, { lifecycle: 'loop' }],
    ['a loop on a request', true, { lifecycle: 'loop', path: 'request' }],
    ['a loop in a test', true, { lifecycle: 'loop', file: 'tests/test_x.py' }],
    ['a one-shot at start-up', true, {}],
    ['a one-shot at import', true, { path: 'module' }],
    ['an unknown one at start-up', true, { lifecycle: 'unknown' }],
    ['a one-shot at start-up of a test', false, { file: 'tests/test_x.py' }],
    ['a one-shot on a request', false, { path: 'request' }],
    ['a one-shot at start-up that a request calls, too', false, { calledFrom: ['request'] }],
    ['a one-shot that a task calls', false, { calledFrom: ['startup', 'task'] }],
    ['dropped in an ordinary function', true, { path: 'unknown' }],
    ['held in an ordinary function', true, { path: 'unknown', use: 'held' }],
    ['kept in an ordinary function', false, { path: 'unknown', use: 'kept' }],
    ['kept in a function that start-up calls', true, { path: 'unknown', use: 'kept', calledFrom: ['startup'] }],
    ['awaited in a function that start-up calls', false, { path: 'unknown', use: 'awaited', calledFrom: ['startup'] }],
    ['returned by a function that start-up calls', false, { path: 'unknown', use: 'returned', calledFrom: ['module'] }],
    ['dropped, but not known', false, { path: 'unknown', lifecycle: 'unknown' }],
    ['dropped, from outside of the project', false, { path: 'unknown', outside: true }],
    ['dropped, nothing known', false, { path: 'unknown', nothing: true }],
    ['a one-shot of a group at start-up', true, { group: START }],
    ['a one-shot of a group that ends', false, { group: MEMBERS }],
    ['a loop of a group at start-up that ends', true, { group: RESULT, lifecycle: 'loop' }],
    ['a loop of a group elsewhere, for its result', false, { group: RESULT, lifecycle: 'loop', path: 'unknown' }],
    ['a loop of a group elsewhere', true, { group: MEMBERS, lifecycle: 'loop', path: 'request' }],
    ['a one-shot of a group elsewhere', false, { group: START, path: 'unknown' }],
    ['an unknown one of a group at start-up', true, { group: MEMBERS, lifecycle: 'unknown' }],
  ])('%s: %s', (_, expected, each) => {
    expect(isBackground(candidate(each))).toBe(expected);
  });

  test('waited for only in a group', () => {
    const { site: spawn, target: of } = candidate({});
    expect(isWaitedFor(spawn, of)).toBe(false);
  });
});

test('paths and names', () => {
  expect(samePath('a/main.py', 'a/main.py')).toBe(true);
  expect(samePath('apps/a/main.py', 'a/main.py')).toBe(true);
  expect(samePath('main.py', 'a/main.py')).toBe(true);
  expect(samePath('xmain.py', 'main.py')).toBe(false);
  expect(samePath('main.py', 'xmain.py')).toBe(false);
  expect(samePath('b/main.py', 'a/main.py')).toBe(false);
  expect([tail('a.b.c'), tail('c'), tail('a.')]).toEqual(['c', 'c', '']);
});

test('hints on any line of a call are one', () => {
  const plain = site('job', 5);
  const long = { ...plain, range: { ...plain.range, endLine: 7 } };
  const { file } = long.range;
  const at = (line: number) => hintOf(new Map([[`${file}:${line}`, { number: 7 }]]), long).number === 7;
  expect([4, 5, 6, 7, 8].map(at)).toEqual([false, true, true, true, false]);
  expect(hintOf(new Map(), long)).toEqual({});
  const both = new Map<string, Hint>([
    [`${file}:5`, { class: 'A', projectId: 'old' }],
    [`${file}:7`, { projectId: 'new' }],
  ]);
  expect(hintOf(both, long)).toEqual({ class: 'A', projectId: 'new' });
});

describe('why it needs no tag', () => {
  const REQUEST = 'needs no tag: it is started on a request and ends with its work';
  test.each<[string, string, Case]>([
    ['on a request', REQUEST, { path: 'request' }],
    ['what a request calls', REQUEST, { path: 'unknown', calledFrom: ['task', 'request'] }],
    [
      'what a task calls',
      'needs no tag of its own: it works for the task that starts it',
      { path: 'unknown', calledFrom: ['task'] },
    ],
    [
      'kept',
      'needs no tag of its own: it ends by itself, and what starts it holds on to it',
      { path: 'unknown', use: 'kept' },
    ],
    [
      'of a group',
      'needs no tag of its own: what starts it opens its group, and waits until all in it has ended',
      { path: 'unknown', group: MEMBERS },
    ],
  ])('%s', (_, words, each) => {
    const { site: spawn, target: of } = candidate(each);
    const [decision] = reconcile(analysis([{ ...spawn, targets: [of!] }]), null, awoooi).decisions;
    expect([decision!.required, decision!.reasons.at(-1)]).toEqual([false, words]);
  });
});
