/** The burn-down over random histories: what is looked at only where it decides gives the numbers of every version by itself. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { CONTEXT_HELPER } from '../support/context-helper.ts';
import { atLength } from '../support/long.ts';
import { ENV, looptag, Project } from './support/project.ts';

/** A generator of whole numbers below n, the same on every run. */
function numbers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const JOBS = [1, 2, 3, 4].map((n) => ({
  file: `app/job_${n}.py`,
  text: `import asyncio\n\nEVERY = ${n * 30}\n\n\nasync def run_job_${n}():\n    while True:\n        await asyncio.sleep(EVERY)\n`,
}));

const START = `"""The service."""
import asyncio
import logging

from app import extra, far
${JOBS.map((_, i) => `from app.job_${i + 1} import run_job_${i + 1}`).join('\n')}
from app.context import project_id_ctx_var

logger = logging.getLogger(__name__)


# what a request is
class Request:
    path = "/"  # the default

    def name(self):
        """Its name.

        After the path.
        """
        return self.path


${CONTEXT_HELPER.slice(CONTEXT_HELPER.indexOf('async def'))}

def routes():
    # none yet
    return []


async def start():
    # in this order
${JOBS.map((_, i) => `    asyncio.create_task(run_job_${i + 1}())  # job ${i + 1}`).join('\n')}
    await asyncio.sleep(0)
`;

const CATALOGUE = `# INV-8

