/** What comes out of containers: iterated, unpacked, indexed, viewed. */
import { describe, expect, it } from 'vitest';
import { spawnedIn } from './support.ts';

const BOTH = ['ants|bees'];

describe('an element of', () => {
  it.each([
    ['[ants, *[bees]]', BOTH],
    ['(ants, *(bees, *[cats]))', ['ants|bees|cats']],
    ['{ants, bees}', BOTH],
    ['{ants: 1, bees: 2}', BOTH],
    ['{**{ants: 1}, bees: 2}', BOTH],
    ['{**{ants: 1, **{bees: 3}}, bees: 2}', BOTH],
    ['{f: 1 for f in (ants, bees)}', BOTH],
    ['{f for f in (ants, bees)}', BOTH],
    ['[f for f in (ants, bees) if x]', BOTH],
    ['(f for f in (ants, bees))', BOTH],
    ['[f for fs in ([ants], [bees]) for f in fs]', BOTH],
    ['[ants] + [bees]', BOTH],
    ['[ants] * 3', ['ants']],
    ['{ants} | {bees}', BOTH],
    ['{ants, bees} - {bees}', ['?']],
    ['((ants, bees) if x else (cats,))', ['ants|bees|cats']],
    ['dict(a=1)', ['?']],
    ['list((ants, bees))', BOTH],
    ['tuple([ants, bees])', BOTH],
    ['set([ants, bees])', BOTH],
    ['frozenset([ants, bees])', BOTH],
    ['sorted([ants, bees], key=x)', BOTH],
    ['reversed([ants, bees])', BOTH],
    ['iter([ants, bees])', BOTH],
    ['dict({ants: 1})', ['ants']],
    ['filter(x, [ants, bees])', BOTH],
    ['itertools.chain([ants], (bees,))', BOTH],
    ['itertools.chain.from_iterable([[ants], [bees]])', BOTH],
    ['itertools.chain.from_iterable(([ants],))', ['ants']],
    ['{ants: 1, bees: 2}.keys()', BOTH],
    ['{1: ants, 2: bees}.values()', BOTH],
    ['{1: ants, **{2: bees}}.values()', BOTH],
    ['{ants: 1, **{bees: 2}}.keys()', BOTH],
    ['{n: f for n, f in zip(x, [ants, bees])}.values()', BOTH],
    ['{f: n for n, f in zip(x, [ants, bees])}.keys()', BOTH],
    ['(todo := [ants])', ['ants']],
    ['"abc"', ['?']],
    ['5', ['?']],
  ])('%s', (iterable, targets) => {
    expect(spawnedIn(`import itertools\nfor f in ${iterable}: go(f())`)).toEqual(targets);
  });

  it('a list of another name', () => {
    expect(spawnedIn('todo = [ants] + [bees]\nfor f in todo: go(f())')).toEqual(BOTH);
    expect(spawnedIn('more = {"b": bees}\nfor f in {"a": ants, **more}.values(): go(f())')).toEqual(BOTH);
  });

  it.each([
    ['[go(f()) for f in (ants, bees)]', BOTH],
    ['{go(f()) for f in {ants, cats}}', ['ants|cats']],
    ['{k: go(f()) for k, f in {"x": ants}.items()}', ['ants']],
    ['[go(f()) for fs in [[ants], [bees]] for f in fs]', BOTH],
  ])('%s', (comprehension, targets) => {
    expect(spawnedIn(comprehension)).toEqual(targets);
  });
});

describe('a part of an element of', () => {
  it.each([
    ['f, _', '{ants: cats, bees: 2}.items()', BOTH],
    ['_, f', '{ants: cats, bees: bees}.items()', ['bees|cats']],
    ['_, f', '{"a": ants, **{"b": bees}}.items()', BOTH],
    ['f, _', '{g: cats for g in [ants, bees]}.items()', BOTH],
    ['_, f', '{g: cats for g in [ants, bees]}.items()', ['cats']],
    ['_, f', 'enumerate([ants, bees])', BOTH],
    ['f, _', 'enumerate([ants, bees])', ['?']],
    ['_, f', 'zip([ants], [bees])', ['bees']],
    ['f, _', 'zip([ants], [bees])', ['ants']],
    ['_, (_, f)', 'enumerate([(ants, bees)])', ['bees']],
    ['_, (f, _)', 'enumerate([(ants, bees)])', ['ants']],
    ['f, *_', '[(ants, bees, cats)]', ['ants']],
    ['*_, f', '[(ants, bees, cats)]', ['cats']],
    ['f, _', '[(ants, 1), [bees, 2]]', BOTH],
  ])('%s in %s', (target, iterable, targets) => {
    expect(spawnedIn(`for ${target} in ${iterable}: go(f())`)).toEqual(targets);
  });
});

