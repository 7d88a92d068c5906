import { describe, expect, it } from 'vitest';
import { childrenOf, descendants, type Expr, type Module, type Node, parseModule } from '../../src/syntax/index.ts';

function find<K extends Node['kind']>(root: Module, kind: K, index = 0): Extract<Node, { kind: K }> {
  const found = [...descendants(root)].filter((node): node is Extract<Node, { kind: K }> => node.kind === kind);
  return found[index]!;
}

function expression(text: string): Expr {
  return find(parseModule(text), 'ExprStmt').value;
}

const SAMPLE = `@deco(1, k=2)
async def f[T: int = str, *Ts = *tuple[int], **P = []](a, /, b: int = 1, *args: *Ts, c, d=2, **kw) -> None:
    """Doc."""  # note
    async with a as (b, *c), d: pass
    with (open(x) as y, z,): pass
    async for i, *j in k: continue
    else: x[1:2, ::3, *a] = y[:] = [*z, (yield)]
    try: await g(x for x in y)
    except* (A, B) as e: raise X from None
    else: pass
    finally: return lambda x=1, *y, **z: not x
    match x, *y:
        case [1, -2, 3 - 4j, *_] | {"k": v, **rest} | A.B(1, z=None) as w if w > 1: del a, (b, [c])
        case {None: 1} | a.b: global q; nonlocal r
        case _: assert x, f"a{b!r:>{w}}c{{" "d" rf'{x=}'
    type X[Y] = Y | {**a, 1: 2, **{k: v for k, v in w if k async for z in q}}
    x: int = {1, *a} if (n := 10) else {y for y in z}
    x @= a < b is not c not in d ** -e and f or ~g, ...
    import a.b as c, d
    from ...e import (f as g, h,)
    while 1: break
class A(B, *C, metaclass=M, **k): pass
`;

describe('the tree', () => {
  const tree = parseModule(SAMPLE);

  it('links every node to its parent and yields it once', () => {
    const seen = new Set<Node>();
    for (const node of descendants(tree)) {
      expect(seen.has(node)).toBe(false);
      seen.add(node);
      for (const child of childrenOf(node)) expect(child.parent).toBe(node);
    }
    expect(tree.parent).toBeNull();
    expect(new Set([...seen].map((node) => node.kind)).size).toBeGreaterThan(60);
  });

  it('walks in source order', () => {
    for (const node of descendants(tree)) {
      const starts = childrenOf(node).map((child) => child.start);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
    }
  });

  it('keeps comments', () => {
    const text = '#a\nx = [ # b\n# c\r]  #d';
    expect(parseModule(text).comments.map(({ start, end }) => text.slice(start, end))).toEqual([
      '#a',
      '# b',
      '# c',
      '#d',
    ]);
  });
});

describe('spans', () => {
  it('keep redundant parentheses in outer', () => {
    const node = expression('((a)) + (b)');
    if (node.kind !== 'BinOp') throw new Error(node.kind);
    expect([node.start, node.end]).toEqual([0, 11]);
    expect([node.left.start, node.left.end, node.left.outer]).toEqual([2, 3, { start: 0, end: 5 }]);
    expect(node.right.outer).toEqual({ start: 8, end: 11 });
    expect(node.outer).toBeUndefined();
  });

  it('make the parentheses of a tuple its own', () => {
    expect(expression('(a, b)')).toMatchObject({ kind: 'Tuple', start: 0, end: 6 });
    expect(expression('((a, b))')).toMatchObject({ kind: 'Tuple', start: 1, end: 7, outer: { start: 0, end: 8 } });
  });

  it('tell a bare generator from a parenthesised one', () => {
    expect(expression('f(x for x in y)')).toMatchObject({
      open: 1,
      args: [{ kind: 'GeneratorExp', bare: true, start: 1, end: 15 }],
    });
    expect(expression('f((x for x in y))')).toMatchObject({ args: [{ bare: false, start: 2, end: 16 }] });
  });

  it('point at the parts of definitions and attributes', () => {
    const text = 'class Aé(B): pass\nx . y\ntry: p\nexcept E as err: q\n';
    const tree = parseModule(text);
    const slice = (span: { start: number; end: number } | null): string => text.slice(span!.start, span!.end);
    expect(slice(find(tree, 'ClassDef').nameSpan)).toBe('Aé');
    const { attrStart: start, end } = find(tree, 'Attribute');
    expect(slice({ start, end })).toBe('y');
    expect(slice(find(tree, 'ExceptHandler').nameSpan)).toBe('err');
  });

  it('cover replacement fields', () => {
    const text = 'f"a{b:{c}}" \'x\'';
    const node = expression(text);
    if (node.kind !== 'JoinedStr') throw new Error(node.kind);
    const [field] = node.values;
    expect(text.slice(field!.start, field!.end)).toBe('{b:{c}}');
    expect(text.slice(field!.specValues[0]!.start, field!.specValues[0]!.end)).toBe('{c}');
    expect(field!.quote).toBe('"');
    expect(node.parts.map((part) => text.slice(part.start, part.end))).toEqual(['f"a{b:{c}}"', "'x'"]);
  });
});

