/** Imports and definitions at module level: the whole text afterwards. */
import { describe, expect, it } from 'vitest';
import { importAnchor, isShadowedAt, nameState, planImports } from '../../src/edit/imports.ts';
import { applyEdits } from '../../src/edit/index.ts';
import {
  type DefinitionRequest,
  inStyleOf,
  type ModuleRequest,
  moduleEdits,
  NoPlaceError,
} from '../../src/edit/module-lines.ts';
import { buildLayout } from '../../src/sites/layout.ts';
import { parseModule } from '../../src/syntax/index.ts';

const layoutOf = (text: string) =>
  buildLayout({ file: 'pkg/main.py', module: 'pkg.main', isPackage: false, text, tree: parseModule(text) });

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const imports = (...all: string[]) =>
  all.map((each) => {
    const [module, name] = each.split(':');
    return { module: module!, name: name ?? null };
  });
const def: DefinitionRequest = { name: 'helper', text: 'def helper():\n    pass', blankLines: 2, after: [] };
const constant: DefinitionRequest = { name: 'LIMIT', text: 'LIMIT = 5', blankLines: 1, after: [] };

function edited(text: string, request: Partial<ModuleRequest>): string {
  const edits = moduleEdits(layoutOf(text), { imports: [], definitions: [], limit: text.length, ...request });
  return applyEdits(text, edits);
}

