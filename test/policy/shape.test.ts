/** Data against its description: what is taken, what is filled in, and what is said of what does not fit. */
import { describe, expect, test } from 'vitest';
import {
  conform,
  editDistance,
  type Flaw,
  flag,
  list,
  nearest,
  number,
  object,
  oneOf,
  record,
  type Shape,
  text,
} from '../../src/policy/policy/shape.ts';

function flawsOf(value: unknown, shape: Shape, path?: string[]): Flaw[] {
  const flaws: Flaw[] = [];
  conform(value, shape, flaws, path);
  return flaws;
}

const taken = (value: unknown, shape: Shape): unknown => {
  const flaws: Flaw[] = [];
  const got = conform(value, shape, flaws);
  expect(flaws).toEqual([]);
  return got;
};

const variant: Shape = {
  kind: 'variant',
  tag: 'kind',
  cases: { circle: { radius: number() }, dot: {} },
};

describe('what fits', () => {
  test.each<[string, unknown, Shape]>([
    ['a text', 'x', text()],
    ['no text where none is needed', null, text({ nullable: true })],
    ['a regular expression', '^a(b|c)$', text({ regex: true })],
    ['a number', 1.5, number()],
    ['nothing', 0, number()],
    ['the least', 3, number({ min: 3 })],
    ['a negative number where that is allowed', -2, number({ min: -5, integer: true })],
    ['no number where none is needed', null, number({ nullable: true })],
    ['true', true, flag()],
    ['false', false, flag()],
    ['one of some', 'b', oneOf(['a', 'b'])],
    ['none of some', null, oneOf(['a', 'b'], { nullable: true })],
    ['a list', ['a', 'b'], list(text())],
    ['an empty list', [], list(text())],
    ['a record', { x: 1, y: 2 }, record(number())],
    ['a record of known keys', { x: 1 }, record(number(), { keys: ['x', 'y'] })],
    ['an object', { a: 'x', b: 1 }, object({ a: text(), b: number() })],
    ['a variant', { kind: 'circle', radius: 2 }, variant],
    ['another variant', { kind: 'dot' }, variant],
  ])('%s', (_, value, shape) => {
    expect(taken(value, shape)).toEqual(value);
  });

  test('what may be left out', () => {
    const shape = object({ a: text(), b: list(text()), c: number() }, { b: ['x'], c: undefined });
    expect(taken({ a: 'y' }, shape)).toEqual({ a: 'y', b: ['x'] });
    expect(taken({ a: 'y', b: [], c: 3 }, shape)).toEqual({ a: 'y', b: [], c: 3 });
    const [one, other] = [taken({ a: 'y' }, shape), taken({ a: 'y' }, shape)] as { b: string[] }[];
    expect(one!.b).not.toBe(other!.b);
  });

  test('mappings have no prototype', () => {
    for (const got of [taken({ x: 1 }, record(number())), taken({ kind: 'dot' }, variant)])
      expect(Object.getPrototypeOf(got)).toBeNull();
  });
});

