import { describe, expect, it } from 'vitest';
import { Memory } from '../../src/semantics/memory.ts';
import type { ModuleGraph } from '../../src/semantics/modules.ts';
import { modulesByName } from '../../src/semantics/name-index.ts';
import type { ModuleScopes } from '../../src/semantics/scopes.ts';

/** A module as far as the index looks at it. */
interface Part {
  names: string[];
}

const asModule = (part: Part): ModuleScopes => part as unknown as ModuleScopes;
const namesIn = (m: ModuleScopes): string[] => (m as unknown as Part).names;
const graphOf = (memory: Memory, parts: readonly Part[]): ModuleGraph =>
  ({ memory, modules: () => parts.map(asModule) }) as unknown as ModuleGraph;
const part = (names: string): Part => ({ names: names.split(' ') });

const ALL = ['a', 'b', 'c', 'd', 'e'];

describe('which modules have something of a name', () => {
  const [one, two, three, four] = [part('a b'), part('b'), part('c a'), part('d')];
  const first = [one, two, three, four];
  const looks: Record<string, Part[]> = {
    'as it was': first,
    'one module has other names': [one, part('a e'), three, four],
    'two have': [part('c'), two, three, part('b a d')],
    'two have changed places': [one, four, three, two],
    'one is there no more': [one, two, three],
    'one came in the middle': [one, part('a b'), two, three, four],
    'all are others': first.map(({ names }) => ({ names: [...names, 'e'] })),
  };

  it.each(Object.keys(looks))('is told as by a search of all, after another look: %s', (what) => {
    const memory = new Memory();
    const find = modulesByName(namesIn);
    for (const parts of [first, looks[what]!, first]) {
      const graph = graphOf(memory, parts);
      for (const name of ALL) expect(find(graph, name)).toEqual(parts.filter(({ names }) => names.includes(name)));
    }
  });

  it('is the same list as long as its modules are the same', () => {
    const memory = new Memory();
    const find = modulesByName(namesIn);
    const before = ALL.map((name) => find(graphOf(memory, first), name));
    const edited = graphOf(memory, looks['one module has other names']!);
    expect(ALL.filter((name, i) => before[i] === find(edited, name))).toEqual(['c', 'd']);
  });

  it('takes in what is read later', () => {
    const parts = [one, two];
    const graph = graphOf(new Memory(), parts);
    const find = modulesByName(namesIn);
    expect(find(graph, 'a')).toEqual([one]);
    parts.push(three);
    expect(find(graph, 'a')).toEqual([one, three]);
  });
});
