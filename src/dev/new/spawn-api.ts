import type { Context, Scaffold } from './index.ts';

export function newSpawnApi({ name }: Context): Scaffold {
  const folder = `rules/spawn-apis/${name}`;
  const module = name.replaceAll('-', '_');
  const kind = module.toUpperCase();
  return {
    files: {
      [`${folder}/index.ts`]: `import { defineSpawnApi } from '../../../src/engine/contracts.ts';

export default defineSpawnApi({
  library: '${name}',
  rows: [
    { callee: '${module}.spawn', api: '${module}.spawn', takes: 'coroutine', argument: { position: 0, keyword: 'coro' } },
    { callee: '${kind}.start', api: '${module}.Pool.start', takes: 'callable', argument: { position: 0, keyword: 'func' } },
  ],
  makers: { '${module}.Pool': '${kind}' },
  types: { '${module}.Pool': '${kind}' },
});
`,
      [`${folder}/README.md`]: `# ${name}

What the library is, and the version that this table was read from.

## Counted as spawns

\`${module}.spawn(coro)\`, and \`start(func)\` of a \`${module}.Pool\`. Each callee is a qualified name, or a kind of object (\`${kind}\`) with a method.

## How objects are recognised

By the call that makes them (\`makers\`) and by annotations (\`types\`).

## Left out

Callables of the library that look alike and start nothing.
`,
      [`${folder}/cases/first.py`]: `import ${module}


async def run_poll():
    pass


async def main():
    ${module}.spawn(run_poll())  # spawns: ${module}.spawn run_poll
    pool = ${module}.Pool()
    pool.start(run_poll)  # spawns: ${module}.Pool.start run_poll


async def annotated(pool: ${module}.Pool, other):
    pool.start(run_poll)  # spawns: ${module}.Pool.start run_poll
    other.start(run_poll)
`,
    },
    next: [`fill in the table: ${folder}/index.ts`, 'npx vitest run test/meta/spawn-apis.test.ts'],
  };
}
