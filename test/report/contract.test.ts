import { Chalk } from 'chalk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formats } from '../../src/report/index.ts';
import { CHECKS, finding, INVENTORIES, ODD, ODD_FILE, options, range, result } from './samples.ts';

/** Whatever a terminal, a log or a web page might act upon; line breaks are each format's own. */
const ACTIVE =
  /(?![\r\n])[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;

const odd: Record<string, string> = { [ODD_FILE]: `${ODD}\nsecond\n` };
const opts = options({ sourceOf: (file) => odd[file] ?? null });

const runs = formats.flatMap((format) => [
  ...(format.check
    ? Object.entries(CHECKS).map(([name, r]) => [`${format.name} check ${name}`, () => format.check!(r, opts)] as const)
    : []),
  ...(format.inventory
    ? Object.entries(INVENTORIES).map(
        ([name, r]) => [`${format.name} inventory ${name}`, () => format.inventory!(r, opts)] as const,
      )
    : []),
]);

describe.each(runs)('%s', (_name, run) => {
  it('ends with a line break, prints nothing raw, and is the same each time', () => {
    const text = run();
    expect(text.endsWith('\n')).toBe(true);
    expect(ACTIVE.exec(text)).toBeNull();
    expect(run()).toBe(text);
  });
});

it('the formats are named as the contract names them', () => {
  expect(formats.map(({ name }) => name)).toEqual([
    'csv',
    'github',
    'gitlab',
    'json',
    'junit',
    'markdown',
    'sarif',
    'text',
  ]);
  expect(formats.filter((f) => f.check).map(({ name }) => name)).toEqual([
    'github',
    'gitlab',
    'json',
    'junit',
    'markdown',
    'sarif',
    'text',
  ]);
});

describe.each(formats.filter((f) => f.check).map((f) => [f.name, f] as const))('%s', (_name, format) => {
  it('shows every finding', () => {
    const text = format.check!(CHECKS.many!, options({ verbose: true }));
    for (const { message } of CHECKS.many!.findings) expect(text).toContain(message);
  });
  it('shows a file that can not be read, though no finding speaks of it', () => {
    const text = format.check!(CHECKS.unreadable!, options());
    expect(text).toContain('broken.py');
    expect(text).toMatch(/expected (':'|&#39;|\\u0027)/);
  });
  it('has no line but its own, whatever a message holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), (message, file) => {
        const r = result([finding({ message, range: range(file, 1, 1, 2) })]);
        const text = format.check!(r, options());
        expect(ACTIVE.exec(text)).toBeNull();
        expect(text.includes('\r')).toBe(false);
      }),
    );
  });
});

it('colours are the only escape sequences of a coloured text', () => {
  const coloured = options({ chalk: new Chalk({ level: 3 }), sourceOf: (file) => odd[file] ?? null });
  const text = formats.find((f) => f.name === 'text')!;
  for (const out of [text.check!(CHECKS.odd!, coloured), text.inventory!(INVENTORIES.odd!, coloured)]) {
    const bare = out.replace(/\x1b\[\d+m/g, '');
    expect(bare.length).toBeLessThan(out.length);
    expect(ACTIVE.exec(bare)).toBeNull();
  }
});
