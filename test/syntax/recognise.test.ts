/** The quick look at a file and the parser: where the first is sure, the second finds no error. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PythonSyntaxError, parseModule, SourceEncodingError, surelyParses } from '../../src/syntax/index.ts';
import { decodePython } from '../../src/syntax/text.ts';
import { damaged } from '../fuzz/damage.ts';
import { parameters } from '../fuzz/support.ts';
import { allInterpreters, pathInterpreter, pythonFiles } from './reference.ts';

vi.setConfig({ testTimeout: 3_600_000 });

function parses(bytes: Uint8Array): boolean {
  try {
    parseModule(decodePython(bytes).text);
    return true;
  } catch (error) {
    if (error instanceof PythonSyntaxError || error instanceof SourceEncodingError) return false;
    throw error;
  }
}

const sure = (text: string): boolean => surelyParses(Buffer.from(text));

/** Statements that must not need the parser. */
const PLAIN = [
  '',
  '\n',
  'x',
  'x = 1',
  '# -*- coding: utf-8 -*-\nx = 1\n',
  '#!/usr/bin/env python3\n# vim: set fileencoding=utf-8 :\n',
  'x = "中文"  # 中文\n',
  'x = y = 1\nx = w = [a, *b], (c.d, e[0]) = f()\n',
  'a, (b, [c, *d]) = e\n*a, b = c\n() = x\n[] = x\n',
  'x: int = 1\nx.y: int\nx[0]: "str" = 2\n(x): int = 3\n',
  'x += 1; x.y **= 2; x[0] //= yield; x @= y; x >>= 1\n',
  'del a, b.c, d[0], (e, [f])\n',
  'assert a, "no"\nassert a\n',
  'global a, b\nnonlocal c\n',
  'import a.b.c as d, e\nfrom . import f\nfrom ...g import (h as i, j,)\nfrom .k import *\nfrom .... import l\n',
  'raise\nraise X\nraise X from None\n',
  'return\nreturn 1, *x\nyield\nyield 1,\nyield from x\nx = yield\n',
  'pass; break; continue;\n',
  'if a: pass\nelif b:\n  pass\nelse:\n\tpass\n',
  'while (x := f()): pass\nelse: pass\n',
  'for i, *j in a, b: pass\nelse: pass\n',
  'for x.y in z: pass\nfor x[0], in z: pass\n',
  'async def f():\n  async for a in b: pass\n  async with c as d, e: pass\n  await f\n',
  'with a: pass\nwith a as b, c as (d, e): pass\n',
  'with (a): pass\nwith (a, b): pass\nwith (a as b, c as d,): pass\nwith (a).b as c: pass\nwith (yield): pass\n',
  'try: pass\nfinally: pass\n',
  'try:\n  pass\nexcept A as e:\n  pass\nexcept (B, C): pass\nexcept: pass\nelse: pass\nfinally: pass\n',
  'try: pass\nexcept* A as e: pass\nexcept* B: pass\n',
  'class A: pass\nclass B(A, metaclass=M, *a, **k): pass\nclass C(): pass\nclass D[T: int = str, *Ts, **P]: pass\n',
  '@a.b(c)\n@d\nasync def f(): pass\n@e\nclass G: pass\n@x[0]\ndef h(): pass\n',
  'def f(a, b=1, /, c=2, *d: int, e, f: str = 3, **g) -> int: pass\n',
  'def f(*, a, b=1): pass\ndef f(a, /): pass\ndef f(*a: *b): pass\ndef f[T](x: T,) -> T: pass\n',
  'lambda: 0\nlambda a, *b, c=1, **d: (a, b)\nlambda *, a: a\nlambda a, /, b: c\n',
  'a if b else c if d else e\nnot a and not b or c\na < b <= c != d is not e not in f in g is h\n',
  '-a ** -b\n~a + b - c * d / e // f % g @ h << i >> j & k | l ^ m\nawait_ = 1\n',
  'f(a, *b, c=d, **e)\nf(x for x in y)\nf(a := 1)\nf(*a, b)\nf(**a, b=1)\nf(a)(b)[c].d\n',
  'a[1:2, ::3, ...]\na[:]\na[b := 1]\na[*b]\na[1:]\na[:, None]\n',
  '()\n(a,)\n(a, b)\n(a)\n(*a, b)\n((a))\n(yield)\n(a for b in c if d if e for f in g)\n',
  '[]\n[a]\n[a, *b]\n[a for b in c]\n[a async for b in c]\n',
  '{}\n{a}\n{a, *b}\n{a: b}\n{**a, b: c}\n{a: b for c in d}\n{a for b in c}\n{(a := 1): 2}\n',
  '0\n1\n1_000\n0x_ff\n0o17\n0b1_0\n1.\n.5\n1.5e-3\n1e5\n1j\n1.5J\n0.0\n0j\n',
  '"a" \'b\' """c\nd""" r"\\d" u"\\u1234" "\\U0010ffff" "\\N{LATIN SMALL LETTER A}" "\\\n"\n',
  'b"a" rb"\\x" Rb\'\\\'\'\n',
  'f"a{b}c{d!r}e{f:>10}g{h=}i{{}}"\nf"{a:{b}}"\nf"{x[\'y\']}"\nrf"{a}\\d"\nf"""{a}\n{b}"""\nf"{a, *b}"\nf"{a!r:>{b}}"\n',
  'x = (  # comment\n  1,\n\n  2)\ny = a + \\\n  b\n',
  'match = 1\nmatch.x\ntype = 2\ntype: int = 3\ntype(x)\nprint(match, type)\n_ = case\n',
  'if a:\n\tif b:\n\t\tpass\n\n# c\n\telse:\n\t\tpass\nx\n',
  'x = 1\r\nif a:\r\n  b\r\n',
  'def f(): return 1\nif 1: x = 1; y = 2\n',
];

