/** `migrate --project-id`: one id for every site that carries none. */
import { expect, it } from 'vitest';
import { looptag, temporary, write } from './support/run.ts';

const LOOP = (body: string) => `async def run_it():
${body}    while True:
        await asyncio.sleep(1)
`;
const FILE = (body: string) => `import asyncio
import os
from contextvars import ContextVar

project_id_ctx_var = ContextVar("project_id", default=None)


${LOOP(body)}

def start():
    asyncio.create_task(run_it())
`;

it('leaves a loop alone whose own id is only known at run time, and says so', async () => {
  const root = temporary();
  write(root, { 'main.py': FILE('    project_id_ctx_var.set(os.environ["TENANT"])\n') });
  const { out, err } = await looptag(['migrate', '--project-id', 'awoooi', '--root', '.', '--verbose', 'main.py'], {
    cwd: root,
  });
  expect(out + err).toContain('carries an id that is only known at run time (main.py:9)');
  expect(out + err).toContain('0 sites to change, 0 refused, 1 needs nothing');
});

it('tags the same loop where it sets nothing', async () => {
  const root = temporary();
  write(root, { 'main.py': FILE('') });
  const { out, err } = await looptag(['migrate', '--project-id', 'awoooi', '--root', '.', 'main.py'], {
    cwd: root,
  });
  expect(out + err).toContain('1 site to change, 0 refused, 0 need nothing');
});

it.each(['', ' '])('refuses an id that is none: %j', async (id) => {
  const root = temporary();
  write(root, { 'main.py': FILE('') });
  const { code, out, err } = await looptag(['migrate', '--project-id', id, '--root', '.', 'main.py'], { cwd: root });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('--project-id is empty');
});

it('takes no catalogue beside it', async () => {
  const root = temporary();
  write(root, { 'main.py': FILE('') });
  const args = ['migrate', '--project-id', 'awoooi', '--catalog', 'INV-8.md', '--root', '.', 'main.py'];
  const { code, out, err } = await looptag(args, { cwd: root });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('--project-id and --catalog exclude each other');
});

it('says that a configured catalogue is not read', async () => {
  const root = temporary();
  write(root, { 'main.py': FILE(''), 'looptag.toml': 'catalog = "INV-8.md"\n' });
  const { code, err } = await looptag(['migrate', '--project-id', 'awoooi', '--root', '.', 'main.py'], { cwd: root });
  expect(code).toBe(0);
  expect(err).toContain('--project-id: every site gets this id; INV-8.md is not read');
});
