/** A service with `jobs` modules that each start `loops` coroutines, for measuring the rewriting. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function service(folder, jobs, loops) {
  mkdirSync(join(folder, 'app'), { recursive: true });
  writeFileSync(join(folder, 'app/__init__.py'), '');
  writeFileSync(
    join(folder, 'app/context.py'),
    'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default=None)\n',
  );
  for (let j = 0; j < jobs; j++) {
    const lines = ['import asyncio', ''];
    for (let i = 0; i < loops; i++)
      lines.push('', `async def run_${i}():`, '    while True:', `        await asyncio.sleep(${i + 1})`, '');
    lines.push('', 'async def start():');
    for (let i = 0; i < loops; i++) lines.push(`    asyncio.create_task(run_${i}())`);
    writeFileSync(join(folder, `app/job_${j}.py`), `${lines.join('\n')}\n`);
  }
}
