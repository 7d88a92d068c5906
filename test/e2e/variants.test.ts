/** The 31st hit of grep may be many things. Each is made from the bundled service, and each gets its own verdict. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { GONE, keepFewer, withFewer } from '../support/fewer-loops.ts';
import type { InventoryJson } from './support/json.ts';
import { json, looptag, type Outcome, python3, write } from './support/run.ts';
import { ARGS, CATALOGUE, MAIN, rows, SERVICE, service, start } from './support/service.ts';

const SOURCE = withFewer(readFileSync(join(SERVICE, MAIN), 'utf8'));
const SPAWN = 'asyncio.create_task(run_channel_event_poller_loop(), name="channel-poller")';
const BLOCK = `    try:
        from src.jobs.channel_event_poller import run_channel_event_poller_loop
        ${SPAWN}
        logger.info("channel event poller started")
    except Exception as exc:
        logger.warning("channel event poller not started: %s", exc)
`;
const LOGGING = `# ---------------------------------------------------------------------------
# Logging
`;

function replace(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, () => to);
}

interface Variant {
  name: string;
  source: string;
  /** What INV-8 does not name yet, with its period. */
  more: [string, number | null][];
  summary: Record<string, number>;
  mentions: string[];
  /** The sentence about the 31st. */
  says: RegExp;
  /** The rows of the catalogue from the 31st on, after `sync`. */
  becomes: RegExp[];
  starts: string[];
}

/** What there is, by the numbers of the whole service. */
const of = (sites: number, loops: number, oneShot: number, grepLines: number) => ({
  sites: sites - GONE.sites,
  loops: loops - GONE.loops,
  oneShot: oneShot - GONE.oneShot,
  grepLines: grepLines - GONE.sites,
});

const NONE = [/^\| 31 \| ~~（需確認）~~ \|/];
const POLLER = 'run_channel_event_poller_loop';

const variants: Variant[] = [
  {
    name: 'a spawn that is commented out',
    source: replace(SOURCE, BLOCK, `    # Switched off until the channels have webhooks:\n    # ${SPAWN}\n`),
    more: [],
    summary: of(30, 27, 3, 31),
    mentions: ['711 comment'],
    says: /^There is no 31st loop: .* line 711 is a comment\.$/m,
    becomes: NONE,
    starts: [],
  },
  {
    name: 'a docstring',
    source: replace(
      SOURCE,
      BLOCK,
      `    async def _poll_channels() -> None:
        """Start it with \`\`asyncio.create_task(_poll_channels())\`\` once there are webhooks."""

    assert _poll_channels is not None
`,
    ),
    more: [],
    summary: of(30, 27, 3, 31),
    mentions: ['711 docstring'],
    says: /^There is no 31st loop: .* line 711 is inside a docstring\.$/m,
    becomes: NONE,
    starts: [],
  },
  {
    name: 'a one-shot of a request',
    source: replace(
      replace(SOURCE, BLOCK, ''),
      'async def list_incidents(request: Request) -> Response:\n',
      `async def _note_visit(path: str) -> None:
    async with get_db_session() as db:
        await db.insert("visits", path=path)


async def list_incidents(request: Request) -> Response:
    asyncio.create_task(_note_visit(request.path))
`,
    ),
    more: [['_note_visit', null]],
    summary: of(31, 27, 4, 31),
    mentions: [],
    says: /^There is no 31st loop: .* `_note_visit`, a one-shot of a single request/m,
    becomes: NONE,
    starts: [],
  },
  {
    name: 'a wrapper of the project',
    source: replace(
      replace(SOURCE, SPAWN, '_spawn(run_channel_event_poller_loop(), name="channel-poller")'),
      LOGGING,
      `def _spawn(coro, name=None):
    """Start a task and hold on to it."""
    task = asyncio.create_task(coro, name=name)
    _background_tasks.append(task)
    return task


${LOGGING}`,
    ),
    more: [[POLLER, 10]],
    summary: of(31, 28, 3, 31),
    mentions: ['33 wrapper-body'],
    says: /^The 31st loop is `run_channel_event_poller_loop` at apps\/api\/src\/main\.py:719 .* the wrapper `src\.main\._spawn`.*line 33 /m,
    becomes: [/^\| 31 \| `run_channel_event_poller_loop\(\)` \| 719 \| 每 10s \|/],
    starts: [POLLER],
  },
  {
    name: 'an aliased import',
    source: replace(
      replace(SOURCE, 'import asyncio\n', 'import asyncio\nimport asyncio as aio\n'),
      SPAWN,
      SPAWN.replace('asyncio', 'aio'),
    ),
    more: [[POLLER, 10]],
    summary: of(31, 28, 3, 30),
    mentions: [],
    says: /^The 31st loop is `run_channel_event_poller_loop` at apps\/api\/src\/main\.py:713 .*a plain grep misses it/m,
    becomes: [/^\| 31 \| `run_channel_event_poller_loop\(\)` \| 713 \| 每 10s \|/],
    starts: [POLLER],
  },
  {
    name: 'a `for` over two pollers',
    source: replace(
      SOURCE,
      BLOCK,
      `    async def _run_presence_poller_loop() -> None:
        while True:
            record_tick("_run_presence_poller_loop")
            await asyncio.sleep(15)

    try:
        from src.jobs.channel_event_poller import run_channel_event_poller_loop
        for poller in (run_channel_event_poller_loop, _run_presence_poller_loop):
            asyncio.create_task(poller())
    except Exception as exc:
        logger.warning("pollers not started: %s", exc)
`,
    ),
    more: [
      [POLLER, 10],
      ['_run_presence_poller_loop', 15],
    ],
    summary: of(31, 29, 3, 31),
    mentions: [],
    says: /^The 31st loop is `run_channel_event_poller_loop` at apps\/api\/src\/main\.py:718 .* 1 more without a row: `_run_presence_poller_loop`/m,
    becomes: [
      /^\| 31 \| `run_channel_event_poller_loop\(\)` \| 718 \| 每 10s \|/,
      /^\| 32 \| `_run_presence_poller_loop\(\)` \| 718 \| 每 15s \|/,
    ],
    starts: [POLLER, '_run_presence_poller_loop'],
  },
];

