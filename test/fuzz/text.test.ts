/** Any text, cut and put together: edits, diffs and escapes lose nothing. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { applyEdits, invertEdits } from '../../src/edit/index.ts';
import type { Edit } from '../../src/model/index.ts';
import { jsonText, logLines, printable } from '../../src/report/escape.ts';
import { decodePython, spliceEncoded } from '../../src/syntax/text.ts';
import { parameters } from './support.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const text = fc.string({ unit: 'binary', maxLength: 80 });
const anything = fc
  .array(
    fc.oneof(text, fc.constantFrom('\x1b[31m', '\u202e', '::error::x', '\n', '\r', '##[group]', '\ud800', '\u009b')),
  )
  .map((parts) => parts.join(''));

/** Edits that do not overlap, at whole characters. */
const edited = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 5 }), text), { maxLength: 6 }))
  .map(([source, wishes]) => {
    const edits: Edit[] = [];
    const stops = [0];
    for (const character of source) stops.push(stops.at(-1)! + character.length);
    let from = 0;
    for (const [where, length, put] of wishes) {
      const start = from + (where % (stops.length - from));
      const end = Math.min(start + length, stops.length - 1);
      edits.push({ file: 'x.py', start: stops[start]!, end: stops[end]!, text: put, order: edits.length });
      if (end + 1 >= stops.length) break;
      from = end + 1;
    }
    return { source, edits };
  });

test('edits can be undone, in text and in bytes', () => {
  fc.assert(
    fc.property(edited, ({ source, edits }) => {
      const after = applyEdits(source, edits);
      const undo = invertEdits(source, edits);
      expect(applyEdits(after, undo)).toBe(source);
      const bytes = Buffer.from(`# -*- coding: utf-8 -*-\n${source}`);
      const decoded = decodePython(bytes);
      const shift = decoded.text.length - source.length;
      const moved = (list: readonly Edit[]): Edit[] =>
        list.map((e) => ({ ...e, start: e.start + shift, end: e.end + shift }));
      const changed = spliceEncoded(bytes, decoded, moved(edits));
      expect(Buffer.from(changed).toString()).toBe(applyEdits(decoded.text, moved(edits)));
      expect(Buffer.compare(spliceEncoded(changed, decodePython(changed), moved(undo)), bytes)).toBe(0);
    }),
    parameters(0.03),
  );
});

const STEERING = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/u;

test('what is shown steers nothing, and JSON keeps every unit of it', () => {
  fc.assert(
    fc.property(anything, (raw) => {
      expect(printable(raw)).not.toMatch(STEERING);
      expect(JSON.parse(jsonText({ raw }))).toEqual({ raw });
      expect(jsonText({ raw }).replaceAll('\n', '')).not.toMatch(STEERING);
      for (const line of logLines(raw).split('\n')) {
        expect(line).not.toMatch(STEERING);
        expect(line.trim()).not.toMatch(/^(::|##\[)/);
      }
    }),
    parameters(0.02),
  );
});