describe('imports take their place', () => {
  it.each<[string, string, string[], string]>([
    ['nothing asked', lines('x = 1'), [], lines('x = 1')],
    ['an empty file', '', ['a:b'], lines('from a import b')],
    ['a file without line end', 'x = 1', ['a'], lines('import a', '', 'x = 1').replace(/\n$/, '')],
    ['an import without line end', 'import x', ['a:b'], lines('import x', '', 'from a import b')],
    ['before the first statement', lines('x = 1'), ['a:b'], lines('from a import b', '', 'x = 1')],
    ['before a function', lines('def f(): ...'), ['a:b'], lines('from a import b', '', '', 'def f(): ...')],
    ['after a header', lines('#!/bin/sh', 'x = 1'), ['a:b'], lines('#!/bin/sh', '', 'from a import b', '', 'x = 1')],
    [
      'after a header and a blank',
      lines('#!/bin/sh', '', 'x = 1'),
      ['a:b'],
      lines('#!/bin/sh', '', 'from a import b', '', 'x = 1'),
    ],
    [
      'after a docstring',
      lines('"""Doc."""', '', 'x = 1'),
      ['a:b'],
      lines('"""Doc."""', '', 'from a import b', '', 'x = 1'),
    ],
    [
      'after the future',
      lines('from __future__ import annotations', 'x = 1'),
      ['a:b'],
      lines('from __future__ import annotations', '', 'from a import b', '', 'x = 1'),
    ],
    ['after the last import', lines('import z', 'x = 1'), ['a:b'], lines('import z', '', 'from a import b', 'x = 1')],
    [
      'in the group of its package',
      lines('import z', '', 'from a.x import y', 'x = 1'),
      ['a.z:b'],
      lines('import z', '', 'from a.x import y', 'from a.z import b', 'x = 1'),
    ],
    [
      'after another package, with a blank',
      lines('from z import y', 'x = 1'),
      ['a:b'],
      lines('from z import y', '', 'from a import b', 'x = 1'),
    ],
    [
      'before a relative one, as a section of its own',
      lines('from .z import y', 'x = 1'),
      ['a:b'],
      lines('from a import b', '', 'from .z import y', 'x = 1'),
    ],
    ['two packages at once', lines('x = 1'), ['b:c', 'a:d'], lines('from a import d', 'from b import c', '', 'x = 1')],
    [
      'names of one module together, sorted',
      lines('x = 1'),
      ['a:c', 'a:B', 'a:b'],
      lines('from a import B, b, c', '', 'x = 1'),
    ],
    ['the same twice', lines('x = 1'), ['a:b', 'a:b'], lines('from a import b', '', 'x = 1')],
    ['a module and a name of it', lines('x = 1'), ['a:b', 'a'], lines('import a', 'from a import b', '', 'x = 1')],
    ['a joined name', lines('from a import c'), ['a:b'], lines('from a import b, c')],
    ['a joined name, twice there', lines('from a import c, c'), ['a:b'], lines('from a import b, c, c')],
    [
      'a joined name at the end of what is not sorted',
      lines('from a import d, c'),
      ['a:b'],
      lines('from a import d, c, b'),
    ],
    ['a joined name behind another case', lines('from a import B, d'), ['a:c'], lines('from a import B, c, d')],
    ['upper before lower', lines('from a import B, b'), ['a:C'], lines('from a import B, b, C')],
    ['two joined names', lines('from a import b, e'), ['a:d', 'a:c'], lines('from a import b, c, d, e')],
    [
      'in parentheses, on its line',
      lines('from a import (', '    b,', '    d,', ')'),
      ['a:c'],
      lines('from a import (', '    b,', '    c,', '    d,', ')'),
    ],
    [
      'in parentheses, at the end',
      lines('from a import (', '    b,', ')'),
      ['a:c'],
      lines('from a import (', '    b,', '    c,', ')'),
    ],
    [
      'in parentheses, before a comment',
      lines('from a import (', '    b,  # about b', ')'),
      ['a:c'],
      lines('from a import (', '    c,', '    b,  # about b', ')'),
    ],
    ['in parentheses on one line', lines('from a import (b, d)'), ['a:c'], lines('from a import (b, c, d)')],
    [
      'not the second import of a module',
      lines('from a import b', 'from a import e'),
      ['a:c'],
      lines('from a import b, c', 'from a import e'),
    ],
    ['not a star', lines('from a import *'), ['a:b'], lines('from a import *', 'from a import b')],
    [
      'a plain one in its sorted place',
      lines('import a', 'import c', '', 'x = 1'),
      ['b'],
      lines('import a', 'import b', 'import c', '', 'x = 1'),
    ],
    [
      'a plain one before all',
      lines('# about b', 'import b', '', 'x = 1'),
      ['a'],
      lines('import a', '# about b', 'import b', '', 'x = 1'),
    ],
    [
      'a plain one after what is not sorted',
      lines('import c', 'import a', '', 'x = 1'),
      ['b'],
      lines('import c', 'import a', 'import b', '', 'x = 1'),
    ],
    [
      'a plain one into the first run',
      lines('import a', '', 'import c', '', 'x = 1'),
      ['b'],
      lines('import a', 'import b', '', 'import c', '', 'x = 1'),
    ],
    [
      'a plain one beside several names',
      lines('import a, c', 'x = 1'),
      ['b'],
      lines('import a, c', 'import b', 'x = 1'),
    ],
    [
      'the standard library after its plain ones',
      lines('import os', 'from a import b', 'x = 1'),
      ['contextvars:C'],
      lines('import os', 'from contextvars import C', 'from a import b', 'x = 1'),
    ],
    [
      'the standard library in its sorted place',
      lines('import os', 'from abc import ABC', 'from types import FunctionType', '', 'from a import b', 'x = 1'),
      ['contextvars:C', 'typing:Any'],
      lines(
        'import os',
        'from abc import ABC',
        'from contextvars import C',
        'from types import FunctionType',
        'from typing import Any',
        '',
        'from a import b',
        'x = 1',
      ),
    ],
    [
      'the standard library after its own that is not sorted',
      lines('from types import FunctionType', 'from abc import ABC', '', 'from a import b', 'x = 1'),
      ['typing:Any'],
      lines(
        'from types import FunctionType',
        'from abc import ABC',
        'from typing import Any',
        '',
        'from a import b',
        'x = 1',
      ),
    ],
    [
      'the standard library above everything else',
      lines('"""Doc."""', '', '# about b', 'from a import b', 'import c', 'x = 1'),
      ['os:environ'],
      lines('"""Doc."""', '', 'from os import environ', '', '# about b', 'from a import b', 'import c', 'x = 1'),
    ],
    [
      'several of the standard library above everything else',
      lines('from a import b', 'x = 1'),
      ['typing:Any', 'contextvars:C', 'os'],
      lines('import os', 'from contextvars import C', 'from typing import Any', '', 'from a import b', 'x = 1'),
    ],
    [
      'two of a package above relative ones',
      lines('import os', '', 'from .z import y', 'x = 1'),
      ['a.c:d', 'a.b:c', 'e:f'],
      lines(
        'import os',
        '',
        'from a.b import c',
        'from a.c import d',
        '',
        'from e import f',
        '',
        'from .z import y',
        'x = 1',
      ),
    ],
    [
      'a plain module of the standard library, too',
      lines('from a import b', 'x = 1'),
      ['os'],
      lines('import os', '', 'from a import b', 'x = 1'),
    ],
    [
      'the standard library as a section of its own',
      lines('x = 1'),
      ['a:b', 'typing:Any', 'contextvars:C'],
      lines('from contextvars import C', 'from typing import Any', '', 'from a import b', '', 'x = 1'),
    ],
    [
      'not among a module of the project that is called like one of its own',
      lines('import os', '', 'from .typing import A', 'x = 1'),
      ['typing:Any'],
      lines('import os', 'from typing import Any', '', 'from .typing import A', 'x = 1'),
    ],
    [
      'of the same package, sorted',
      lines('from a.b import x', 'from a.d import y', 'x = 1'),
      ['a.c:z'],
      lines('from a.b import x', 'from a.c import z', 'from a.d import y', 'x = 1'),
    ],
    [
      'of the same package, not sorted',
      lines('from a.d import x', 'from a.b import y', 'x = 1'),
      ['a.c:z'],
      lines('from a.d import x', 'from a.b import y', 'from a.c import z', 'x = 1'),
    ],
    [
      'of the same package, in the last run',
      lines('from a.b import x', '', 'from a.d import y', 'x = 1'),
      ['a.c:z'],
      lines('from a.b import x', '', 'from a.c import z', 'from a.d import y', 'x = 1'),
    ],
    [
      'not among relative ones',
      lines('from .b import x', 'from .d import y', 'x = 1'),
      ['pkg.c:z'],
      lines('from pkg.c import z', '', 'from .b import x', 'from .d import y', 'x = 1'),
    ],
    [
      'not into a line with others',
      lines('import a; import c', 'x = 1'),
      ['b'],
      lines('import a; import c', 'import b', 'x = 1'),
    ],
    [
      'above the first function, though more imports follow',
      lines('import a', 'def f(): ...', 'import z'),
      ['b'],
      lines('import a', 'import b', 'def f(): ...', 'import z'),
    ],
    [
      'after imports that stand below functions, where none is above',
      lines('def f(): ...', 'import z', 'x = 1'),
      ['b'],
      lines('def f(): ...', 'import b', 'import z', 'x = 1'),
    ],
    ['line ends of Windows', 'import z\r\nx = 1\r\n', ['a:b'], 'import z\r\n\r\nfrom a import b\r\nx = 1\r\n'],
    [
      'a joined name with line ends of Windows',
      'from a import (\r\n\tb,\r\n)\r\n',
      ['a:c'],
      'from a import (\r\n\tb,\r\n\tc,\r\n)\r\n',
    ],
    [
      'a comment parts two runs',
      lines('import a', '# c', 'import c', '', 'x = 1'),
      ['b'],
      lines('import a', 'import b', '# c', 'import c', '', 'x = 1'),
    ],
  ])('%s', (_, text, wanted, expected) => {
    expect(edited(text, { imports: imports(...wanted) })).toBe(expected);
  });

  it('before the first use at import time, not after it', () => {
    const text = lines('import a', 'x = use()', 'from b import c');
    const limit = text.indexOf('use');
    expect(edited(text, { imports: imports('z:y'), limit })).toBe(
      lines('import a', '', 'from z import y', 'x = use()', 'from b import c'),
    );
    // an import below the use is none to join
    expect(edited(text, { imports: imports('b:d'), limit })).toBe(
      lines('import a', '', 'from b import d', 'x = use()', 'from b import c'),
    );
  });
});

