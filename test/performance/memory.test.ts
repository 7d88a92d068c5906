/** A look that knows an earlier one finds what a look finds that knows nothing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Changes, FileSystem } from '../../src/io/files.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import type { Analysis } from '../../src/model/index.ts';
import { analyse, findLoggingUse, Memory } from '../../src/sites/index.ts';
import { atLength } from '../support/long.ts';
import { pathInterpreter } from '../syntax/reference.ts';
import { EDITS, numbers, wordIn } from './support/edits.ts';
import { OPTIONS } from './support/options.ts';

/** Folders of a standard library that are taken; `LOOPTAG_LIBRARY` names a folder of which all is. */
const FOLDERS = ['asyncio', 'concurrent', 'logging', 'multiprocessing', 'test/test_asyncio'];
const ROUNDS = Number(process.env.LOOPTAG_EDITS ?? atLength(45, 15));
const SEED = Number(process.env.LOOPTAG_EDITS_SEED ?? 7);

/** All that is found out. */
type Looked = Analysis & { logging: ReturnType<typeof findLoggingUse> };

function look(fs: FileSystem, files: readonly string[], memory?: Memory): Looked {
  const { analysis, project } = analyse(fs, files, { ...OPTIONS, memory });
  return { ...analysis, logging: findLoggingUse(project, files, analysis.contextVariables) };
}

function filesBelow(root: string, folders: readonly string[]): [string, Uint8Array][] {
  const names = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return names
    .filter((name) => name.endsWith('.py'))
    .sort()
    .map((name) => [name, readFileSync(join(root, name))]);
}

/** Somebody who tells of each change. */
class Told implements Changes {
  private readonly log: string[] = [];
  get mark(): number {
    return this.log.length;
  }
  since(mark: number): ReadonlySet<string> {
    return new Set(this.log.slice(mark));
  }
  add(file: string): void {
    this.log.push(file);
  }
}

/** Edits one file after the other, back again now and then, and compares both looks after each. */
function compareEdits(start: readonly [string, Uint8Array][], rounds: number, seed: number): void {
  const random = numbers(seed);
  const kinds = Object.keys(EDITS);
  const now = new Map(start);
  const files = start.map(([file]) => file);
  const told = new Told();
  const [knowing, asking] = [new Memory(), new Memory()];
  const lookTwice = () => ({
    told: look(new MemoryFileSystem(now, null, told), files, knowing),
    asked: look(new MemoryFileSystem(now), files, asking),
  });
  lookTwice();
  const spawning = start.filter(([, bytes]) => /create_task|ensure_future/.test(Buffer.from(bytes).toString()));
  for (let round = 0; round < rounds; round++) {
    // half of all edits where they matter
    const among = random() < 0.5 && spawning.length ? spawning : start;
    const [file, original] = among[Math.floor(random() * among.length)]!;
    const kind = kinds[round % kinds.length]!;
    const [, other] = start[Math.floor(random() * start.length)]!;
    const text = Buffer.from(now.get(file)!).toString();
    const words = [text, Buffer.from(other).toString()];
    const edited = EDITS[kind]!(text, random, () => wordIn(words[random() < 0.7 ? 0 : 1]!, random));
    now.set(file, random() < 0.2 ? original : Buffer.from(edited));
    told.add(file);
    const expected = look(new MemoryFileSystem(now), files);
    expect(lookTwice(), `round ${round}: ${file} ${kind}`).toEqual({ told: expected, asked: expected });
  }
}