| # | Function | File:line | Period | Class |
|---|---|---|---|---|
${JOBS.map((_, i) => `| ${i + 1} | \`run_job_${i + 1}\` | app/main.py:${40 + i} | ${(i + 1) * 30} s | B |`).join('\n')}
`;

type Files = Map<string, string>;
type Pick = (n: number) => number;

const inMain =
  (change: (text: string, pick: Pick) => string) =>
  (files: Files, pick: Pick): void => {
    files.set('app/main.py', change(files.get('app/main.py')!, pick));
  };

/** Changes one line that a pattern matches. */
const line = (pattern: RegExp, change: (line: string, pick: Pick) => string) =>
  inMain((text, pick) => {
    const lines = text.split('\n');
    const hits = lines.flatMap((l, i) => (pattern.test(l) ? [i] : []));
    const at = hits[pick(hits.length)];
    if (at !== undefined) lines[at] = change(lines[at]!, pick);
    return lines.join('\n');
  });

const toggle = (part: string, at: (text: string) => string) =>
  inMain((text) => (text.includes(part) ? text.replace(part, '') : at(text)));

const CHANGES: ((files: Files, pick: Pick) => void)[] = [
  line(/create_task\(run_job_\d\(\)\)/, (l) => l.replace(/(run_job_\d\(\))/, '_run_with_context($1, "awoooi")')),
  line(/_run_with_context\(run/, (l) => l.replace(/_run_with_context\((run_job_\d\(\)), "awoooi"\)/, '$1')),
  line(/#/, (l, pick) => `${l.replace(/ \(\d+\)$/, '')} (${pick(100)})`),
  line(/#/, (l) => l.replace(/ *#.*/, '')),
  line(/^ {4}asyncio|return/, (l) => (l.includes('#') ? l : `${l}  # of note`)),
  line(/create_task/, (l) => (l.includes('#') ? l.replace(/#.*/, '# looptag: project=awoooi') : l)),
  line(/^$/, () => '\n# a remark between two statements'),
  line(/"""/, (l) => l.replace('"""', '"""So: ')),
  inMain((text, pick) => `${text}${text.endsWith('\n') ? '' : '\n'}# ${pick(50)}`),
  inMain((text) => text.trimEnd()),
  inMain((text) => `${text.trimEnd()}\n`),
  toggle('\n\ndef unrelated():\n    return routes()\n', (text) => `${text}\n\ndef unrelated():\n    return routes()\n`),
  toggle('\n\ndef spawn(coro):\n    return asyncio.create_task(coro)\n', (text) =>
    text.replace('\n\ndef routes', '\n\ndef spawn(coro):\n    return asyncio.create_task(coro)\n\n\ndef routes'),
  ),
  toggle('    spawn(run_job_2())\n', (text) =>
    text.replace('    return []\n', '    spawn(run_job_2())\n    return []\n'),
  ),
  toggle('    from app import later\n    later.go(run_job_1())\n', (text) =>
    text.replace('    # none yet\n', '    # none yet\n    from app import later\n    later.go(run_job_1())\n'),
  ),
  // nobody has heard of the wrapper before
  toggle('    from app import later, extra\n    later.go(extra.run_extra())\n', (text) =>
    text.replace(
      '    # none yet\n',
      '    # none yet\n    from app import later, extra\n    later.go(extra.run_extra())\n',
    ),
  ),
  toggle('    far.hand_on(extra.run_extra())\n', (text) =>
    text.replace('    # none yet\n', '    # none yet\n    far.hand_on(extra.run_extra())\n'),
  ),
  toggle('EVERY_JOB = []; ', (text) => text.replace('logger =', 'EVERY_JOB = []; logger =')),
  line(/^from app\.job_\d/, (l) => `# ${l}`),
  line(/^# from app\.job_\d/, (l) => l.slice(2)),
  (files, pick) => {
    const { file } = JOBS[pick(JOBS.length)]!;
    files.set(file, (files.get(file) ?? '').replace(/EVERY = \d+/, `EVERY = ${30 * (1 + pick(9))}`));
  },
  (files, pick) => {
    const { file, text } = JOBS[pick(JOBS.length)]!;
    if (!files.delete(file)) files.set(file, text);
  },
  (files, pick) => {
    const rows = CATALOGUE.split('\n');
    files.set('docs/INV-8.md', rows.filter((_, i) => i < 4 || i !== 4 + pick(6)).join('\n'));
  },
  (files) => files.set('docs/INV-8.md', CATALOGUE),
  inMain((text) => `${text}\ndef (\n`),
  inMain((text) => text.replaceAll('\n', '\r\n')),
  inMain((text) => text.replaceAll('\r\n', '\n')),
  (files) => files.set('README.md', `${files.get('README.md') ?? ''}.`),
];

/** Commits random changes; now and then `main.py` is as it was at an earlier commit. */
function repository(seed: number, commits: number, paths: string): Project {
  const pick = numbers(seed);
  const project = new Project(null);
  const files: Files = new Map([
    ['looptag.toml', `paths = ["${paths}"]\ncatalog = "docs/INV-8.md"\n`],
    ['docs/INV-8.md', CATALOGUE],
    ['app/__init__.py', ''],
    ['app/context.py', 'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id")\n'],
    ['app/later.py', 'import asyncio\n\n\ndef go(coro):\n    asyncio.create_task(coro)\n'],
    ['app/extra.py', 'import asyncio\n\n\nasync def run_extra():\n    while True:\n        await asyncio.sleep(60)\n'],
    ['app/main.py', START],
    ...JOBS.map(({ file, text }): [string, string] => [file, text]),
  ]);
  const mains = [START];
  const out: string[] = [];
  for (let n = 0; n < commits; n++) {
    // broken versions are mended soon
    if (pick(3) > 0) files.set('app/main.py', files.get('app/main.py')!.replace(/\ndef \(\r?\n/g, ''));
    if (n > 0 && pick(8) === 0) files.set('app/main.py', mains[pick(mains.length)]!);
    else if (n > 0) for (let k = pick(2); k >= 0; k--) CHANGES[pick(CHANGES.length)]!(files, pick);
    mains.push(files.get('app/main.py')!);
    const all = [...files].map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    const time = 1_700_000_000 + n * 40_000;
    out.push(`commit refs/heads/main\ncommitter a <a@localhost> ${time} +0000\ndata 1\nc\ndeleteall\n${all.join('')}`);
  }
  project.git('init', '-q', '-b', 'main');
  execFileSync('git', ['-C', project.root, 'fast-import', '--quiet'], { input: out.join(''), env: ENV });
  project.git('reset', '-q', '--hard', 'main');
  return project;
}

interface Point {
  commit: string;
  untagged: number;
  legacy: number;
  total: number;
}

const COMMITS = atLength(120, 60);

const RUNS = [1, 2, 3].flatMap((seed) => [
  [seed, 'app/main.py'],
  [seed, 'app'],
]) as [number, string][];

describe.each(atLength(RUNS, RUNS.slice(0, 2)))('the burn-down over random history %i of %s', (seed, paths) => {
  const project = repository(seed, COMMITS, paths);
  const args = ['status', '--history', '--format', 'json'];

  it('is the same, whether whole files or what decides is looked at', () => {
    const sliced = looptag(project.root, args);
    const whole = looptag(project.root, args, undefined, { LOOPTAG_HISTORY: 'whole' });
    expect([sliced.code, sliced.out, sliced.err]).toEqual([whole.code, whole.out, whole.err]);
    const { history } = JSON.parse(sliced.out) as { history: Point[] };
    expect(history.length).toBeGreaterThan(COMMITS / 3);
    expect(new Set(history.map((p) => p.untagged)).size).toBeGreaterThan(2);
    for (const { commit, ...point } of history.filter((_, i) => i % 25 === 7)) {
      project.git('checkout', '-q', commit);
      const { totals } = JSON.parse(looptag(project.root, ['status', '--format', 'json', '--no-cache']).out);
      expect({ untagged: totals.untagged, legacy: totals.legacy, total: totals.loops }).toEqual({
        untagged: point.untagged,
        legacy: point.legacy,
        total: point.total,
      });
    }
  });
});
