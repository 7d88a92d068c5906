/** The main job on the bundled service, by the built command line. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InventoryJson } from './support/json.ts';
import {
  atLeast,
  compileErrors,
  git,
  json,
  looptag,
  type Outcome,
  type Python,
  python,
  python3,
  snapshot,
  write,
} from './support/run.ts';
import { ARGS, CATALOGUE, MAIN, type Report, rows, SERVICE, service, start } from './support/service.ts';

const golden = (name: string): string => join(SERVICE, 'golden', name);
const THE_31ST = 'run_channel_event_poller_loop';

/** The id that INV-8 asks for. */
const due = new Map(
  rows().map(({ name, marker }) => [name ?? THE_31ST, marker === 'platform_internal' ? '__platform__' : 'awoooi']),
);

describe('inventory', () => {
  const cwd = service();
  let outcome: Outcome;
  let report: InventoryJson;
  beforeAll(async () => {
    outcome = await looptag(['inventory', '--format', 'json', ...ARGS], { cwd });
    report = json(outcome);
  });

  it('is the stored one', async () => {
    expect([outcome.code, outcome.err]).toEqual([0, '']);
    await expect(outcome.out).toMatchFileSnapshot(golden('inventory.json'));
  });

  it('finds what INV-8 lists, each at its line with its period, marker and priority', () => {
    const listed = rows().filter(({ name }) => name !== null);
    expect(listed).toHaveLength(30);
    const found = report.sites.flatMap(({ line, targets }) =>
      targets.map(({ name, periodSeconds, catalog }) => ({
        number: catalog?.number,
        name,
        line,
        period: periodSeconds,
        marker: catalog?.marker,
        priority: catalog?.priority ?? null,
      })),
    );
    expect(found.slice(0, 30)).toEqual(listed);
  });

  it('knows the 31st', () => {
    const [site] = report.sites.slice(30);
    expect(site).toMatchObject({ line: 712, enclosing: 'lifespan', api: 'asyncio.create_task', certainty: 'proven' });
    expect(site!.targets).toMatchObject([
      {
        name: THE_31ST,
        file: 'apps/api/src/jobs/channel_event_poller.py',
        lifecycle: 'loop',
        periodSeconds: 10,
        tag: null,
      },
    ]);
    expect(report.sites).toHaveLength(31);
  });

  it('counts as grep does', () => {
    const hits = readFileSync(join(cwd, MAIN), 'utf8')
      .split('\n')
      .filter((line) => line.includes('asyncio.create_task'));
    expect(report.summary).toEqual({
      files: 1,
      parsed: 1,
      sites: 31,
      loops: 28,
      oneShot: 3,
      unknown: 0,
      tagged: 0,
      untagged: 31,
      grepLines: hits.length,
    });
  });

  it('gives each spawn the project id that the policy wants', () => {
    const ids = report.sites.flatMap(({ targets }) => targets.map(({ name, projectId }) => [name, projectId] as const));
    expect(new Map(ids)).toEqual(due);
  });

  it('shows a table that a person reads', async () => {
    const { out } = await looptag(['inventory', ...ARGS], { cwd });
    await expect(out).toMatchFileSnapshot(golden('inventory.txt'));
    expect(out).toContain(`The 31st loop is \`${THE_31ST}\` at ${MAIN}:712`);
  });

  it('does not depend on jobs and the order of arguments', async () => {
    const others = [
      [MAIN, '--format', 'json', '--catalog', CATALOGUE, '--jobs', '2'],
      ['-j', '1', '--catalog', CATALOGUE, MAIN, MAIN, '--format', 'json'],
    ];
    const outputs = await Promise.all(others.map((args) => looptag(['inventory', ...args], { cwd })));
    for (const { out } of outputs) expect(out).toBe(outcome.out);
  });
});

