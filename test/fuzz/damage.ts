/** Files to which something happened. */
import fc from 'fast-check';

/** What is likely to matter to a scanner. */
const SPLINTERS = [
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\t',
  '\f',
  '\\',
  '\\\n',
  '"',
  "'",
  '"""',
  'f"{',
  '}',
  '{',
  '(',
  ')',
  '[',
  ']',
  '#',
  ':',
  ';',
  ',',
  '=',
  ':=',
  '*',
  '**',
  '@',
  'async ',
  'await ',
  'lambda: ',
  'def ',
  'class ',
  'if ',
  'else',
  '\xff',
  '\ufeff',
  '\u2028',
  '🟢',
  'é',
  '中',
  '# coding: latin-1\n',
  '# looptag: ignore',
  'asyncio.create_task(',
  'import asyncio\n',
  '    ',
  ' ',
  '|',
  '`',
  '~~',
  '**',
  '&',
  '<',
  '- ',
  '# ',
  '|-|-|\n',
].map((text) => Buffer.from(text, 'utf8')); // prettier-ignore

type Blow = { at: number; length: number; kind: 'cut' | 'splinter' | 'byte' | 'twice' | 'end'; what: number };

const blow: fc.Arbitrary<Blow> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 40 }),
  kind: fc.constantFrom('cut', 'splinter', 'splinter', 'byte', 'twice', 'end'),
  what: fc.nat({ max: 255 }),
});

function strike(bytes: Buffer, { at, length, kind, what }: Blow): Buffer {
  const from = Math.floor(at * bytes.length);
  const [head, tail] = [bytes.subarray(0, from), bytes.subarray(from)];
  switch (kind) {
    case 'cut':
      return Buffer.concat([head, tail.subarray(length)]);
    case 'splinter':
      return Buffer.concat([head, SPLINTERS[what % SPLINTERS.length]!, tail]);
    case 'byte':
      return Buffer.concat([head, Buffer.from([what]), tail.subarray(1)]);
    case 'twice':
      return Buffer.concat([head, tail.subarray(0, length), tail]);
    case 'end':
      return length < 4 ? Buffer.from(head) : bytes;
  }
}

/** One of the files after a few blows. */
export function damaged(files: readonly Buffer[]): fc.Arbitrary<Uint8Array> {
  return fc
    .tuple(fc.constantFrom(...files.keys()), fc.array(blow, { minLength: 1, maxLength: 4 }))
    .map(([i, blows]) => blows.reduce(strike, files[i]!));
}
