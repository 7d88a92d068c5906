/** One project as an editor sees it: documents that nobody has saved count, whatever is known of the disk. */
import { describe, expect, it } from 'vitest';
import { Session } from '../../src/cli/lsp/session.ts';
import { Project } from './support/project.ts';

const DIST = new URL('../../dist/', import.meta.url);
const job = (seconds: number): string =>
  `import asyncio\nasync def poll():\n    while True:\n        await asyncio.sleep(${seconds})\n`;
const MAIN = 'import asyncio\nfrom jobs import poll\nasyncio.create_task(poll())\n';

describe.each([true, false])('a session whose editor watches files: %s', (watching) => {
  const open = (files: Record<string, string>): { session: Session; periods: () => Promise<unknown[]> } => {
    const project = new Project(null);
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const session = new Session(project.root, { root: project.root }, DIST);
    session.watched(watching);
    const periods = async (): Promise<unknown[]> => {
      const { project: seen } = await session.snapshot();
      return seen.analysed.analysis.sites.flatMap((s) => s.targets.map((t) => t.facts.periodSeconds));
    };
    return { session, periods };
  };

  it('sees a new document, and that it is closed unsaved', async () => {
    const { session, periods } = open({ 'main.py': MAIN });
    expect(await periods()).toEqual([null]);
    session.set('jobs.py', job(5));
    expect(await periods()).toEqual([5]);
    session.set('jobs.py', job(6));
    expect(await periods()).toEqual([6]);
    session.set('jobs.py', null);
    expect(await periods()).toEqual([null]);
  });

  it('sees a new package take the place of a module', async () => {
    const { session, periods } = open({ 'main.py': MAIN, 'jobs.py': job(5) });
    expect(await periods()).toEqual([5]);
    session.set('jobs/__init__.py', job(8));
    expect(await periods()).toEqual([8]);
    session.set('jobs/__init__.py', null);
    expect(await periods()).toEqual([5]);
  });
});
