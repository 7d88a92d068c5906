/** Which of several things of one name is meant: Python's rules of scope. */
import { expect, it } from 'vitest';
import { spawned } from './support.ts';

it.each<[string, string, string[]]>([
  [
    'global, past an enclosing function',
    'w = bees\ndef boot():\n    w = ants\n    def inner():\n        global w\n        go(w())',
    ['bees'],
  ],
  ['global, set in the function', 'w = bees\ndef boot():\n    global w\n    w = ants\n    go(w())', ['ants']],
  ['global, set in another function', 'def setup():\n    global w\n    w = ants\ndef boot(): go(w())', ['ants']],
  ['global, bound nowhere', 'def boot():\n    w = ants\n    def inner():\n        global w\n        go(w())', ['?']],
  ['enclosing', 'w = bees\ndef boot():\n    w = ants\n    def inner(): go(w())', ['ants']],
  ['local', 'w = bees\ndef boot():\n    w = ants\n    go(w())', ['ants']],
  ['a local of another function', 'w = bees\ndef other():\n    w = ants\ndef boot(): go(w())', ['bees']],
  [
    'nonlocal, two up',
    'w = bees\ndef boot():\n    w = ants\n    def a():\n        def b():\n            nonlocal w\n            go(w())',
    ['ants'],
  ],
  [
    'nonlocal, past a class',
    'def boot():\n    w = ants\n    class A:\n        w = bees\n        def m(self):\n            nonlocal w\n            go(w())',
    ['ants'],
  ],
  ['a class is no scope of its methods', 'w = bees\nclass A:\n    w = ants\n    def m(self): go(w())', ['bees']],
  ['a class is one of its own body', 'w = bees\nclass A:\n    w = ants\n    t = go(w())', ['ants']],
  ['a class is none of a class in it', 'w = bees\nclass A:\n    w = ants\n    class B:\n        t = go(w())', ['bees']],
  [
    'a class is one of the first iterable of a comprehension',
    'w = bees\nclass A:\n    w = [ants]\n    t = [go(f()) for f in w]',
    ['ants'],
  ],
  [
    'a class is none of the rest of a comprehension',
    'w = bees\nclass A:\n    w = ants\n    t = [go(w()) for _ in (1, 2)]',
    ['bees'],
  ],
  [
    'a variable of a comprehension stays in it',
    'w = bees\ndef boot():\n    [w for w in (ants,)]\n    go(w())',
    ['bees'],
  ],
  [
    'an assignment in a comprehension does not',
    'w = bees\ndef boot(x):\n    [(w := ants) for _ in (1, 2)]\n    go(w())',
    ['ants'],
  ],
  ['a parameter', 'w = bees\ndef boot(w=ants): go(w())', ['ants']],
  ['a parameter that is not known', 'w = bees\ndef boot(w): go(w())', ['?']],
  [
    'a default stands outside',
    'w = bees\ndef boot():\n    w = ants\n    def inner(f=w):\n        w = cats\n        go(f())',
    ['ants'],
  ],
  ['a default of a method stands in the class', 'class A:\n    w = ants\n    def m(self, f=w): go(f())', ['ants']],
  [
    'a decorator stands outside',
    'def deco(f):\n    go(f)\nw = bees\ndef boot():\n    w = ants()\n    @deco(w)\n    def g():\n        w = cats()',
    ['ants'],
  ],
  ['a lambda parameter', 'w = bees\nf = lambda w=ants: go(w())', ['ants']],
  ['a definition', 'w = bees\ndef boot():\n    async def w(): ...\n    go(w())', ['boot.w']],
  ['a class of the name', 'def boot():\n    class ants: ...\n    go(ants())', ['?']],
  ['an import of the name', 'def boot():\n    from json import load as ants\n    go(ants())', ['?']],
  ['the name of an exception', 'def boot():\n    try: pass\n    except KeyError as ants: go(ants())', ['?']],
  ['a for target', 'def boot(x):\n    for ants in x: go(ants())', ['?']],
  ['a with target', 'def boot(x):\n    with x as ants: go(ants())', ['?']],
  ['a match capture', 'def boot(x):\n    match x:\n        case [ants, *_]: go(ants())', ['?']],
  ['a starred match capture', 'def boot(x):\n    match x:\n        case [_, *ants]: go(ants[0]())', ['?']],
  ['a mapping rest', 'def boot(x):\n    match x:\n        case {"a": 1, **ants}: go(ants["b"]())', ['?']],
  ['a match as', 'def boot(x):\n    match x:\n        case (1 | 2) as ants: go(ants())', ['?']],
  ['a match value', 'def boot(x):\n    match x:\n        case A.ants: go(ants())', ['ants']],
])('%s', (_, text, targets) => {
  expect(spawned(text)).toEqual(targets);
});

it('attributes of the same name on classes that have nothing to do with each other', () => {
  const main = `class A:
    def __init__(self):
        self.todo = []
        self.todo.append(ants)
    def start(self):
        for f in self.todo: go(f())
class B:
    def __init__(self):
        self.todo = []
        self.todo.append(bees)
    def start(self):
        for f in self.todo: go(f())
class C(B):
    def more(self): self.todo.append(cats)
`;
  expect(spawned(main)).toEqual(['ants', 'bees|cats']);
});