describe('migrate --batch PR-10', () => {
  const cwd = service();
  const before = snapshot(cwd);
  let printed: Outcome;
  beforeAll(async () => {
    printed = await looptag(['migrate', '--batch', 'PR-10', ...ARGS], { cwd });
    expect(printed.code, printed.err).toBe(0);
  });

  it('prints the diff and changes nothing', async () => {
    await expect(printed.out).toMatchFileSnapshot(golden('migrate.diff'));
    expect(snapshot(cwd)).toEqual(before);
  });

  it('prints what git applies, and takes back', () => {
    const applied = service();
    write(applied, { 'pr-10.diff': printed.bytes });
    expect(git(applied, 'apply', '--check', 'pr-10.diff')).toEqual({ status: 0, output: '' });
    expect(git(applied, 'apply', '--whitespace=error', 'pr-10.diff')).toEqual({ status: 0, output: '' });
    expect(git(applied, 'diff', '--stat', '--numstat').output).toMatch(/^\d+\t31\tapps\/api\/src\/main\.py$/m);
    expect(git(applied, 'apply', '-R', 'pr-10.diff').status).toBe(0);
    expect(readFileSync(join(applied, MAIN)).equals(before.get(MAIN)!)).toBe(true);
  });

  describe('--write', () => {
    const written = service();
    let after: Map<string, Buffer>;
    beforeAll(async () => {
      const outcome = await looptag(['migrate', '--batch', 'PR-10', ...ARGS, '--write'], { cwd: written });
      expect([outcome.code, outcome.out], outcome.err).toEqual([0, '']);
      after = snapshot(written);
    });

    it('writes what the diff says, and no other file', () => {
      const applied = service();
      write(applied, { '../pr-10.diff': printed.bytes });
      git(applied, 'apply', '../pr-10.diff');
      expect(snapshot(applied)).toEqual(after);
      expect([...after.keys()]).toEqual([...before.keys()]);
    });

    it('leaves every byte outside of its edits alone', () => {
      const source = before.get(MAIN)!.toString('utf8');
      // Taken back by hand: the helper as one block, and each wrapping with its id.
      const [, helper = ''] = /\n((?:async )?def _run_with_context\(.*?\n\n\n)# ---/s.exec(
        after.get(MAIN)!.toString('utf8'),
      )!;
      let restored = after.get(MAIN)!.toString('utf8').replace(helper, '');
      restored = restored.replaceAll(
        /_run_with_context\((\w+\(\)), "(?:awoooi|__platform__)"(?:, trace=True)?\)/g,
        '$1',
      );
      expect(restored).toBe(source);
    });

    it('finds nothing to do the second time', async () => {
      const again = await looptag(['migrate', '--batch', 'PR-10', ...ARGS, '--check'], { cwd: written });
      expect([again.code, again.out]).toEqual([0, '']);
      const all = await looptag(['migrate', ...ARGS, '--check'], { cwd: written });
      expect([all.code, all.out]).toEqual([0, '']);
      await looptag(['migrate', '--batch', 'PR-10', ...ARGS, '--write', '--allow-dirty'], { cwd: written });
      expect(snapshot(written)).toEqual(after);
    });

    it('is seen by the inventory', async () => {
      const outcome = await looptag(['inventory', '--format', 'json', ...ARGS], { cwd: written });
      const { summary, sites } = json<InventoryJson>(outcome);
      expect(summary).toMatchObject({ sites: 31, tagged: 31, untagged: 0 });
      const tags = sites.flatMap(({ targets }) => targets.map(({ name, tag }) => [name, tag?.projectId] as const));
      expect(new Map(tags)).toEqual(due);
      expect(sites.every(({ targets }) => targets[0]!.tag!.via === 'wrapper')).toBe(true);
    });

    it.each(installed().map((each) => [each.version.join('.'), each] as const))(
      'compiles under Python %s',
      (_version, interpreter) => {
        const files = [...after.keys()].filter((file) => file.endsWith('.py')).map((file) => join(written, file));
        expect(files.length).toBeGreaterThan(20);
        expect(compileErrors(interpreter, files)).toEqual([]);
      },
    );

    describe.each(interpreters().map((each) => [each.version.join('.'), each] as const))(
      'under Python %s',
      (_version, interpreter) => {
        let was: Report;
        let is: Report;
        beforeAll(() => {
          was = start(cwd, interpreter);
          is = start(written, interpreter);
        });

        it('starts the same loops in the same order', () => {
          expect(was.started).toHaveLength(31);
          expect(is.started).toEqual(was.started);
        });

        it('shows each loop its project id', () => {
          expect(new Set(Object.values(was.seen))).toEqual(new Set(['']));
          expect(new Map(Object.entries(is.seen))).toEqual(due);
        });

        it('gives the P0 loop a trace id, and takes none from others', () => {
          expect(was.trace.run_approval_timeout_resolver).toBe(false);
          expect(is.trace).toEqual({ ...was.trace, run_approval_timeout_resolver: true });
        });

        it('logs the same but for the identity', () => {
          const plain = (lines: string[]): string[] =>
            lines.map((line) => line.replace(/project_id=\S+ trace_id=\S+/, ''));
          expect(plain(is.logs)).toEqual(plain(was.logs));
          const ticks = is.logs.filter((line) => / tick /.test(line));
          expect(ticks.length).toBeGreaterThanOrEqual(31);
          for (const line of ticks) expect(line).toContain(`project_id=${due.get(/ tick (\w+)/.exec(line)![1]!)} `);
        });
      },
    );
  });
});