describe('definitions take their place', () => {
  it.each<[string, string, DefinitionRequest[], string]>([
    ['an empty file', '', [def], lines('def helper():', '    pass')],
    [
      'after the imports, with blanks',
      lines('import a', 'x = 1'),
      [def],
      lines('import a', '', '', 'def helper():', '    pass', '', '', 'x = 1'),
    ],
    [
      'a constant after the imports',
      lines('import a', 'x = 1'),
      [constant],
      lines('import a', '', 'LIMIT = 5', 'x = 1'),
    ],
    [
      'above the first function, though there is a gap below it',
      lines('import a', 'x = 1', 'def f(): ...', '', '', 'y = 1'),
      [def],
      lines('import a', 'x = 1', '', '', 'def helper():', '    pass', '', '', 'def f(): ...', '', '', 'y = 1'),
    ],
    [
      'a constant after the imports, not in a gap below',
      lines('import a', 'x = 1', '', '', 'def f(): ...'),
      [constant],
      lines('import a', '', 'LIMIT = 5', 'x = 1', '', '', 'def f(): ...'),
    ],
    [
      'a constant before a function',
      lines('import a', '', '', 'def f(): ...'),
      [constant],
      lines('import a', '', 'LIMIT = 5', '', '', 'def f(): ...'),
    ],
    [
      'both',
      lines('import a', 'x = 1'),
      [constant, def],
      lines('import a', '', 'LIMIT = 5', '', '', 'def helper():', '    pass', '', '', 'x = 1'),
    ],
    [
      'into the first gap of two lines',
      lines('import a', '', 'x = 1', '', '', 'def f(): ...', '', '', 'def g(): ...'),
      [def],
      lines(
        'import a',
        '',
        'x = 1',
        '',
        '',
        'def helper():',
        '    pass',
        '',
        '',
        'def f(): ...',
        '',
        '',
        'def g(): ...',
      ),
    ],
    [
      'above the first function where there is no gap',
      lines('import a', 'x = 1', 'def f(): ...'),
      [def],
      lines('import a', 'x = 1', '', '', 'def helper():', '    pass', '', '', 'def f(): ...'),
    ],
    [
      'below what it uses',
      lines('import a', 'USED = 1', 'x = 1', '', '', 'y = 1'),
      [{ ...def, after: ['USED'] }],
      lines('import a', 'USED = 1', '', '', 'def helper():', '    pass', '', '', 'x = 1', '', '', 'y = 1'),
    ],
    [
      'imports do not count as what it uses',
      lines('import a', 'x = 1', 'from b import USED'),
      [{ ...constant, after: ['USED'] }],
      lines('import a', 'x = 1', 'from b import USED', '', 'LIMIT = 5'),
    ],
    [
      'at the end of a file',
      lines('x = 1'),
      [{ ...def, after: ['x'] }],
      lines('x = 1', '', '', 'def helper():', '    pass'),
    ],
    [
      'at the end of a file without line end',
      'x = 1',
      [{ ...def, after: ['x'] }],
      lines('x = 1', '', '', 'def helper():', '    pass'),
    ],
    [
      'before what has blank lines already',
      lines('import a', '', '', '', 'def f(): ...'),
      [constant],
      lines('import a', '', 'LIMIT = 5', '', '', '', 'def f(): ...'),
    ],
  ])('%s', (_, text, definitions, expected) => {
    expect(edited(text, { definitions })).toBe(expected);
  });

  it('with the imports that they need', () => {
    expect(edited(lines('x = 1'), { imports: imports('a:b'), definitions: [def] })).toBe(
      lines('from a import b', '', '', 'def helper():', '    pass', '', '', 'x = 1'),
    );
  });

  it('apart from the imports that they need, each once', () => {
    const text = lines('import z', '', 'USED = 1', 'x = 2');
    expect(edited(text, { imports: imports('a:b'), definitions: [{ ...constant, after: ['USED'] }] })).toBe(
      lines('import z', '', 'from a import b', '', 'USED = 1', '', 'LIMIT = 5', 'x = 2'),
    );
  });

  it('not below their first use', () => {
    const text = lines('use()', 'USED = 1', 'use()');
    expect(() => edited(text, { definitions: [{ ...def, after: ['USED'] }], limit: 0 })).toThrow(
      new NoPlaceError('helper is needed before what it uses is defined'),
    );
    expect(edited(text, { definitions: [{ ...constant, after: ['USED'] }], limit: text.lastIndexOf('use') })).toBe(
      lines('use()', 'USED = 1', '', 'LIMIT = 5', 'use()'),
    );
  });

  it('in the style of the file', () => {
    const text = 'def f(a):\r\n  if a:\r\n    b\r\n    c\r\n';
    expect(inStyleOf({ eol: '\r\n', indent: '\t' }, text.replaceAll('\r\n', '\n'))).toBe(
      'def f(a):\r\n  if a:\r\n\tb\r\n\tc\r\n',
    );
    expect(inStyleOf({ eol: '\n', indent: '  ' }, 'a\n    b\n        c\n      d')).toBe('a\n  b\n    c\n    d');
  });
});

