/** Containers that are filled here and emptied there: decorators, `append`, entries stored under a key, methods of a registry. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from '../facts/support.ts';
import { spawned, spawnedIn } from './support.ts';

describe('in one function', () => {
  it.each([
    ['append', 'todo = [ants]\ntodo.append(bees)\nfor f in todo: go(f())', ['ants|bees']],
    ['insert', 'todo = []\ntodo.insert(0, ants)\ngo(todo[0]())', ['ants']],
    ['extend', 'todo = []\ntodo.extend([ants, bees])\nfor f in todo: go(f())', ['ants|bees']],
    ['+=', 'todo = [ants()]\ntodo += [bees()]\nfor w in todo: go(w)', ['ants|bees']],
    ['+= and append', 'todo = []\ntodo += [ants]\ntodo.append(bees)\nfor f in todo: go(f())', ['ants|bees']],
    ['anew', 'todo = []\ntodo.append(ants)\ntodo = [bees]\nfor f in todo: go(f())', ['bees']],
    ['entries', 'todo = {}\ntodo["x"] = ants\ntodo["y"] = bees\nfor f in todo.values(): go(f())', ['ants|bees']],
    ['one entry', 'todo = {}\ntodo["x"] = ants\ntodo["y"] = bees\ngo(todo["y"]())', ['bees']],
    ['setdefault', 'todo = {}\ntodo.setdefault("x", ants)\nfor _, f in todo.items(): go(f())', ['ants']],
    ['update', 'todo = {}\ntodo.update({"x": ants}, y=bees)\nfor f in todo.values(): go(f())', ['ants|bees']],
    [
      'update with another',
      'more = {"x": ants}\ntodo = {}\ntodo.update(more)\nfor f in todo.values(): go(f())',
      ['ants'],
    ],
    ['a set', 'todo = set()\ntodo.add(ants)\nfor f in todo: go(f())', ['ants']],
  ])('%s', (_, body, targets) => {
    expect(spawnedIn(body)).toEqual(targets);
  });
});

describe('in other functions', () => {
  const BOOT = 'def boot():\n    for f in TODO: go(f())\n';

  it.each([
    [
      'a decorator',
      'TODO = []\ndef task(f):\n    TODO.append(f)\n    return f\n@task\nasync def dogs(): ...\n',
      ['dogs'],
    ],
    [
      'a decorator that is called',
      'TODO = []\ndef task(name):\n    def put(f):\n        TODO.append(f)\n        return f\n    return put\n@task("d")\nasync def dogs(): ...\n',
      ['dogs'],
    ],
    ['a call', 'TODO = [ants]\ndef enlist(f): TODO.append(f)\nenlist(bees)\n', ['ants|bees']],
    ['a call in a call', 'TODO = []\ndef enlist(f): TODO.append(f)\ndef twice(f): enlist(f)\ntwice(cats)\n', ['cats']],
    ['several', 'TODO = []\ndef enlist(*f): TODO.extend(f)\nenlist(bees, cats)\n', ['bees|cats']],
    ['none', 'TODO = []\ndef enlist(f): TODO.append(f)\n', ['?']],
  ])('%s', (_, head, targets) => {
    expect(spawned(head + BOOT)).toEqual(targets);
  });

  it('by name', () => {
    const head =
      'TODO = {}\ndef task(name):\n    def put(f):\n        TODO[name] = f\n        return f\n    return put\n';
    const more = '@task("d")\nasync def dogs(): ...\n@task("e")\nasync def eels(): ...\n';
    expect(spawned(`${head}${more}def boot():\n    for n, f in TODO.items(): go(f(), name=n)`)).toEqual(['dogs|eels']);
    expect(spawned(`${head}${more}def boot():\n    for n in TODO: go(TODO[n]())`)).toEqual(['dogs|eels']);
  });

  it('within a helper that sets the project id', () => {
    const head = `from contextvars import ContextVar
project_id_ctx_var = ContextVar("project_id_ctx_var")
async def helper(coro, project_id):
    project_id_ctx_var.set(project_id)
    return await coro
TODO = {}
def task(name):
    def put(f):
        TODO[name] = f
        return f
    return put
@task("d")
async def dogs():
    while True: await asyncio.sleep(6)
@task("e")
async def eels(): ...
`;
    const starts = 'def boot():\n    for n, f in TODO.items(): go(helper(f(), "x"), name=n)';
    expect(spawned(head + starts)).toEqual(['dogs|eels']);
    const [site] = analysisOf({
      'main.py': `import asyncio\nfrom asyncio import create_task as go\n${head}${starts}\n`,
    }).sites;
    expect(site!.targets.map((t) => [t.name, t.tag?.projectId, t.facts.periodSeconds])).toEqual([
      ['dogs', 'x', 6],
      ['eels', 'x', null],
    ]);
  });

  it('in pairs', () => {
    const head = 'TODO = []\ndef enlist(f, every): TODO.append((f, every))\nenlist(ants, 3)\nenlist(bees, every=4)\n';
    expect(spawned(`${head}def boot():\n    for f, every in TODO: go(f())`)).toEqual(['ants|bees']);
  });

  it('under another name', () => {
    const head = 'TODO = []\ndef enlist(f): TODO.append(f)\nenlist(bees)\nother = TODO\nthird = other\n';
    expect(spawned(`${head}def boot():\n    for f in third: go(f())`)).toEqual(['bees']);
    expect(spawned(`${head}def boot():\n    mine = TODO\n    for f in mine: go(f())`)).toEqual(['bees']);
    expect(spawned('a = []\nb = a\na = b\ndef boot():\n    for f in a: go(f())')).toEqual(['?']);
  });

  it('two starters of one list', () => {
    const head = 'TODO = []\ndef enlist(f): TODO.append(f)\nenlist(bees)\n';
    expect(spawned(`${head}${BOOT}def again():\n    for f in TODO: go(f())`)).toEqual(['bees', 'bees']);
  });
});

describe('a registry with methods', () => {
  const REGISTRY = `class Registry:
    def __init__(self):
        self.todo = []
        self.named = {}
    def add(self, f):
        self.todo.append(f)
        return f
    def named_as(self, name):
        def put(f):
            self.named[name] = f
            return f
        return put
    def start(self):
        for f in self.todo: go(f())
        for f in self.named.values(): go(f())
registry = Registry()
`;

  it('called, and as a decorator', () => {
    const main = `${REGISTRY}registry.add(ants)\n@registry.add\nasync def dogs(): ...\n@registry.named_as("e")\nasync def eels(): ...`;
    expect(spawned(main)).toEqual(['ants|dogs', 'eels']);
  });

  it('filled by a subclass', () => {
    const main = `${REGISTRY}class More(Registry):\n    def __init__(self):\n        super().__init__()\n        self.todo.append(self.run)\n    async def run(self): ...`;
    expect(spawned(main)).toEqual(['More.run', '?']);
  });
});

describe('across files', () => {
  const files = {
    'pkg/__init__.py': '',
    'pkg/registry.py': 'TODO = []\ndef task(f):\n    TODO.append(f)\n    return f\n',
    'pkg/jobs.py': 'from .registry import task\n@task\nasync def dogs():\n    pass\n',
  };

  it('jobs that nobody imports by name', () => {
    expect(spawned('from pkg.registry import TODO\ndef boot():\n    for f in TODO: go(f())', files)).toEqual([
      'pkg.jobs.dogs',
    ]);
    expect(spawned('from pkg import registry\ndef boot():\n    for f in registry.TODO: go(f())', files)).toEqual([
      'pkg.jobs.dogs',
    ]);
  });

  it('filled by modules that the starter does not know', () => {
    const shared = {
      'pkg/__init__.py': '',
      'pkg/registry.py': 'TODO = []\nNAMED = {}\n',
      'pkg/one.py': 'from .registry import TODO\nasync def dogs(): ...\nTODO.append(dogs)\n',
      'pkg/two.py': 'from pkg import registry\nasync def eels(): ...\ndef setup():\n    registry.NAMED["e"] = eels\n',
      'pkg/other.py': 'TODO = []\nasync def fox(): ...\nTODO.append(fox)\n',
    };
    const main = `from pkg.registry import TODO, NAMED
def boot():
    for f in TODO: go(f())
    for f in NAMED.values(): go(f())
    go(NAMED["e"]())`;
    expect(spawned(main, shared)).toEqual(['pkg.one.dogs', 'pkg.two.eels', 'pkg.two.eels']);
  });

  it('filled by who starts the starter', () => {
    const registry = 'import asyncio\nTODO = []\ndef start():\n    for f in TODO: asyncio.create_task(f())\n';
    const { sites } = analysisOf({
      'registry.py': registry,
      'main.py': 'import registry\nasync def dogs(): ...\nregistry.TODO.append(dogs)\n',
    });
    expect(sites.map((s) => s.targets.map((t) => t.qualifiedName))).toEqual([['main.dogs']]);
  });
});