describe('from failing to passing', () => {
  const cwd = service();
  const run = (...args: string[]): Promise<Outcome> => looptag(args, { cwd });

  it('fails before, and says which loop is untagged and which is uncatalogued', async () => {
    const outcome = await run('check', '--format', 'json', ...ARGS);
    expect(outcome.code).toBe(1);
    const { findings } = json<{ findings: { rule: string; line: number; severity: string; site: string | null }[] }>(
      outcome,
    );
    const lines = (rule: string): number[] => findings.filter((each) => each.rule === rule).map(({ line }) => line);
    expect(lines('untagged-loop')).toEqual([...rows().flatMap(({ line }) => line ?? []), 712]);
    expect(lines('uncatalogued-loop')).toEqual([712]);
    expect(lines('missing-trace-id')).toEqual([490]);
  });

  it('says what the catalogue lacks, and writes nothing yet', async () => {
    const before = snapshot(cwd);
    const outcome = await run('catalog', 'sync', '--check', '--catalog', CATALOGUE);
    expect(outcome.code).toBe(1);
    const diff = await run('catalog', 'sync', '--diff', '--catalog', CATALOGUE);
    expect(diff.code).toBe(0);
    await expect(diff.out).toMatchFileSnapshot(golden('catalog.diff'));
    expect(diff.out).toContain(`+| 31 | \`${THE_31ST}()\` | 712 | 每 10s |`);
    expect(snapshot(cwd)).toEqual(before);
  });

  it('passes after migrate and sync', async () => {
    expect((await run('migrate', '--batch', 'PR-10', ...ARGS, '--write')).code).toBe(0);
    const drifted = await run('check', ...ARGS);
    expect(drifted.code).toBe(1); // the 31st is in no row yet
    expect((await run('catalog', 'sync', '--catalog', CATALOGUE)).code).toBe(0);
    const outcome = await run('check', ...ARGS);
    expect(outcome.code, outcome.out).toBe(0);
    expect((await run('catalog', 'sync', '--check', '--catalog', CATALOGUE)).code).toBe(0);
  });

  it('keeps the catalogue byte for byte but for the cells that changed', () => {
    const old = readFileSync(join(SERVICE, CATALOGUE), 'utf8').split('\n');
    const now = readFileSync(join(cwd, CATALOGUE), 'utf8').split('\n');
    const changed = now.flatMap((line, i) => (line === old[i] ? [] : [i + 1]));
    // 31 rows, and the list of the priority that the 31st has now.
    expect(changed).toEqual([...Array.from({ length: 31 }, (_, i) => 28 + i), 97]);
    expect(rows(now.join('\n')).map(({ number }) => number)).toEqual(rows().map(({ number }) => number));
    for (const [i, row] of rows().entries()) {
      const cells = (line: string): string[] => line.split('|');
      const place = 27 + i;
      const differing = cells(now[place]!).filter((cell, n) => cell !== cells(old[place]!)[n]);
      expect(differing).toHaveLength(row.name === null ? 5 : 1);
    }
  });

  it('fails again on a loop that is tagged with the wrong id', async () => {
    const source = readFileSync(join(cwd, MAIN), 'utf8');
    write(cwd, { [MAIN]: source.replace('run_governance_loop(), "awoooi"', 'run_governance_loop(), "__platform__"') });
    const outcome = await run('check', '--format', 'json', ...ARGS);
    expect(outcome.code).toBe(1);
    const { findings } = json<{ findings: { code: string; severity: string; line: number }[] }>(outcome);
    const line = source.slice(0, source.indexOf('run_governance_loop(), "awoooi"')).split('\n').length;
    expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([{ code: 'LT002', line }]);
  });

  it('reports a file that does not parse, and says no clean word', async () => {
    write(cwd, {
      [MAIN]: readFileSync(join(SERVICE, MAIN), 'utf8').replace('async def lifespan(', 'async def lifespan(('),
    });
    const outcome = await run('check', ...ARGS);
    expect(outcome.code).toBe(2);
    expect(outcome.out + outcome.err).toMatch(/apps\/api\/src\/main\.py:\d+:\d+: /);
  });
});

/** Those that the service runs under: it names its tasks. */
function interpreters(): Python[] {
  return installed().filter((each) => atLeast(each, '3.8'));
}

/** Every CPython 3 of the path and of pyenv. */
function installed(): Python[] {
  const pyenv = join(homedir(), '.pyenv', 'versions');
  let names: string[] = [];
  try {
    names = readdirSync(pyenv);
  } catch {
    // no pyenv
  }
  const found = [python3, ...names.map((name) => python(join(pyenv, name, 'bin', 'python')))];
  const usable = found.filter((each) => each !== null).filter((each) => atLeast(each, '3'));
  return [...new Map(usable.map((each) => [each.version.join('.'), each])).values()].sort(
    (a, b) => a.version[1] - b.version[1],
  );
}