describe('what a name is', () => {
  it.each<[string, string, string | null, number | undefined, object]>([
    ['used before it is bound', 'a', 'b', 0, { kind: 'taken' }],
    ['bound before the limit', 'a', 'b', 30, { kind: 'bound', as: 'b' }],
  ])('%s', (_, module, name, limit, expected) => {
    expect(nameState(layoutOf(lines('from a import b', 'x = 1')), { module, name }, limit)).toEqual(expected);
  });

  it('is followed to where it is defined', () => {
    const layout = layoutOf(lines('from a import b'));
    const origin = { module: 'deep', name: 'b' };
    expect(nameState(layout, origin)).toEqual({ kind: 'taken' });
    expect(nameState(layout, origin, layout.length, () => origin)).toEqual({ kind: 'bound', as: 'b' });
  });

  it('of the module itself is bound wherever it stands', () => {
    const layout = layoutOf(lines('x = 1', 'def b(): ...'));
    expect(nameState(layout, { module: 'pkg.main', name: 'b' }, 0)).toEqual({ kind: 'bound', as: 'b' });
    expect(nameState(layout, { module: 'pkg.main', name: null })).toEqual({ kind: 'free' });
    expect(nameState(layoutOf(lines('import a.c')), { module: 'a.b', name: null })).toEqual({ kind: 'taken' });
  });

  it('may be hidden by a function around it', () => {
    const text = lines('def f(hidden):', '    pass', 'x');
    const layout = layoutOf(text);
    const [from, to] = [0, text.indexOf('\nx')];
    expect([from, to - 1, to, text.length].map((at) => isShadowedAt(layout, 'hidden', at))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isShadowedAt(layout, 'other', 3)).toBe(false);
  });
});

