/** Which assignments reach a spawn: branches, loops, handlers, cases, closures. */
import { describe, expect, it } from 'vitest';
import { spawned, spawnedIn } from './support.ts';

describe('branches', () => {
  it.each([
    ['the other branch', 'w = ants()\nif x:\n    w = bees()\n    go(w)\nelse:\n    go(w)', ['bees', 'ants']],
    ['both, afterwards', 'if x:\n    w = ants()\nelse:\n    w = bees()\ngo(w)', ['ants|bees']],
    ['one that may be skipped', 'w = ants()\nif x:\n    w = bees()\ngo(w)', ['ants|bees']],
    ['all of them', 'w = ants()\nif x: w = bees()\nelif y: w = cats()\nelse: w = bees()\ngo(w)', ['bees|cats']],
    ['one that returns', 'w = ants()\nif x:\n    w = bees()\n    return w\ngo(w)', ['ants']],
    ['one that raises', 'w = ants()\nif x:\n    w = bees()\n    raise KeyError(w)\ngo(w)', ['ants']],
    ['what follows a raise', 'w = ants()\nif x:\n    raise KeyError\n    w = bees()\ngo(w)', ['ants']],
    [
      'a nested way out',
      'w = ants()\nif x:\n    w = bees()\n    if y: return\n    else: raise KeyError\ngo(w)',
      ['ants'],
    ],
    ['a spawner', 'do = go\nif x:\n    do = print\n    do(ants())\nelse:\n    do(bees())', ['bees']],
    ['in the body of a with', 'w = ants()\nwith x:\n    w = bees()\ngo(w)', ['bees']],
    ['suppressed', 'w = ants()\nwith contextlib.suppress(KeyError):\n    w = bees()\ngo(w)', ['ants|bees']],
    ['deleted', 'w = ants()\nif x:\n    del w\n    w = bees()\ngo(w)', ['ants|bees']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });

  it('an elif chain of thousands', () => {
    const arms = Array.from({ length: 3000 }, (_, i) => `elif x == ${i}:\n    w = bees()\n`).join('');
    expect(spawnedIn(`if y:\n    w = ants()\n${arms}go(w)`)).toEqual(['ants|bees']);
  });
});

describe('loops', () => {
  it.each([
    ['comes round again', 'w = ants()\nfor _ in x:\n    go(w)\n    w = bees()', ['ants|bees']],
    [
      'before a continue',
      'w = ants()\nwhile x:\n    go(w)\n    if y:\n        w = bees()\n        continue\n    w = cats()',
      ['ants|bees|cats'],
    ],
    ['before a break', 'w = ants()\nwhile x:\n    go(w)\n    w = bees()\n    break', ['ants']],
    ['set anew in each round', 'w = ants()\nwhile x:\n    w = bees()\n    go(w)\n    w = cats()', ['bees']],
    ['not entered, or left', 'w = ants()\nfor _ in x:\n    w = bees()\ngo(w)', ['ants|bees']],
    ['surely entered', 'w = ants()\nfor _ in (1, 2):\n    w = bees()\ngo(w)', ['bees']],
    [
      'endless but for a break',
      'w = ants()\nwhile True:\n    w = bees()\n    if x: break\n    w = cats()\ngo(w)',
      ['bees'],
    ],
    ['else without break', 'while x:\n    w = ants()\n    break\nelse:\n    w = bees()\ngo(w)', ['ants|bees']],
    ['else after the last round', 'w = ants()\nfor _ in x:\n    w = bees()\n    break\nelse:\n    go(w)', ['ants']],
    ['a target is kept', 'for w in [ants(), bees()]: pass\ngo(w)', ['ants|bees']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('try', () => {
  it.each([
    ['with a finally only', 'w = ants()\ntry:\n    w = bees()\nfinally:\n    pass\ngo(w)', ['bees']],
    ['in the finally', 'w = ants()\ntry:\n    w = bees()\nfinally:\n    go(w)', ['ants|bees']],
    ['a handler that goes on', 'w = ants()\ntry:\n    w = bees()\nexcept KeyError:\n    pass\ngo(w)', ['ants|bees']],
    ['a handler that leaves', 'w = ants()\ntry:\n    w = bees()\nexcept KeyError:\n    return\ngo(w)', ['bees']],
    ['a handler sets it', 'try:\n    w = ants()\nexcept KeyError:\n    w = bees()\ngo(w)', ['ants|bees']],
    [
      'inside a handler',
      'w = ants()\ntry:\n    w = bees()\n    y()\n    w = cats()\nexcept KeyError:\n    go(w)',
      ['ants|bees'],
    ],
    ['in the else', 'w = ants()\ntry:\n    w = bees()\nexcept KeyError:\n    w = cats()\nelse:\n    go(w)', ['bees']],
    ['set by the finally', 'try:\n    w = ants()\nfinally:\n    w = bees()\ngo(w)', ['bees']],
    [
      'return through a finally',
      'w = ants()\ntry:\n    if x:\n        w = bees()\n        return\nfinally:\n    pass\ngo(w)',
      ['ants'],
    ],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('match', () => {
  it.each([
    [
      'a case that returns',
      'match x:\n    case 1:\n        w = ants()\n    case 2:\n        w = bees()\n        return\n    case _:\n        w = cats()\ngo(w)',
      ['ants|cats'],
    ],
    ['no case', 'w = ants()\nmatch x:\n    case 1:\n        w = bees()\ngo(w)', ['ants|bees']],
    ['another case', 'w = ants()\nmatch x:\n    case 1:\n        w = bees()\n    case 2:\n        go(w)', ['ants']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('assignment expressions', () => {
  it.each([
    ['in a condition', 'w = ants()\nif (w := bees()):\n    go(w)\ngo(w)', ['bees', 'bees']],
    ['after an and', 'w = ants()\nif x and (w := bees()):\n    go(w)\nelse:\n    go(w)', ['bees', 'ants|bees']],
    ['after an or', 'w = ants()\nif x or (w := bees()):\n    go(w)\nelse:\n    go(w)', ['ants|bees', 'bees']],
    ['denied', 'w = ants()\nif not (x and (w := bees())):\n    return\ngo(w)', ['bees']],
    ['in the same expression', 'w = ants()\nx and (w := bees()) and go(w)', ['bees']],
    ['in one arm', 'w = ants()\ny = (w := bees()) if x else go(w)', ['ants']],
    ['a condition of a comprehension', 'w = ants()\n[go(w) for i in x if (w := bees())]', ['bees']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('closures', () => {
  it.each([
    ['called between', 'w = ants()\ndef inner(): go(w)\ninner()\nw = bees()\ninner()', ['ants|bees']],
    ['made after the last assignment', 'w = ants()\nw = bees()\ndef inner(): go(w)', ['bees']],
    ['made in another branch', 'if x:\n    w = ants()\n    def inner(): go(w)\nelse:\n    w = bees()', ['ants']],
    ['made in a loop', 'w = ants()\nfor _ in x:\n    w = bees()\n    y(lambda: go(w))\n    w = cats()', ['bees|cats']],
    ['handed back', 'w = ants()\nif x:\n    def inner(): go(w)\n    return inner\nw = bees()', ['ants']],
    ['a class body', 'w = ants()\nclass A:\n    t = go(w)\nw = bees()', ['ants']],
    ['nonlocal, never called', 'w = ants()\ndef inner():\n    nonlocal w\n    w = bees()\ngo(w)', ['ants']],
    [
      'nonlocal, called later',
      'w = ants()\ndef inner():\n    nonlocal w\n    w = bees()\ngo(w)\ninner()\ngo(w)',
      ['ants', 'ants|bees'],
    ],
    [
      'nonlocal, in the function',
      'w = ants()\ndef inner():\n    nonlocal w\n    w = bees()\n    go(w)\ninner()',
      ['bees'],
    ],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('modules and classes', () => {
  it('the last unconditional assignment of a module, and what comes after it', () => {
    expect(spawned('w = ants\nw = bees\nif input():\n    w = cats\ndef boot(): go(w())')).toEqual(['bees|cats']);
  });

  it('a module that falls back', () => {
    const files = { 'fast.py': 'async def ants2(): ...' };
    const main = 'try:\n    from fast import ants2 as w\nexcept ImportError:\n    w = bees\ndef boot(): go(w())';
    expect(spawned(main, files)).toEqual(['bees|fast.ants2']);
  });

  it('a class body that has not bound the name yet finds the module', () => {
    const body = 'def boot():\n    ants = bees\n    class A:\n        ants = ants\n        t = go(ants())';
    expect(spawned(body)).toEqual(['ants']);
  });

  it('a global that the function itself has set', () => {
    expect(spawned('w = ants\ndef boot():\n    global w\n    w = bees\n    go(w())\ndef later(): go(w())')).toEqual([
      'bees',
      'ants|bees',
    ]);
  });
});
