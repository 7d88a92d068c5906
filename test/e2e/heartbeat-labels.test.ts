/** `migrate --heartbeat` and `alerts` call a loop the same, and no two loops. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { looptag, temporary, write } from './support/run.ts';

const WORKER = (name: string, seconds: number) => `
class ${name}:
    async def run(self):
        while True:
            await asyncio.sleep(${seconds})

    def start(self):
        self.task = asyncio.create_task(self.run())
`;
const MAIN = `import asyncio
from contextvars import ContextVar

tenant_id_var = ContextVar("tenant_id", default="")

${WORKER('Mailer', 30)}
${WORKER('Cleaner', 600)}

def start():
    Mailer().start()
    Cleaner().start()
`;

it('by the labels of the policy, whatever they are called', async () => {
  const root = temporary();
  write(root, { 'main.py': MAIN });
  const run = (...args: string[]) => looptag([...args, '--policy', 'tenant-basic', '--root', '.'], { cwd: root });
  const planned = await run('alerts');
  const watched = (out: string) => [...out.matchAll(/absent\(\w+\{task="([^"]*)"\}\)/g)].map((m) => m[1]);
  expect(watched(planned.out)).toEqual(['Mailer.run', 'Cleaner.run']);

  await run('migrate', '--project-id', 'shop', '--heartbeat', '--write');
  const written = [...readFileSync(join(root, 'main.py'), 'utf8').matchAll(/\.labels\(([^)]*)\)/g)].map((m) => m[1]);
  expect(written).toEqual([
    ...Array(2).fill('task="Mailer.run", tenant_id="shop"'),
    ...Array(2).fill('task="Cleaner.run", tenant_id="shop"'),
  ]);
  const after = await run('alerts');
  expect(watched(after.out)).toEqual(['Mailer.run', 'Cleaner.run']);
  expect(after.err).not.toContain('share the label value');
});

it('a policy without a transitional label has none to write', async () => {
  const root = temporary();
  const policy = {
    name: 'p',
    title: 'p',
    markers: { m: { projectId: 'shop' } },
    classes: Object.fromEntries(['A', 'B', 'C'].map((id) => [id, { title: id, projectId: 'shop', marker: 'm' }])),
    priorities: [],
    suggestions: [{ when: {}, class: 'B', because: 'all' }],
  };
  write(root, { 'main.py': MAIN.replace('tenant_id_var', 'project_id_ctx_var'), 'p.json': JSON.stringify(policy) });
  const args = ['migrate', '--policy', 'p.json', '--root', '.', '--project-id', 'shop', '--method', 'label'];
  const { code, out, err } = await looptag(args, { cwd: root });
  expect([code, out]).toEqual([0, '']);
  expect(err).toContain('left alone (shape): the policy has no transitional label');
});