it('the anchor is -1 where nothing stands above', () => {
  expect(importAnchor(layoutOf(lines('x = 1')), 0)).toBe(-1);
  expect(importAnchor(layoutOf(lines('import a')), 0)).toBe(-1);
  expect(importAnchor(layoutOf(lines('import a')), 9)).toBe(0);
  expect(planImports(layoutOf(lines('x = 1')), imports('b', 'a:c'), 0)).toEqual({
    edits: [],
    lines: ['import b', 'from a import c'],
  });
});

it('what is defined stands below every import that is put at the same place', () => {
  const text = lines('import asyncio', '', 'from app.a import x', '', 'N = 0', '', '', 'def f(): ...');
  const request = { imports: imports('os', 'app.b:y'), definitions: [constant] };
  expect(edited(text, request)).toBe(
    lines(
      'import asyncio',
      'import os',
      '',
      'from app.a import x',
      'from app.b import y',
      '',
      'LIMIT = 5',
      '',
      'N = 0',
      '',
      '',
      'def f(): ...',
    ),
  );
  const close = lines('import asyncio', '', 'from app.a import x', '', '', 'def f(): ...');
  const order = edited(close, { imports: imports('os', 'app.b:y'), definitions: [def] }).split('\n');
  expect(order.indexOf('from app.b import y')).toBeLessThan(order.indexOf('def helper():'));
});