/** What no version of Python takes; each is one slip in something that is read above. */
const BROKEN = [
  'x = ',
  'x = = 1',
  'f() = 1',
  'a + b = c',
  'a, f() = b',
  '(a, b): int',
  'a, b += 1',
  'x: int: str',
  '1 = x',
  'not x = 1',
  'del f()',
  'del (a, *b)',
  'del',
  'import',
  'import a.',
  'from import a',
  'from a import',
  'from a import b,',
  'from . import a.b',
  'from a import (b',
  'raise X from',
  'assert',
  'global',
  'global a.b',
  'if a',
  'if a:',
  'if a:\npass',
  'else: pass',
  'elif a: pass',
  'for in x: pass',
  'for f() in x: pass',
  'for x: pass',
  'while: pass',
  'with: pass',
  'with a as: pass',
  'with a as f(): pass',
  'with (a as b: pass',
  'with (a as b).c: pass',
  'try: pass',
  'try: pass\nelse: pass',
  'try: pass\nexcept A: pass\nexcept* B: pass',
  'try: pass\nexcept*: pass',
  'class: pass',
  'class A(x for x in y): pass',
  'class A[]: pass',
  'def f: pass',
  'def f(a=1, b): pass',
  'def f(*): pass',
  'def f(**a, b): pass',
  'def f(*a, *b): pass',
  'def f(/, a): pass',
  'def f(a, /, b, /): pass',
  'def f((a)): pass',
  'def f(a): int: pass',
  '@a',
  '@a\nx = 1',
  'async x',
  'async def f()',
  'lambda a=1, b: 0',
  'lambda',
  'a if b',
  'a if b else',
  'a not b',
  'a < > b',
  'a <> b',
  'a and',
  'not',
  'a + not b',
  'a ** not b',
  '-',
  'await',
  'f(a=1, b)',
  'f(**a, *b)',
  'f(x for x in y, 1)',
  'f(a.b=1)',
  'f((a)=1)',
  'f(a b)',
  'f(a',
  'f(a))',
  'f(,)',
  'a[]',
  'a[b := 1:2]',
  'a.1',
  'a.',
  'a[',
  '(a',
  '[a}',
  '(*a)',
  '(a b)',
  '[a, b for c in d]',
  '{a: b, c}',
  '{a, b: c}',
  '{a: *b}',
  '{**a for b in c}',
  '{a: b := 1}',
  '{*a: b}',
  '(a := 1) = 2',
  'a := 1',
  '(a.b := 1)',
  '((a) := 1)',
  '0777',
  '0x',
  '0b2',
  '1_',
  '1__0',
  '1e',
  '1abc',
  '0o8',
  '1.5.5',
  '"a',
  "'a\n'",
  '"""a',
  'b"é"',
  '"\\x1"',
  '"\\u12"',
  '"\\U00110000"',
  '"\\N{}"',
  '"\\N"',
  '"a" b"b"',
  'ub"a"',
  'f"{"',
  'f"}"',
  'f"{}"',
  'f"{a!x}"',
  'f"{a!}"',
  'f"{a b}"',
  'f"{a:{b:{c:{d}}}}"',
  'f"{lambda x: 1}"',
  'f"a" b"b"',
  'x = 1\n  y = 2',
  'if a:\n    b\n  c',
  'if a:\n\tb\n        c',
  'x = $',
  'x = ?',
  'x \\ y',
  'x = 1 \\',
  'print "a"',
  'exec "a"',
  'x = 1\0',
  'pass x',
  'return return',
  'a b',
  '\xa0x',
  'é€ = 1',
  'yield = 1',
  'x = yield = 1',
  'match x:\npass',
]; // prettier-ignore