describe.each(variants.map((each) => [each.name, each] as const))('%s', (_name, variant) => {
  const cwd = service(keepFewer);
  const listed = rows(readFileSync(join(cwd, CATALOGUE), 'utf8'));
  let report: InventoryJson;
  const run = (...args: string[]): Promise<Outcome> => looptag(args, { cwd });
  beforeAll(async () => {
    write(cwd, { [MAIN]: variant.source });
    report = json(await run('inventory', '--format', 'json', ...ARGS));
  });

  it('is found', () => {
    const names = new Set(listed.map(({ name }) => name));
    const more = report.sites.flatMap(({ targets }) => targets).filter(({ name }) => !names.has(name));
    expect(more.map(({ name, periodSeconds }) => [name, periodSeconds])).toEqual(variant.more);
    expect(report.summary).toMatchObject(variant.summary);
    expect(report.mentions.map(({ line, kind }) => `${line} ${kind}`)).toEqual(variant.mentions);
  });

  it('explains each line that grep hits', () => {
    const hits = variant.source.split('\n').flatMap((line, i) => (line.includes('asyncio.create_task') ? [i + 1] : []));
    const explained = new Set([...report.sites, ...report.mentions].map(({ line }) => line));
    expect(hits.filter((line) => !explained.has(line))).toEqual([]);
    expect(report.summary.grepLines).toBe(hits.length);
  });

  it('is said in one sentence', async () => {
    expect((await run('inventory', ...ARGS)).out).toMatch(variant.says);
  });

  it('is put into the catalogue, and a second sync finds nothing', async () => {
    expect((await run('catalog', 'sync', ...ARGS)).code).toBe(0);
    const lines = readFileSync(join(cwd, CATALOGUE), 'utf8').split('\n');
    const found = lines
      .slice(lines.findIndex((line) => line.startsWith('| 31 |')))
      .filter((line) => /^\| 3\d \|/.test(line));
    expect(found).toHaveLength(variant.becomes.length);
    for (const [i, line] of found.entries()) expect(line).toMatch(variant.becomes[i]!);
    expect((await run('catalog', 'sync', '--check', ...ARGS)).code).toBe(0);
  });

  it('runs with every loop tagged after the migration', async () => {
    const migrated = await run('migrate', ...ARGS, '--write', '--allow-dirty');
    expect(migrated.code, migrated.err).toBe(0);
    const { started, seen } = start(cwd, python3!);
    const expected = [...listed.flatMap(({ name }) => name ?? []), ...variant.starts];
    expect([...started].sort()).toEqual([...expected].sort());
    const platform = listed.filter(({ marker }) => marker === 'platform_internal');
    for (const [name, id] of Object.entries(seen)) {
      expect(`${name} ${id}`).toBe(`${name} ${platform.some((row) => row.name === name) ? '__platform__' : 'awoooi'}`);
    }
    expect((await run('migrate', ...ARGS, '--check')).code).toBe(0);
  });
});
