/** Programs of every shape that name each other in every way: the analysis ends, and what is rewritten is proven. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { atLength } from '../support/long.ts';
import { parameters, wholeWay } from './support.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** Few names, so that they meet. */
const name = fc.constantFrom('a', 'b', 'f', 'g', 'xs', 'A', 'self', 'x', 'asyncio', 'create_task', 'spawn', '名');

const expression = fc.letrec<{ e: string; leaf: string }>((tie) => ({
  leaf: fc.oneof(name, fc.constantFrom('1', '"s"', 'f"{a}"', 'None', '[]', '()', '{}', 'f()', 'g(1)', 'self.x', 'A()')),
  e: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.tuple(tie('e'), name).map(([e, n]) => `(${e}).${n}`),
    fc.tuple(tie('e'), tie('e')).map(([f, e]) => `(${f})(${e})`),
    fc.tuple(name, tie('e')).map(([f, e]) => `${f}(*[${e}], **{"k": ${e}})`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `[${a}, *${b}]`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `{${a}: ${b}}`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a} + ${b})`),
    fc.tuple(tie('e'), tie('e'), name).map(([a, b, n]) => `[${a} for ${n} in ${b}]`),
    fc.tuple(tie('e'), name).map(([e, n]) => `(lambda ${n}=${e}: ${n})`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(${a} if b else ${b})`),
    fc.tuple(tie('e'), tie('e')).map(([a, b]) => `${'('}${a})[${b}]`),
    tie('e').map((e) => `list(${e})`),
    tie('e').map((e) => `zip(xs, ${e})`),
    tie('e').map((e) => `partial(asyncio.create_task, ${e})`),
    tie('e').map((e) => `asyncio.create_task(${e})`),
    tie('e').map((e) => `create_task(${e}, name="n")`),
    tie('e').map((e) => `asyncio.get_running_loop().create_task(${e})`),
  ),
})).e;

/** Spawns as people write them. */
const spawn = fc.constantFrom(
  'asyncio.create_task(run(?))',
  'a = asyncio.create_task(run(?), name="n")',
  'xs.append(asyncio.ensure_future(run(1, ?)))',
  'for x in [run(1), run(?)]: asyncio.create_task(x)',
  'a = run(?); asyncio.create_task(a)',
  'return asyncio.create_task((run if a else f)(?))',
);

const indent = (block: string): string => block.replace(/^(?=.)/gm, '    ');

const statement = fc.letrec<{ s: string; block: string }>((tie) => ({
  block: fc
    .array(tie('s'), { minLength: 1, maxLength: 3, depthIdentifier: 'block' })
    .map((list) => indent(list.join(''))),
  s: fc.oneof(
    { maxDepth: 3, depthSize: 'small', depthIdentifier: 'block' },
    expression.map((e) => `${e}\n`),
    { weight: 4, arbitrary: fc.tuple(spawn, expression).map(([call, e]) => `${call.replace('?', e)}\n`) },
    fc.tuple(name, expression).map(([n, e]) => `${n} = ${e}\n`),
    fc.tuple(name, name, expression).map(([a, b, e]) => `${a}, *${b} = ${e}\n`),
    fc.tuple(name, expression).map(([n, e]) => `${n} += ${e}\n`),
    fc.tuple(name, expression).map(([n, e]) => `${n}.append(${e})\n`),
    fc.tuple(name, expression).map(([n, e]) => `${n}.extend(${e})\n`),
    fc.tuple(name, expression).map(([n, e]) => `self.${n} = ${e}\n`),
    fc.tuple(name, name).map(([a, b]) => `from asyncio import ${a} as ${b}\n`),
    fc.constantFrom(
      'import asyncio\n',
      'from asyncio import *\n',
      'from m import *\n',
      'from .n import *\n',
      'import m.n as a\n',
    ),
    fc.constantFrom(
      'pass\n',
      'return\n',
      'global a\n',
      'del xs\n',
      'await f()\n',
      'yield a\n',
      '# asyncio.create_task(f())\n',
    ),
    expression.map((e) => `return ${e}\n`),
    fc
      .tuple(fc.constantFrom('', 'async '), name, name, expression, tie('block'))
      .map(([a, n, p, e, body]) => `${a}def ${n}(${p}, b=${e}, *xs, **kw):\n${body}`),
    fc.tuple(name, tie('block')).map(([n, body]) => `@property\ndef ${n}(self):\n${body}`),
    fc.tuple(name, name, tie('block')).map(([n, base, body]) => `class ${n}(${base}):\n${body}`),
    fc.tuple(name, expression, tie('block')).map(([n, e, body]) => `for ${n} in ${e}:\n${body}`),
    fc.tuple(expression, tie('block'), tie('block')).map(([e, a, b]) => `if ${e}:\n${a}else:\n${b}`),
    fc.tuple(tie('block'), tie('block')).map(([a, b]) => `try:\n${a}except Exception as a:\n${b}`),
    fc.tuple(expression, tie('block')).map(([e, body]) => `with ${e} as a:\n${body}`),
    tie('block').map((body) => `while True:\n${body}`),
  ),
})).s;

const program = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('\n', '\r\n'),
    fc.constantFrom('', '\ufeff'),
  )
  .map(
    ([list, eol, bom]) => bom + `import asyncio\nasync def run(*a):\n    pass\n${list.join('')}`.replaceAll('\n', eol),
  );

test('the programs are worth the while: many spawn, and many are rewritten', () => {
  const count = atLength(100, 40);
  const seen = fc.sample(program, { numRuns: count, seed: 1 }).map((text) => wholeWay({ 'm.py': text }));
  expect(seen.filter(({ sites }) => sites > 0).length).toBeGreaterThan(count * 0.3);
  expect(seen.filter(({ changed }) => changed > 0).length).toBeGreaterThan(count * 0.15);
});

test('one file', () => {
  fc.assert(
    fc.property(program, (text) => {
      wholeWay({ 'm.py': text });
    }),
    parameters(0.25),
  );
});

test('two files that import each other', () => {
  fc.assert(
    fc.property(program, program, (one, two) => {
      wholeWay({ 'm.py': one, 'n.py': `from m import *\n${two}` });
    }),
    parameters(0.1),
  );
});