describe('values', () => {
  it.each([
    ['1_000', 'int', 1000],
    ['0xFF', 'int', 255],
    ['0o17', 'int', 15],
    ['0b1_1', 'int', 3],
    ['1_0.5e-1', 'float', 1.05],
    ['.5', 'float', 0.5],
    ['0_7.', 'float', 7],
    ['1e3J', 'complex', null],
    ['True', 'bool', true],
    ['None', 'none', null],
    ['...', 'ellipsis', null],
    ["'a' \"b\" r'\\n'", 'str', 'ab\\n'],
    ["'\\x41\\u00e9\\U0001F600\\101\\t\\q'", 'str', 'Aé😀A\t\\q'],
    ["'a\\\r\nb'", 'str', 'ab'],
    ["'''a\r\nb\rc'''", 'str', 'a\nb\nc'],
    ["b'\\xff\\777'", 'bytes', '\xff\xff'],
  ])('%j is %s %j', (text, type, value) => {
    expect(expression(text)).toMatchObject({ kind: 'Constant', type, value });
  });

  it('normalises names', () => {
    expect(expression('ﬁn')).toMatchObject({ kind: 'Name', id: 'fin' });
  });
});

describe('what only some tools accept', () => {
  it.each([
    ['a lone CR as line end', 'a\rb\r'],
    ['dedented lines in brackets', 'if x:\n    f(a,\n  b,\nc)\n    d\n'],
    ['a form feed before indentation', 'if x:\n    a\n\f    b\n'],
    ['U+2028 and U+0085 in strings', '"\u2028" "\u0085"\n'],
    ['type parameter defaults', 'class A[T = int, *Ts = *tuple[()], **P = ...]: pass'],
    ['exception types without parentheses', 'try: a\nexcept A, B: b\n'],
    ['nested quotes in f-strings', "f'{a['b']:{f'{c}'}}' f'{\n1 # note\n}'"],
    ['t-strings', 't\'{a!r:>{b}}\' rt"{c}"'],
    ['soft keywords as names', 'match = case = type = _ = 1\nmatch[case]\nmatch(type)\ntype(x)\nprint(match)\n'],
    ['soft keywords as both', 'match match:\n  case case: type type = type\n'],
    ['keywords glued to numbers', '1if 1else 0x1for x in y'.replace('for x in y', ' or 2')],
    ['an empty file', ''],
    ['only a comment', '# x'],
    ['a starred subscript', 'a[*b]'],
    [
      'with-items and tuples',
      'with (a, b): x\nwith (a, b) as c: x\nwith (yield): x\nwith (a, *b): x\nwith (a), b: x\n',
    ],
  ])('%s', (_name, text) => {
    parseModule(text);
  });

  it('reads two items in with (a, b) and one in with ((a, b))', () => {
    expect(find(parseModule('with (a, b): x'), 'With').items).toHaveLength(2);
    expect(find(parseModule('with ((a, b)): x'), 'With').items).toHaveLength(1);
    expect(find(parseModule('with (a, *b): x'), 'With').items).toHaveLength(1);
  });
});

describe('long chains', () => {
  it.each([
    ['additions', `1${'+1'.repeat(20_000)}`],
    ['calls', `a${'()'.repeat(20_000)}`],
    ['attributes', `a${'.b'.repeat(20_000)}`],
    ['comparisons', `1${' < 1'.repeat(20_000)}`],
    ['elifs', `if a: b\n${'elif a: b\n'.repeat(20_000)}`],
    ['statements', 'a = 1\n'.repeat(20_000)],
  ])('parses and walks 20,000 %s', (_name, text) => {
    let count = 0;
    for (const _ of descendants(parseModule(text))) count++;
    expect(count).toBeGreaterThan(20_000);
  });
});
