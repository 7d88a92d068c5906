/** Where an import goes in a file that has some, and whether a name is at hand there. */
import { describe, expect, it } from 'vitest';
import { importAnchor, nameState, planImports } from '../../src/edit/imports.ts';
import { applyEdits, insert } from '../../src/edit/index.ts';
import { buildLayout } from '../../src/sites/layout.ts';
import { parseModule } from '../../src/syntax/index.ts';

const layoutOf = (text: string) =>
  buildLayout({ file: 'pkg/main.py', module: 'pkg.main', isPackage: false, text, tree: parseModule(text) });

/** The text with `from MODULE import NAME` or (without a name) `import MODULE` in its place. */
function withImport(text: string, ...requests: [string, (string | null)?][]): string {
  const layout = layoutOf(text);
  const { edits, lines } = planImports(
    layout,
    requests.map(([module, name = null]) => ({ module, name })),
    layout.length,
  );
  const anchor = importAnchor(layout, layout.length);
  const offset = anchor < 0 ? 0 : layout.lines[anchor]!.end;
  const own = lines.map((line) => insert(layout.file, offset, `${line}\n`));
  return applyEdits(text, [...edits, ...own]);
}

describe('an import', () => {
  it.each<[string, string, [string, (string | null)?], string]>([
    ['after the last', 'import z\nx = 1\n', ['a', 'b'], 'import z\nfrom a import b\nx = 1\n'],
    ['joins a line of its module', 'from a import x\n', ['a', 'y'], 'from a import x, y\n'],
    ['in the order of that line', 'from a import b, d\n', ['a', 'c'], 'from a import b, c, d\n'],
    ['a plain one joins none', 'from a import x\n', ['a'], 'from a import x\nimport a\n'],
    ['a star is joined by none', 'from a import *\n', ['a', 'x'], 'from a import *\nfrom a import x\n'],
    [
      'before the first definition',
      'import b\ndef f(): ...\nimport c\n',
      ['z'],
      'import b\nimport z\ndef f(): ...\nimport c\n',
    ],
    ['after a docstring', '"""Doc."""\nx = 1\n', ['a'], '"""Doc."""\nimport a\nx = 1\n'],
    [
      'after the future',
      'from __future__ import annotations\nx = 1\n',
      ['a'],
      'from __future__ import annotations\nimport a\nx = 1\n',
    ],
    ['in its sorted place', 'import a\nimport c\nx = 1\n', ['b'], 'import a\nimport b\nimport c\nx = 1\n'],
    [
      'before an import that follows other statements, and the first definition',
      'import b\nx = 1\nimport c\ndef f(): ...\nimport d\n',
      ['z', 'y'],
      'import b\nx = 1\nimport c\nfrom z import y\ndef f(): ...\nimport d\n',
    ],
    [
      'after the last, where no function is defined',
      'import b\nx = 1\n',
      ['z', 'y'],
      'import b\nfrom z import y\nx = 1\n',
    ],
    [
      'above relative ones, in the section before them',
      'import b\n\nfrom . import c\nx = 1\n',
      ['z', 'y'],
      'import b\n\nfrom z import y\n\nfrom . import c\nx = 1\n',
    ],
    [
      'above relative ones, beside those of its package',
      'from z.a import b\n\nfrom .d import c\nfrom .. import e\n',
      ['z', 'y'],
      'from z import y\nfrom z.a import b\n\nfrom .d import c\nfrom .. import e\n',
    ],
    [
      'above relative ones that stand close',
      'import b\nfrom . import c\n',
      ['z', 'y'],
      'import b\nfrom z import y\nfrom . import c\n',
    ],
    [
      'above relative ones alone',
      '# one\nfrom . import c\nx = 1\n',
      ['z', 'y'],
      '# one\nfrom z import y\n\nfrom . import c\nx = 1\n',
    ],
    [
      'relative ones that stand between others are no end',
      'from . import c\nimport b\n',
      ['z', 'y'],
      'from . import c\nimport b\nfrom z import y\n',
    ],
    ['in an empty file', '', ['a'], 'import a\n'],
  ])('%s', (_, text, request, expected) => {
    expect(withImport(text, request)).toBe(expected);
  });
});

describe('a name', () => {
  const state = (text: string, module: string, name: string | null) => nameState(layoutOf(text), { module, name });
  it.each<[string, [string, string | null], object]>([
    ['x = 1\n', ['a', 'b'], { kind: 'free' }],
    ['from a import b\n', ['a', 'b'], { kind: 'bound', as: 'b' }],
    ['from a import b as c\n', ['a', 'b'], { kind: 'bound', as: 'c' }],
    ['from z import b\n', ['a', 'b'], { kind: 'taken' }],
    ['b = 1\n', ['a', 'b'], { kind: 'taken' }],
    ['from a import b\nb = 1\n', ['a', 'b'], { kind: 'taken' }],
    ['if x:\n    from a import b\n', ['a', 'b'], { kind: 'taken' }],
    ['def b(): ...\n', ['pkg.main', 'b'], { kind: 'bound', as: 'b' }],
    ['import a\n', ['a', null], { kind: 'bound', as: 'a' }],
    ['import a as z\n', ['a', null], { kind: 'bound', as: 'z' }],
    ['a = 1\n', ['a', null], { kind: 'taken' }],
    ['import a.b\n', ['c', null], { kind: 'free' }],
  ])('%j: %j', (text, [module, name], expected) => {
    expect(state(text, module, name)).toEqual(expected);
  });
});