describe('a look that knows an earlier one', () => {
  it('finds the same in the reference service', () => {
    const root = new URL('../../fixtures/services/awoooi/', import.meta.url).pathname;
    compareEdits(filesBelow(root, ['.']), ROUNDS, SEED);
  });

  const library = process.env.LOOPTAG_LIBRARY ?? pathInterpreter()?.stdlib;
  it.skipIf(!library)('finds the same in the standard library', () => {
    const folders = process.env.LOOPTAG_LIBRARY ? ['.'] : FOLDERS;
    compareEdits(filesBelow(library!, folders), ROUNDS / 5, SEED);
  });

  /** The sites' names, periods and certainties in turn, as files are written anew. */
  const sitesOf = (...versions: Record<string, string | null>[]): unknown[] => {
    const now = new Map<string, string>();
    const memory = new Memory();
    return versions.map((version) => {
      for (const [file, text] of Object.entries(version)) text === null ? now.delete(file) : now.set(file, text);
      const fs = new MemoryFileSystem(now);
      const found = look(fs, fs.listPython(['.']), memory);
      expect(found).toEqual(look(fs, fs.listPython(['.'])));
      return found.sites.map((s) => [s.module, ...s.targets.map((t) => `${t.qualifiedName} ${t.facts.periodSeconds}`)]);
    });
  };
  const job = (seconds: string): string =>
    `import asyncio\nfrom settings import EVERY\nasync def poll():\n    while True:\n        await asyncio.sleep(${seconds})\n`;
  const main = 'import asyncio\nfrom jobs import poll\nasyncio.create_task(poll())\n';

  it('sees what stands two imports away', () => {
    const start = {
      'main.py': main,
      'jobs/__init__.py': 'from .a import poll\n',
      'jobs/a.py': job('EVERY'),
      'settings.py': 'EVERY = 30\n',
    };
    expect(
      sitesOf(start, { 'settings.py': 'EVERY = 60\n' }, { 'jobs/a.py': job('7') }, { 'settings.py': 'x = (\n' }),
    ).toEqual([
      [['main', 'jobs.a.poll 30']],
      [['main', 'jobs.a.poll 60']],
      [['main', 'jobs.a.poll 7']],
      [['main', 'jobs.a.poll 7']],
    ]);
  });

  it('sees a module come, go, break and mend', () => {
    const start = { 'main.py': main };
    const versions: Record<string, string | null>[] = [
      { 'jobs.py': job('5') },
      { 'jobs.py': 'def (\n' },
      { 'jobs.py': job('6') },
      { 'jobs.py': null },
      { 'jobs/__init__.py': job('8') },
    ];
    expect(sitesOf(start, ...versions)).toEqual([
      [['main', 'jobs.poll null']],
      [['main', 'jobs.poll 5']],
      [['main', 'jobs.poll null']],
      [['main', 'jobs.poll 6']],
      [['main', 'jobs.poll null']],
      [['main', 'jobs.poll 8']],
    ]);
  });

  it('sees what a third module puts into a list', () => {
    const start = {
      'registry.py': 'import asyncio\nJOBS = []\nfor each in JOBS:\n    asyncio.create_task(each())\n',
      'jobs.py': job('5'),
      'extra.py': 'from registry import JOBS\n',
    };
    const filled = 'from registry import JOBS\nfrom jobs import poll\nJOBS.append(poll)\n';
    const [before, then, back] = sitesOf(start, { 'extra.py': filled }, { 'extra.py': start['extra.py'] });
    expect(then).toEqual([['registry', 'jobs.poll 5']]);
    expect(before).not.toEqual(then);
    expect(back).toEqual(before);
  });

  it('sees that a caller makes a wrapper of a function, and where packages begin', () => {
    const start = {
      'app/src/lib.py': 'import asyncio\ndef start(c):\n    return asyncio.create_task(c)\n',
      'app/src/jobs.py': job('5'),
      'app/src/main.py': 'import src.lib\n',
    };
    const calls = 'from src.lib import start\nfrom src.jobs import poll\nstart(poll())\n';
    const [before, then, back] = sitesOf(start, { 'app/src/main.py': calls }, { 'app/src/main.py': 'x = 1\n' });
    expect(then).toEqual([['src.main', 'src.jobs.poll 5']]);
    expect(before).toEqual([]);
    expect(back).not.toEqual(then);
  });

  it('sees a folder become a file', () => {
    const start = { 'main.py': main, 'jobs.py/x.py': 'x = 1\n' };
    expect(sitesOf(start, { 'jobs.py/x.py': null, 'jobs.py': job('6') })[1]).toEqual([['main', 'jobs.poll 6']]);
  });

  it('calls modules by the names that a fresh look gives them', () => {
    const start = {
      'pkg/sub.py': `${job('3')}asyncio.create_task(poll())\n`,
      'pkg/conf.py': 'EVERY = 5\n',
      'zmain.py': `from pkg.conf import EVERY\n${job('EVERY').replace(/from settings.*/, '')}asyncio.create_task(poll())\n`,
    };
    const [before, then] = sitesOf(start, { 'pkg/sub.py': `# a note\n${start['pkg/sub.py']}` });
    expect(then).toEqual(before);
  });

  it('forgets what nobody leads to any more, and reads what is led to only now', () => {
    const tool = 'from contextvars import ContextVar\nEVERY = 5\nvar = ContextVar("var")\n';
    const two = job('EVERY').replace('settings', 'tool') + job('9').replace('poll', 'other');
    const calls = (name: string): string =>
      `import asyncio\nfrom two import poll, other\nasyncio.create_task(${name}())\n`;
    sitesOf(
      { 'main.py': calls('poll'), 'two.py': two, 'tool.py': tool },
      { 'main.py': calls('other') },
      { 'main.py': calls('poll') },
    );
    const late = {
      'main.py': `import asyncio\n${job('3')}def start():\n    asyncio.create_task(poll())\n`,
      'caller.py': 'import main\nfrom things import svc\nmain.start()\nsvc.start()\n',
      'things.py': `${tool}class Service:\n    def start(self): pass\n    async def run(self): pass\nsvc = Service()\n`,
      'zed.py': 'import asyncio\nasyncio.create_task(x())\n',
    };
    sitesOf(late, { 'zed.py': 'import asyncio\nfrom caller import svc\nasyncio.create_task(svc.run())\n' });
  });
});
