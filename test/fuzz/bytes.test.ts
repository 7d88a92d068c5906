/** Real files with damage: whatever the bytes are, nothing throws, and what is still Python is rewritten soundly. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { decodePython, SourceEncodingError, spliceEncoded } from '../../src/syntax/text.ts';
import { ROOT } from '../e2e/support/run.ts';
import { damaged } from './damage.ts';
import { parameters, wholeWay } from './support.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const files = ['fixtures/services', 'test/cases']
  .flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' }).map((f) => `${folder}/${f}`),
  )
  .filter((file) => file.endsWith('.py'))
  .sort()
  .map((file) => readFileSync(`${ROOT}/${file}`))
  .filter((bytes) => bytes.length < 8_000);

test('there are files to damage', () => {
  expect(files.length).toBeGreaterThan(50);
});

test('a damaged file', () => {
  fc.assert(
    fc.property(damaged(files), (bytes) => {
      wholeWay({ 'm.py': bytes });
    }),
    parameters(0.25),
  );
});

test('bytes that decode are the same bytes again', () => {
  fc.assert(
    fc.property(fc.oneof(damaged(files), fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        const decoded = decodePython(bytes);
        expect(
          Buffer.compare(
            spliceEncoded(bytes, decoded, [{ start: 0, end: decoded.text.length, text: decoded.text }]),
            bytes,
          ),
        ).toBe(0);
      } catch (error) {
        if (!(error instanceof SourceEncodingError)) throw error;
      }
    }),
    parameters(0.1),
  );
});
