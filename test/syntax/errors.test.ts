import { describe, expect, it } from 'vitest';
import { PythonSyntaxError, parseModule } from '../../src/syntax/index.ts';

function failure(text: string): PythonSyntaxError {
  try {
    parseModule(text);
  } catch (error) {
    if (error instanceof PythonSyntaxError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** Source, the message, and the text at the offset of the error. */
type Case = [source: string, message: string, at: string];

const TOKENIZER: Case[] = [
  ['if a:\n        b\n\tc\n', 'inconsistent use of tabs and spaces in indentation', 'c'],
  ['if a:\n    b\n  c\n', 'unindent does not match any outer indentation level', 'c'],
  ['x = "abc\ny', 'unterminated string literal (detected at line 1)', '"abc'],
  ['x = """abc\n\n', 'unterminated triple-quoted string literal (detected at line 2)', '"""abc'],
  ['f"abc', 'unterminated f-string literal (detected at line 1)', 'f"abc'],
  ['f"""abc\n', 'unterminated triple-quoted f-string literal (detected at line 1)', 'f"""'],
  ['f"a}b"', "f-string: single '}' is not allowed", '}b'],
  ['f"{)}"', "f-string: unmatched ')'", ')}'],
  ['f"{a:{b:{c:{d}}}}"', 'f-string: expressions nested too deeply', '{d}'],
  ['t"a}b"', "t-string: single '}' is not allowed", '}b'],
  [`${'f"{'.repeat(151)}`, 'too many nested f-strings', 'f"{'],
  ['x = (1,\n', "'(' was never closed", '(1'],
  ['x = (1,\ny = 2\nz = 3\n', "'(' was never closed", '(1'],
  ['f(]', "closing parenthesis ']' does not match opening parenthesis '('", ']'],
  ['f(\n]', "closing parenthesis ']' does not match opening parenthesis '(' on line 1", ']'],
  ['a)', "unmatched ')'", ')'],
  ['('.repeat(201), 'too many nested parentheses', '('],
  ['x \\ y', 'unexpected character after line continuation character', ' y'],
  ['x \\', 'unexpected EOF while parsing', '\\'],
  ['x = 1\0', 'source code cannot contain null bytes', '\0'],
  ['x = 1 € 2', "invalid character '€' (U+20AC)", '€'],
  ['x\u00a0= 1', 'invalid non-printable character U+00A0', '\u00a0'],
  ['x = 1\u2028', 'invalid non-printable character U+2028', '\u2028'],
  ['x = 1\v', 'invalid non-printable character U+000B', '\v'],
  ['1__0', 'invalid decimal literal', '__'],
  ['1a', 'invalid decimal literal', 'a'],
  ['1e+', 'invalid decimal literal', 'e+'.slice(1)],
  ['0x', 'invalid hexadecimal literal', ''],
  ['0o8', "invalid digit '8' in octal literal", '8'],
  ['0b2', "invalid digit '2' in binary literal", '2'],
  ['0b', 'invalid binary literal', ''],
  ['1jx', 'invalid imaginary literal', 'x'],
  ['0777', 'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers', '0777'],
];

const STATEMENTS: Case[] = [
  ['x = $', 'invalid syntax', '$'],
  ['  x = 1\n', 'unexpected indent', 'x'],
  ['if a:\nb\n', "expected an indented block after 'if' statement on line 1", 'b'],
  ['if a:\n  b\nelif c:\nd\n', "expected an indented block after 'elif' statement on line 3", 'd'],
  ['def f():\nx\n', 'expected an indented block after function definition on line 1', 'x'],
  ['class A:\nx\n', 'expected an indented block after class definition on line 1', 'x'],
  ['match a:\ncase 1: pass\n', "expected an indented block after 'match' statement on line 1", 'case'],
  ['try:\n  a\nfinally:\nb', "expected an indented block after 'finally' statement on line 3", 'b'],
  ['if a\n  b\n', "expected ':'", '\n  b'],
  ['def f:\n  b\n', "expected '('", ':\n'],
  ['try:\n  a\nb\n', "expected 'except' or 'finally' block", 'b'],
  ['try:\n a\nexcept A:\n b\nexcept* B:\n c\n', "cannot have both 'except' and 'except*' on the same 'try'", 'except*'],
  ['try:\n a\nexcept*:\n b\n', 'expected one or more exception types', ':\n b'],
  ['try:\n a\nexcept A, B as e:\n b\n', "multiple exception types must be parenthesized when using 'as'", 'A, B as'],
  ['print "a"', "Missing parentheses in call to 'print'. Did you mean print(...)?", 'print'],
  ['exec code', "Missing parentheses in call to 'exec'. Did you mean exec(...)?", 'exec'],
  ['from a import b,', 'trailing comma not allowed without surrounding parentheses', ''],
  ['from a import', "Expected one or more names after 'import'", ''],
  ['import a from b', "Did you mean to use 'from ... import ...' instead?", 'import'],
  ['f() = 1', "cannot assign to function call here. Maybe you meant '==' instead of '='?", 'f()'],
  ['(a, 1) = b', 'cannot assign to literal', '1)'],
  ['None = 1', 'cannot assign to None', 'None'],
  ['x = yield = 1', 'assignment to yield expression not possible', 'yield'],
  ['f() += 1', "'function call' is an illegal expression for augmented assignment", 'f()'],
  ['a, b: int', 'only single target (not tuple) can be annotated', 'a,'],
  ['f(): int', 'illegal target for annotation', 'f('],
  ['del f()', 'cannot delete function call', 'f('],
  ['del *a,', 'cannot delete starred', '*a'],
  ['for 1 in x: pass', 'cannot assign to literal', '1 in'],
  ['with a as 1: pass', 'cannot assign to literal', '1:'],
  ['if a = 1: pass', "invalid syntax. Maybe you meant '==' or ':=' instead of '='?", 'a ='],
  ['type X[] = int', 'Type parameter list cannot be empty', ']'],
  ['type X[*Ts: int] = int', 'cannot use bound with TypeVarTuple', ': int'],
  ['match x:\n case a as _: pass', "cannot use '_' as a target", '_:'],
  ['match x:\n case A(b=1, 2): pass', 'positional patterns follow keyword patterns', '2)'],
  ['match x:\n case 1 + 2: pass', 'imaginary number required in complex literal', '2:'],
  ['match x:\n case 1j + 2: pass', 'real number required in complex literal', '1j'],
];

const EXPRESSIONS: Case[] = [
  ['f(a=1, b)', 'positional argument follows keyword argument', 'b)'],
  ['f(**a, b)', 'positional argument follows keyword argument unpacking', 'b)'],
  ['f(**a, *b)', 'iterable argument unpacking follows keyword argument unpacking', '*b'],
  ['f(a.b=1)', 'expression cannot contain assignment, perhaps you meant "=="?', 'a.b'],
  ['f(True=1)', 'cannot assign to True', 'True'],
  ['f(x for x in y, 1)', 'Generator expression must be parenthesized', 'x for'],
  ['f(1, x for x in y)', 'Generator expression must be parenthesized', 'x for'],
  ['[a b]', 'invalid syntax. Perhaps you forgot a comma?', 'b]'],
  ['(*a)', 'cannot use starred expression here', '*a'],
  ['[*a for a in b]', 'iterable unpacking cannot be used in comprehension', '*a'],
  ['{**a for a in b}', 'dict unpacking cannot be used in dict comprehension', 'for'],
  ['[a, b for a, b in c]', 'did you forget parentheses around the comprehension target?', 'a, b for'],
  ['{1: }', "expression expected after dictionary key and ':'", '}'],
  ['1 if 2', "expected 'else' after 'if' expression", ''],
  ['(a.b := 1)', 'cannot use assignment expressions with attribute', 'a.b'],
  ['a + not b', "'not' after an operator must be parenthesized", 'not b'],
  ['def f(a=1, b): pass', 'parameter without a default follows parameter with a default', 'b)'],
  ['def f(*): pass', 'named arguments must follow bare *', '*)'],
  ['def f(a, *, *b): pass', 'named arguments must follow bare *', '*, *b'],
  ['def f(*a, *b): pass', '* argument may appear only once', '*b'],
  ['def f(*a=1): pass', 'var-positional argument cannot have default value', '=1'],
  ['def f(**a=1): pass', 'var-keyword argument cannot have default value', '=1'],
  ['def f(**a, b): pass', 'arguments cannot follow var-keyword argument', 'b)'],
  ['def f(/): pass', 'at least one argument must precede /', '/)'],
  ['def f(a, /, b, /): pass', '/ may appear only once', '/)'],
  ['def f(a, *, b, /): pass', '/ must be ahead of *', '/)'],
  ['def f(a, (b, c)): pass', 'Function parameters cannot be parenthesized', '(b'],
  ['lambda (a): 1', 'Lambda expression parameters cannot be parenthesized', '(a'],
  ['f"{}"', "f-string: valid expression required before '}'", '}'],
  ['f"{!r}"', "f-string: valid expression required before '!'", '!r'],
  ['f"{a!x}"', "f-string: invalid conversion character 'x': expected 's', 'r', or 'a'", 'x}'],
  ['f"{a! r}"', 'f-string: conversion type must come right after the exclamation mark', 'r}'],
  ['f"{a b}"', "f-string: expecting '}'", 'b}'],
  ['f"{/}"', "f-string: expecting a valid expression after '{'", '/}'],
  ['f"{lambda x: 1}"', 'f-string: lambda expressions are not allowed without parentheses', 'lambda'],
  ['"a" b"b"', 'cannot mix bytes and nonbytes literals', '"a"'],
  ['t"a" "b"', 'cannot mix t-string literals with string or bytes literals', 't"a"'],
  ['b"é"', 'bytes can only contain ASCII literal characters', 'b"'],
  [
    '"\\x1"',
    "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: truncated \\xXX escape",
    '"\\x1"',
  ],
  ['b"\\x1"', '(value error) invalid \\x escape at position 0', 'b"'],
  [
    '"\\N{no_name}"',
    "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-10: unknown Unicode character name",
    '"\\N',
  ],
];

describe.each([
  ['tokenizer', TOKENIZER],
  ['statements', STATEMENTS],
  ['expressions', EXPRESSIONS],
])('errors of %s', (_group, cases) => {
  it.each(cases)('%j', (source, message, at) => {
    const error = failure(source);
    expect(error.message).toBe(message);
    expect(source.slice(error.offset).trimEnd().startsWith(at.trimEnd())).toBe(true);
    expect(error.offset).toBeLessThanOrEqual(source.length + 1);
  });
});

describe('what is rejected', () => {
  it.each([
    'a <> b',
    'x = *',
    'a = b := c',
    'f(a for a in b)(',
    'class A(x for x in y): pass',
    'async x = 1',
    'await await x',
    'a not b',
    'not = 1',
    'with a as b.c(): pass',
    'with (a, b) as c, : pass',
    'match x:\n  case _.y: pass',
    'match x:\n  pass',
    'import a.b as c.d',
    'from . import *, a',
    'from a import ()',
    'def f(a, a=): pass',
    'x: int: str',
    '[x for x in y if z := 1]',
    'f"{a:{}}"',
    'u"a" f"{"',
    'bu"a"',
    'return yield',
    'raise a from',
    'a[b:=1:2]',
    '{a := 1: 2}',
    '{a: 1, b}',
    'if x: if y: pass',
    'x; match y:\n  case 1: pass',
    '@a\nx = 1',
    'else: pass',
  ])('%j', (source) => {
    failure(source);
  });

  it('reports indentation deeper than CPython takes', () => {
    const source = Array.from({ length: 101 }, (_, i) => `${' '.repeat(i)}if x:\n`).join('');
    expect(failure(source).message).toBe('too many levels of indentation');
  });

  it('reports integers that CPython does not convert', () => {
    expect(failure('9'.repeat(4301)).message).toContain('Exceeds the limit (4300 digits)');
    parseModule(`${'9'.repeat(4300)}\n0x${'f'.repeat(5000)}`);
  });

  it('reports the first error, not a later one of the tokenizer', () => {
    const error = failure('x = = 1\ny = "abc\n');
    expect([error.message, error.offset]).toEqual(['invalid syntax', 4]);
  });
});

describe('nesting', () => {
  it.each([
    ['unary', '-', '1'],
    ['not', 'not ', '1'],
    ['power', '1**', '1'],
    ['ternary', '1 if 1 else ', '1'],
    ['lambda', 'lambda: ', '1'],
  ])('refuses 20,000 levels of %s', (_name, head, tail) => {
    expect(failure(head.repeat(20_000) + tail).message).toBe('too many nested expressions');
    parseModule(head.repeat(900) + tail);
  });

  it('takes 150 levels of brackets of every kind', () => {
    for (const [open, close] of ['()', '[]', '{}']) parseModule(open!.repeat(150) + close!.repeat(150));
    parseModule(`${'f(lambda x=['.repeat(90)}1${']: 1)'.repeat(90)}`);
  });
});
