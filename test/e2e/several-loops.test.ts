/** One call that starts several loops: where the coroutine functions are edited, each of them is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { looptag, temporary, write } from './support/run.ts';

const LOOP = (name: string) => `async def ${name}():
    while True:
        await asyncio.sleep(5)


`;
const MAIN = `import asyncio
from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default="")


${LOOP('one')}${LOOP('two')}${LOOP('three')}def start():
    return [asyncio.create_task(fn()) for fn in (one, two)] + [asyncio.create_task(c) for c in (two(), three())]
`;

function project(main = MAIN) {
  const root = temporary();
  write(root, { 'main.py': main });
  return {
    text: () => readFileSync(join(root, 'main.py'), 'utf8'),
    run: (...args: string[]) => looptag([...args, '--root', '.', 'main.py'], { cwd: root }),
  };
}

describe('migrate --method loop-body', () => {
  it('tags all of them, once each, and takes all tags out again', async () => {
    const { run, text } = project();
    const migrate = ['migrate', '--project-id', 'shop', '--method', 'loop-body', '--write'];
    const { err } = await run(...migrate);
    expect(err).toContain('2 sites to change, 0 refused, 0 need nothing');
    const sets = text().match(/def \w+|\.set\("shop"\)/g);
    expect(sets).toEqual(['one', 'two', 'three'].flatMap((n) => [`def ${n}`, '.set("shop")']).concat('def start'));
    expect((await run(...migrate)).err).toContain('0 sites to change');
    expect((await run('check', '--select', 'LT001')).out).toContain('No findings');

    // nothing has to say which id: none is put
    expect((await run('migrate', '--revert', '--write')).code).toBe(0);
    expect(text()).toBe(MAIN);
  });

  it('tags the one that is left', async () => {
    const { run, text } = project(MAIN.replace('one():\n', 'one():\n    project_id_ctx_var.set("shop")\n'));
    await run('migrate', '--project-id', 'shop', '--method', 'loop-body', '--write');
    expect(text().match(/\.set\("shop"\)/g)).toHaveLength(3);
  });

  it('is converted to another method as a whole', async () => {
    const { run, text } = project();
    await run('migrate', '--project-id', 'shop', '--method', 'loop-body', '--write');
    await run('migrate', '--project-id', 'shop', '--method', 'wrapper', '--write');
    expect(text()).not.toContain('.set("shop")');
    expect(text().match(/create_task\(_run_with_context\(\w+(\(\))?, "shop"\)\)/g)).toHaveLength(2);
  });
});

it('heartbeats are counted by the loops, not by the calls that start them', async () => {
  const { run } = project();
  const { err } = await run('migrate', '--project-id', 'shop', '--method', 'loop-body', '--heartbeat');
  expect(err).toContain('2 sites to change, 3 heartbeats to add, 0 refused');
});
