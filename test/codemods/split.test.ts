import { afterEach, describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { splitPlan } from '../../src/engine/migrate/split.ts';
import type { PlannedSite } from '../../src/engine/migrate/types.ts';
import { Repository } from '../edit/support/git.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project } from './support/project.ts';

// Every order is a process.
const repositories: Repository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.dispose();
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const calls = (names: string[], gap: string) =>
  names.map((name) => `    asyncio.create_task(run_${name}())\n`).join(gap);
const main = (names: string[], gap: string) =>
  `import asyncio\n\nimport src.core.context\n\n\nasync def main():\n${calls(names, gap)}`;
const priority = (site: PlannedSite) => /_(p\d)_/.exec(site.site.argument)![1]!.toUpperCase();
const priorities = ['P0', 'P1', 'P2'];

function check(files: Files, groupOf: (site: PlannedSite) => string, options: Partial<ProjectOptions> = {}) {
  const input = project(files, {
    codemods,
    paths: Object.keys(files).filter((file) => file.includes('main')),
    ...options,
  });
  const plan = planMigration(input);
  const split = splitPlan(plan, input.sources, groupOf, priorities);
  const want = Object.fromEntries(
    Object.entries(applied(files, plan)).map(([file, content]) => [file, Buffer.from(content)]),
  );
  for (const order of permutations(split.patches)) {
    const repository = new Repository(files);
    repositories.push(repository);
    // one after the other, in one go: git sees what the patch before has made of a file
    repository.apply(Buffer.concat(order.map(({ patch }) => patch)));
    expect(repository.files(), order.map(({ group }) => group).join(' ')).toEqual(want);
  }
  expect(split.patches.flatMap(({ sites }) => sites)).toHaveLength(plan.sites.length);
  return split;
}

describe('patches of one plan, applied in every order', () => {
  const rest = { 'src/core/context.py': CONTEXT };

  it('give the same bytes when the calls stand apart', () => {
    const split = check(
      { ...rest, 'src/main.py': main(['p0_a', 'p1_b', 'p2_c', 'p0_d'], '    print()\n\n') },
      priority,
    );
    expect(split.patches.map(({ group }) => group)).toEqual(['base', 'P0', 'P1', 'P2']);
    expect(split.notes).toEqual([]);
  });

  it('put calls on adjacent lines into one patch, and say so', () => {
    const split = check({ ...rest, 'src/main.py': main(['p0_a', 'p1_b', 'p0_c', 'p2_d'], '') }, priority);
    expect(split.notes.length).toBeGreaterThan(0);
    expect(split.notes[0]).toMatch(/too close/);
  });

  it('tell identical lines apart', () => {
    const repeated = `${main(['p0_a', 'p1_b'], '    print()\n')}\n\nasync def again():\n${calls(['p0_a', 'p1_b'], '    print()\n')}`;
    check({ ...rest, 'src/main.py': `${repeated}    print()\n` }, (site) => (site.site.range.line < 10 ? 'P0' : 'P1'));
  });

  it('keep CRLF, a missing last newline and a call on the last line', () => {
    const text = main(['p0_a', 'p1_b', 'p2_c'], '    print()\n').replaceAll('\n', '\r\n').trimEnd();
    check({ ...rest, 'src/main.py': text }, priority);
  });

  it('bring a new helper module in the base patch', () => {
    const files = {
      ...rest,
      'src/main.py': main(['p0_a', 'p1_b'], '    print()\n'),
      'src/main2.py': main(['p1_c'], ''),
    };
    const split = check(files, priority, { helper: { module: 'src.core.tasks' } });
    expect(split.patches.map(({ group }) => group)).toEqual(['base', 'P0', 'P1']);
    expect(Buffer.from(split.patches[0]!.patch).toString()).toContain('+++ b/src/core/tasks.py');
  });

  it('go by file without a base when each file brings its own helper', () => {
    const files = { ...rest, 'src/main.py': main(['p0_a', 'p1_b'], ''), 'src/main2.py': main(['p1_c'], '') };
    const split = check(files, (site) => site.site.range.file, { helper: 'inline' });
    expect(split.patches.map(({ group }) => group)).toEqual(['src/main.py', 'src/main2.py']);
  });

  it('work for a file that begins with the calls', () => {
    check(
      {
        ...rest,
        'src/main.py':
          'async def main():\n    import asyncio\n    asyncio.create_task(run_p0_a())\n    print()\n    asyncio.create_task(run_p1_b())\n',
      },
      priority,
    );
  });
});