describe('statements', () => {
  it.each(PLAIN)('is sure of %j', (text) => {
    expect(parses(Buffer.from(text))).toBe(true);
    expect(sure(text)).toBe(true);
  });

  it.each(BROKEN)('is not sure of %j', (text) => {
    expect(parses(Buffer.from(text))).toBe(false);
    expect(sure(text)).toBe(false);
    expect(sure(`x = 1\n${text}\ny = 2\n`)).toBe(false);
  });
});

describe('the parser decides', () => {
  it.each([
    ['a byte order mark', '\ufeffx = 1\n'],
    ['names beyond ASCII', '名 = 1\n'],
    ['a match statement', 'match x:\n  case 1: pass\n'],
    ['a type alias', 'type X = int\n'],
    ['a carriage return alone', 'x = 1\ry = 2\r'],
  ])('on %s', (_what, text) => {
    expect(parses(Buffer.from(text))).toBe(true);
    expect(sure(text)).toBe(false);
  });

  it.each(['latin-1', 'gbk', 'no-such'])('on a file in %s', (name) => {
    expect(sure(`# coding: ${name}\nx = 1\n`)).toBe(false);
    expect(sure(`\n# coding: ${name}\nx = 1\n`)).toBe(false);
  });

  it('on bytes that are no UTF-8', () => {
    expect(surelyParses(Buffer.from([0x78, 0x20, 0x23, 0xff, 0x0a]))).toBe(false);
  });

  it('on what is nested deeper than it goes', () => {
    for (const [open, close] of ['()', '[]', '{}'].map((pair) => [...pair])) {
      expect(sure(`x = ${open!.repeat(50)}${close!.repeat(50)}`)).toBe(true);
      expect(sure(`x = ${open!.repeat(5000)}${close!.repeat(5000)}`)).toBe(false);
    }
    expect(sure(`x = ${'-'.repeat(5000)}1`)).toBe(false);
    expect(sure(`x = ${'not '.repeat(5000)}1`)).toBe(false);
    expect(sure(`x = ${'2**'.repeat(5000)}1`)).toBe(false);
    expect(sure(`x = ${'lambda: '.repeat(5000)}1`)).toBe(false);
  });
});

const python = pathInterpreter();
/** A part of it: all of every library is judged with LOOPTAG_PARITY=1. */
const own = python ? pythonFiles(python.stdlib).filter((_, i) => i % 4 === 0) : [];

function judge(files: readonly string[]): { wrong: string[]; sureOf: number; bytes: number; sureBytes: number } {
  const sum = { wrong: [] as string[], sureOf: 0, bytes: 0, sureBytes: 0 };
  for (const file of files) {
    const bytes = readFileSync(file);
    sum.bytes += bytes.length;
    if (!surelyParses(bytes)) continue;
    sum.sureOf++;
    sum.sureBytes += bytes.length;
    if (!parses(bytes)) sum.wrong.push(file);
  }
  return sum;
}

describe.skipIf(!own.length)('the standard library of python3', () => {
  it('is surely right where the parser finds no error, and nearly all is sure', () => {
    const { wrong, sureOf } = judge(own);
    expect(wrong).toEqual([]);
    expect(sureOf).toBeGreaterThan(own.length * 0.95);
  });

  it('is never sure of what damage broke', () => {
    const files = own.map((file) => readFileSync(file)).filter((bytes) => bytes.length < 6000);
    let broken = 0;
    fc.assert(
      fc.property(damaged(files), (bytes) => {
        const right = parses(bytes);
        if (!right) broken++;
        if (surelyParses(bytes)) expect(right).toBe(true);
      }),
      parameters(1),
    );
    expect(broken).toBeGreaterThan(100);
  });
});

// Minutes long: LOOPTAG_PARITY=1, as the parser's own comparison.
if (process.env.LOOPTAG_PARITY === '1')
  describe('every standard library', () => {
    it.each(allInterpreters().map((each) => [each.version.join('.'), each.stdlib] as const))(
      'of %s',
      (_version, stdlib) => {
        const files = pythonFiles(stdlib);
        const { wrong, bytes, sureBytes } = judge(files);
        console.log(
          `${stdlib}: ${files.length} files, sure of ${((100 * sureBytes) / bytes).toFixed(1)} % of the bytes`,
        );
        expect(wrong).toEqual([]);
      },
    );
  });