describe('an entry', () => {
  it.each([
    ['[ants, bees][-1]', ['bees']],
    ['[ants, bees][-2]', ['ants']],
    ['[ants, bees][0]', ['ants']],
    ['[ants, bees][2]', ['?']],
    ['[ants, bees][-3]', ['?']],
    ['(ants, bees)[1]', ['bees']],
    ['(ants, bees)[x]', BOTH],
    ['[[ants, bees], [cats]][0][1]', ['bees']],
    ['[ants, *[bees]][1]', BOTH],
    ['{"x": ants, "y": bees}["x"]', ['ants']],
    ['{"x": ants, "x": bees}["x"]', ['bees']],
    ['{"x": ants, "y": bees}[x]', BOTH],
    ['{"x": ants, "y": bees}["z"]', ['?']],
    ['{"x": ants, y: bees}["z"]', ['bees']],
    ['{1: ants, 2: bees}[2]', ['bees']],
    ['{1: ants}["1"]', ['?']],
    ['{**{"x": ants}, "y": bees}["x"]', ['ants']],
    ['{**{"x": ants}, "x": bees}["x"]', ['bees']],
    ['{"x": ants, **{"x": bees}}["x"]', ['bees']],
    ['{**{"x": ants, **{"y": cats}}, "z": bees}["y"]', ['cats']],
    ['{"a": {"b": ants, "c": bees}}["a"]["c"]', ['bees']],
    ['{n: f for n, f in zip("ab", [ants, bees])}["a"]', BOTH],
    ['{True: ants, False: bees}[x > 1]', BOTH],
    ['{"x": ants, "y": bees}.get("y")', ['bees']],
    ['{"x": ants, "y": bees}.pop("x")', ['ants']],
    ['next(iter([ants]))', ['ants']],
    ['(lambda: ants)()', ['ants']],
    ['(ants if x else bees)', BOTH],
    ['(ants or bees)', BOTH],
  ])('%s', (entry, targets) => {
    expect(spawnedIn(`go(${entry}())`)).toEqual(targets);
    expect(spawnedIn(`f = ${entry}\ngo(f())`)).toEqual(targets);
  });
});

describe('unpacked', () => {
  it.each([
    ['a, *b = [ants, bees, cats]\nfor f in b: go(f())', ['bees|cats']],
    ['*a, b = [ants, bees, cats]\ngo(b())', ['cats']],
    ['*a, b = [ants, bees, cats]\nfor f in a: go(f())', BOTH],
    ['a, *b, c = [ants, bees, cats]\ngo(b[0]())', ['bees']],
    ['a, *b, c = [ants, bees, cats]\ngo(c())', ['cats']],
    ['a, *b, c = [ants, bees, cats]\ngo(a())', ['ants']],
    ['a, (b, c) = ants, (bees, cats)\ngo(b())', ['bees']],
    ['a, (b, c) = ants, (bees, cats)\ngo(c())', ['cats']],
    ['(a, b), c = (ants, bees), cats\ngo(b())', ['bees']],
    ['[a, b] = ants, bees\ngo(b())', ['bees']],
    ['a = b = ants\ngo(b())', ['ants']],
    ['a, b = b, a = ants, bees\ngo(a())', ['bees']],
    ['pair = ants, bees\na, b = pair\ngo(b())', ['bees']],
    ['x.y, a = ants, bees\ngo(a())', ['bees']],
    ['x[0], a = ants, bees\ngo(a())', ['bees']],
    ['for f in [ants, bees]:\n    pass\ngo(f())', BOTH],
    ['with x as (a, b):\n    a = ants\n    go(a())', ['ants']],
  ])('%s', (body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('handed over', () => {
  it.each([
    ['go(*[ants()])', ['ants']],
    ['go(*(ants(),))', ['ants']],
    ['go(**{"coro": ants()})', ['ants']],
    ['go(coro=ants())', ['ants']],
    ['go(*[])', ['?']],
  ])('%s', (call, targets) => {
    expect(spawnedIn(call)).toEqual(targets);
  });
});
