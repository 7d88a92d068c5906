/** The burn-down over one real kind of change after the other gives the numbers that each commit has by itself. */
import { describe, expect, it } from 'vitest';
import { keepShort } from '../support/fewer-loops.ts';
import { CATALOGUE, MAIN, Project } from './support/project.ts';

interface Numbers {
  untagged: number;
  legacy: number;
  total: number;
}

/** A change of a file's text that must be one. */
function edit(project: Project, file: string, from: string | RegExp, to: string): void {
  project.edit(file, (text) => {
    const now = text.replace(from, to);
    if (now === text) throw new Error(`${file}: nothing like ${from}`);
    return now;
  });
}

const JOB = 'apps/api/src/jobs/extra.py';
const EXTRA = `import asyncio


async def run_extra():
    while True:
        await asyncio.sleep(60)


async def run_further():
    await asyncio.sleep(60)
`;
const STARTER = `import asyncio

tasks = set()


def start(coro):
    tasks.add(asyncio.create_task(coro))
`;

/** Each in turn, on top of those before. */
const CHANGES: readonly (readonly [what: string, change: (project: Project) => void, moves: boolean])[] = [
  [
    'a loop tagged',
    (p) =>
      edit(
        p,
        MAIN,
        'create_task(run_asset_scanner_loop())',
        'create_task(_run_with_context(run_asset_scanner_loop(), "awoooi"))',
      ),
    true,
  ],
  ['a comment', (p) => edit(p, MAIN, /$/, '# the end\n'), false],
  ['a route', (p) => edit(p, MAIN, /(async def readyz.*\n)/, '$1    # looked at by the balancer\n'), false],
  ['a file added', (p) => void p.write(JOB, EXTRA), false],
  [
    'a loop of it started by a function that nobody looked at',
    (p) =>
      edit(
        p,
        MAIN,
        /(async def readyz.*\n)/,
        '$1    from src.jobs import extra\n    asyncio.create_task(extra.run_extra())\n',
      ),
    true,
  ],
  ['its body goes round no more', (p) => edit(p, JOB, '    while True:\n    ', ''), true],
  ['and does again', (p) => void p.write(JOB, EXTRA), true],
  [
    'the import leads elsewhere',
    (p) => edit(p, JOB, /async def run_extra(?:.*\n)*/, 'from src.jobs.further import run_further as run_extra\n'),
    true,
  ],
  [
    'the other file appears',
    (p) =>
      void p.write(
        'apps/api/src/jobs/further.py',
        EXTRA.replaceAll('run_extra', 'run_further_loop')
          .replace('async def run_further()', 'async def run_further_once()')
          .replaceAll('run_further_loop', 'run_further'),
      ),
    true,
  ],
  [
    'a file renamed',
    (p) => {
      p.git('mv', 'apps/api/src/jobs/further.py', 'apps/api/src/jobs/later.py');
      edit(p, JOB, 'src.jobs.further', 'src.jobs.later');
    },
    false,
  ],
  ['a module with a wrapper', (p) => void p.write('apps/api/src/core/starter.py', STARTER), false],
  [
    'the wrapper called where it was never named before',
    (p) =>
      edit(
        p,
        MAIN,
        /(async def list_loops.*\n)/,
        '$1    from src.core import starter\n    from src.jobs.later import run_further\n    starter.start(run_further())\n',
      ),
    false,
  ],
  [
    'by way of it something new',
    (p) =>
      edit(p, MAIN, 'starter.start(run_further())', 'from src.jobs import anew\n    starter.start(anew.run_anew())'),
    false,
  ],
  [
    'whose file comes',
    (p) => void p.write('apps/api/src/jobs/anew.py', EXTRA.replaceAll('run_extra', 'run_anew')),
    true,
  ],
  ['whose file goes', (p) => void p.git('rm', '-q', '-f', 'apps/api/src/jobs/anew.py'), true],
  [
    'the wrapper waits',
    (p) => void p.write('apps/api/src/core/starter.py', 'async def start(coro):\n    await coro\n'),
    false,
  ],
  ['a row of the catalogue goes', (p) => edit(p, CATALOGUE, /^.*run_asset_scanner_loop.*\n/m, ''), false],
  ['a marker changed', (p) => edit(p, CATALOGUE, /^(\| *\d+ .*)legacy_awoooi_default/m, '$1platform_internal'), true],
  [
    'a loop taken out',
    (p) => edit(p, MAIN, /^.*create_task\(_run_with_context\(run_asset_scanner_loop.*\n/m, ''),
    true,
  ],
];

describe('the burn-down', () => {
  const project = new Project().configured();
  keepShort(project.root);
  project.git('init', '-q', '-b', 'main');
  project.commit('start', '2026-01-01');
  const each: Numbers[] = [now(project)];
  CHANGES.forEach(([what, change], i) => {
    change(project);
    project.commit(what, `2026-02-${String(i + 1).padStart(2, '0')}`);
    each.push(now(project));
  });
  const { history } = JSON.parse(project.run('status', '--history', '--format', 'json').out) as {
    history: (Numbers & { commit: string })[];
  };

  it('has a point for each commit', () => expect(history).toHaveLength(CHANGES.length + 1));

  it.each(CHANGES.map(([what, , moves], i) => [what, moves, i] as const))('is right after: %s', (_, moves, i) => {
    const { untagged, legacy, total } = history[i + 1]!;
    expect({ untagged, legacy, total }).toEqual(each[i + 1]);
    // a change that was to count and does not proves nothing
    if (moves) expect(each[i + 1]).not.toEqual(each[i]);
  });
});

describe('the burn-down of a project', () => {
  it.each([
    ['import app', 'app.price.tick()'],
    ['import importlib', 'importlib.import_module("app.price").tick()'],
    ['import sys', 'sys.modules["app.price"].tick()'],
    ['from app import *', 'price.tick()'],
  ])('sees what another file starts of the one that changes most: %s', (bringing, started) => {
    const project = new Project(null);
    project.write('app/__init__.py', '');
    project.write('app/main.py', `import asyncio\n${bringing}\n\n\ndef go():\n    asyncio.create_task(${started})\n`);
    const price = (body: string) =>
      `from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id")\n\n\nasync def tick():\n    ${body}\n`;
    project.git('init', '-q', '-b', 'main');
    const set = 'project_id_ctx_var.set("awoooi")';
    for (const [day, body] of ['pass', set, 'return'].entries()) {
      project.write('app/price.py', price(body));
      project.commit('price', `2026-01-0${day + 1}`);
    }
    const { history } = JSON.parse(project.run('status', '.', '--history', '--format', 'json').out);
    expect(history.map((p: Numbers) => p.untagged)).toEqual([1, 0, 1]);
  });
});

/** What `status` says of the files as they lie there. */
function now(project: Project): Numbers {
  const { totals } = JSON.parse(project.run('status', '--format', 'json', '--no-cache').out);
  return { untagged: totals.untagged, legacy: totals.legacy, total: totals.loops };
}
