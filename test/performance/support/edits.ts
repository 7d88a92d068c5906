/** Edits of Python files such as one makes in an editor, each a pure function of a number. */

/** Numbers that look random, the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Random = () => number;
type Edit = (text: string, random: Random, word: () => string) => string;

function pick<T>(of: readonly T[], random: Random): T | undefined {
  return of[Math.floor(random() * of.length)];
}

/** Offsets where a line of the given kind begins. */
function linesOf(text: string, kind: RegExp): number[] {
  return [...text.matchAll(kind)].map((m) => m.index);
}

function insertAt(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at);
}

/** A statement or definition that goes in front of some unindented line, or to the end. */
const inserted =
  (more: (random: Random, word: () => string) => string): Edit =>
  (text, random, word) =>
    insertAt(
      text,
      pick(linesOf(text, /^(?=(?:async )?def |class |if |import |from )/gm), random) ?? text.length,
      more(random, word),
    );

export const EDITS: Readonly<Record<string, Edit>> = {
  comment: (text, random) => insertAt(text, pick(linesOf(text, /^/gm), random) ?? 0, '# a note\n'),
  'spawns something': inserted(
    (_, word) =>
      `import asyncio\nasync def started_here():\n    while True:\n        await asyncio.sleep(5)\n        ${word()}()\nasyncio.create_task(started_here())\n`,
  ),
  'spawns what is there': inserted((_, word) => `import asyncio\nasyncio.ensure_future(${word()}())\n`),
  'gets a wrapper': inserted(
    (_, word) => `import asyncio\ndef ${word()}(coro):\n    return asyncio.create_task(coro)\n`,
  ),
  'calls a wrapper': inserted((_, word) => `async def handed_over():\n    pass\n${word()}(handed_over())\n`),
  'fills a list': inserted((_, word) => `${word()}.append(${word()})\n`),
  'imports by another name': inserted((_, word) => `from asyncio import ${word()} as ${word()}\n`),
  'imports all': inserted(() => 'from asyncio import *\n'),
  'other sleep': (text) => text.replace(/sleep\(([^()]*)\)/, 'sleep(77)'),
  renames: (text, _, word) => {
    const name = word();
    return text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), `${name}_2`);
  },
  'loses a line': (text, random) => {
    const at = pick(linesOf(text, /^[^\n]+\n/gm), random) ?? 0;
    const end = text.indexOf('\n', at);
    return end < 0 ? text : text.slice(0, at) + text.slice(end + 1);
  },
  'loses an import': (text, random) => {
    const at = pick(linesOf(text, /^(?:import|from) [^\n(]+\n/gm), random);
    return at === undefined ? text : `${text.slice(0, at)}pass\n${text.slice(text.indexOf('\n', at) + 1)}`;
  },
  'asks for another of an import': (text, random) => {
    const from = pick([...text.matchAll(/^from \S+ import (\w+), (\w+)/gm)], random);
    return from ? text.replaceAll(new RegExp(`\\b${from[1]}\\(`, 'g'), `${from[2]}(`) : text;
  },
  'is broken': (text, random) => insertAt(text, pick(linesOf(text, /^/gm), random) ?? 0, 'def (\n'),
  'becomes empty': () => '',
};

/** Some name that is defined, imported or called in a text. */
export function wordIn(text: string, random: Random): string {
  const names = [...text.matchAll(/\b(?:def|class|import|as) ([A-Za-z_]\w*)|\b([A-Za-z_]\w*)(?=\()/g)];
  const found = pick(names, random);
  return found?.[1] ?? found?.[2] ?? 'name';
}