describe('what does not fit', () => {
  const MAPPING = 'write `key: value` lines';
  test.each<[string, unknown, Shape, string, string]>([
    ['a number for a text', 1, text(), 'text expected, number `1` found', 'write text, in quotes if need be'],
    ['nothing for a text', null, text(), 'text expected, nothing found', 'write text, in quotes if need be'],
    ['a mapping for a text', {}, text(), 'text expected, a mapping found', 'write text, in quotes if need be'],
    ['a text for a number', 'x', number(), 'a number expected, string `x` found', 'write a plain number'],
    ['nothing for a number', null, number(), 'a number expected, nothing found', 'write a plain number'],
    ['what is no number', Number.NaN, number(), 'a number expected, number `NaN` found', 'write a plain number'],
    ['a part for a whole', 1.5, number({ integer: true }), '1.5 is no whole number', 'write a whole number'],
    ['less than nothing', -1, number(), '-1 is less than 0', 'write a greater number'],
    ['less than the least', 2, number({ min: 3 }), '2 is less than 3', 'write a greater number'],
    ['a text for a flag', 'yes', flag(), 'true or false expected, string `yes` found', 'write true or false'],
    [
      'none of some, one near',
      'blu',
      oneOf(['red', 'blue']),
      'string `blu` is none of red, blue',
      'did you mean `blue`?',
    ],
    ['none of some', 'x', oneOf(['reddish', 'blueish']), 'string `x` is none of reddish, blueish', 'use one of these'],
    ['a number for one of some', 1, oneOf(['1']), 'number `1` is none of 1', 'use one of these'],
    ['a text for a list', 'x', list(text()), 'a list expected, string `x` found', 'write `- …` items or [ … ]'],
    ['a mapping for a list', {}, list(text()), 'a list expected, a mapping found', 'write `- …` items or [ … ]'],
    ['a list for a record', [], record(text()), 'a mapping expected, a list found', MAPPING],
    ['nothing for an object', null, object({}), 'a mapping expected, nothing found', MAPPING],
    ['a text for a variant', 'dot', variant, 'a mapping expected, string `dot` found', MAPPING],
  ])('%s', (_, value, shape, message, remedy) => {
    expect(flawsOf(value, shape, ['a', 'b'])).toEqual([
      { path: ['a', 'b'], key: false, message: `a.b: ${message}`, remedy },
    ]);
    expect(flawsOf(value, shape)).toEqual([{ path: [], key: false, message: `the policy: ${message}`, remedy }]);
  });

  test('a text that must say something', () => {
    const id = text({ nullable: true, filled: true });
    expect(flawsOf(' ', id, ['p'])).toEqual([
      { path: ['p'], key: false, message: 'p: it is empty', remedy: 'write a name, or null for none' },
    ]);
    expect([flawsOf('x', id), flawsOf(null, id), flawsOf('', text())]).toEqual([[], [], []]);
  });

  test('a pattern that is none', () => {
    const [flaw] = flawsOf('(', text({ regex: true }), ['p']);
    expect(flaw).toMatchObject({ path: ['p'], remedy: 'use JavaScript syntax and escape special characters' });
    expect(flaw!.message).toMatch(/^p: no regular expression: ./);
    expect(flawsOf('(', text())).toEqual([]);
  });

  test('the place of a part', () => {
    expect(flawsOf(['a', 1, 'b', 2], list(text())).map(({ path }) => path)).toEqual([[1], [3]]);
    expect(flawsOf({ x: { y: 1 } }, record(record(text())))).toMatchObject([{ path: ['x', 'y'], key: false }]);
    expect(flawsOf({ a: [{ b: 'x' }] }, object({ a: list(object({ b: number() })) }))).toMatchObject([
      { path: ['a', 0, 'b'], message: 'a.0.b: a number expected, string `x` found' },
    ]);
  });

  test('keys', () => {
    const shape = object({ title: text(), name: text() }, { name: 'n' });
    expect(flawsOf({ titel: 'x', title: 'y' }, shape, ['p'])).toEqual([
      { path: ['p', 'titel'], key: true, message: 'unknown key `p.titel`', remedy: 'did you mean `title`?' },
    ]);
    expect(flawsOf({ zzzzzz: 'x', title: 'y' }, shape)).toEqual([
      { path: ['zzzzzz'], key: true, message: 'unknown key `zzzzzz`', remedy: 'known here: title, name' },
    ]);
    expect(flawsOf({}, shape)).toEqual([
      { path: [], key: false, message: 'the policy: `title` is missing', remedy: 'add `title:`' },
    ]);
    expect(flawsOf({}, shape, ['p'])).toMatchObject([{ message: 'p: `title` is missing' }]);
    expect(flawsOf({ C: 1, A: 1 }, record(number(), { keys: ['A', 'B'] }), ['classes'])).toEqual([
      { path: ['classes', 'C'], key: true, message: 'unknown key `classes.C`', remedy: 'did you mean `A`?' },
    ]);
    expect(conform({ C: 1, A: 1 }, record(number(), { keys: ['A', 'B'] }), [])).toEqual({ A: 1 });
  });

  test('variants', () => {
    expect(flawsOf({ radius: 1 }, variant)).toEqual([
      { path: ['kind'], key: false, message: 'kind: nothing is none of circle, dot', remedy: 'use one of these' },
    ]);
    expect(flawsOf({ kind: 'dott' }, variant)).toMatchObject([{ path: ['kind'], remedy: 'did you mean `dot`?' }]);
    expect(flawsOf({ kind: 'dot', radius: 1 }, variant)).toMatchObject([{ path: ['radius'], key: true }]);
    expect(flawsOf({ kind: 'circle' }, variant)).toMatchObject([{ message: 'the policy: `radius` is missing' }]);
    expect(conform({ kind: 'square' }, variant, [])).toBeUndefined();
  });
});

test('the nearest word', () => {
  expect(nearest('Titel', ['name', 'title'])).toBe('title');
  expect(nearest('ab', ['xy', 'ac'])).toBe('ac');
  expect(nearest('kitten', ['sitting'])).toBe('sitting');
  expect(nearest('abcdef', ['uvwxyz'])).toBeNull();
  expect(nearest('x', [])).toBeNull();
  // the first of two that are as near
  expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
});

test.each([
  ['', '', 0],
  ['abc', '', 3],
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'ab', 1],
  ['abc', 'xabc', 1],
  ['kitten', 'sitting', 3],
  ['flaw', 'lawn', 2],
])('from %j to %j: %d', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});
