/** `migrate --heartbeat --write` on the bundled service, which then runs with every second round of each loop failing. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InventoryJson } from './support/json.ts';
import { git, json, looptag, python3, snapshot } from './support/run.ts';
import { ARGS, CATALOGUE, service } from './support/service.ts';

interface Lived {
  ids: string[];
  events: ('beat' | 'good' | 'bad')[];
}

/** Every module below a package folder, by its dotted name. */
function modules(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.py') && !file.endsWith('__init__.py'))
    .map((file) => `${folder}/${file}`.slice(0, -3).replaceAll(/[\\/]/g, '.'));
}

describe('migrate --heartbeat --write', () => {
  const cwd = service();
  const before = snapshot(cwd);
  const args = ['migrate', '--catalog', CATALOGUE, '--heartbeat', '--write'];
  let err = '';
  beforeAll(async () => {
    ({ err } = await looptag(args, { cwd }));
  });

  it('puts one into each of the 28 loops, refuses none and counts each call once', async () => {
    expect(err).toBe(
      '31 sites to change, 28 heartbeats to add, 0 refused, 0 need nothing\n31 sites in 28 files written\n',
    );
    const { sites } = json<InventoryJson>(await looptag(['inventory', '--format', 'json', ...ARGS], { cwd }));
    const targets = sites.flatMap((site) => site.targets);
    const beating = targets.filter(({ heartbeat }) => heartbeat).map(({ name }) => name);
    expect(beating).toEqual(targets.filter(({ lifecycle }) => lifecycle === 'loop').map(({ name }) => name));
    expect(beating).toHaveLength(28);
    const { code, out } = await looptag(['check', ...ARGS, '--select', 'missing-heartbeat', '--fail-on', 'note'], {
      cwd,
    });
    expect(code, out).toBe(0);
  });

  it('gives a second run nothing to do', async () => {
    const again = await looptag([...args, '--check', '--allow-dirty'], { cwd });
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('0 sites to change')]);
  });

  it.skipIf(!python3)('beats once before the first round and after each good one, never for one that failed', () => {
    const api = join(cwd, 'apps/api');
    const loops = [...modules(api, 'src/jobs'), ...modules(api, 'src/services')];
    const script = join(import.meta.dirname, 'python/beats.py');
    const run = spawnSync(python3!.command, [script, api, 'src.main', ...loops], { encoding: 'utf8' });
    expect(run.status, run.stderr).toBe(0);
    const lived = Object.entries(JSON.parse(run.stdout) as Record<string, Lived>).filter(([, { events }]) =>
      events.includes('beat'),
    );
    expect(lived).toHaveLength(28);
    for (const [name, { ids, events }] of lived) {
      expect(ids, name).toHaveLength(1);
      expect(events.filter((event) => event === 'good').length, name).toBeGreaterThanOrEqual(2);
      expect(events.filter((event) => event === 'bad').length, name).toBeGreaterThanOrEqual(1);
      // the service may be stopped between the work and its beat
      expect(`${events.join(' ')} `, name).toMatch(/^beat ((good beat|bad) )*(good )?$/);
    }
    const platform = lived.filter(([, { ids }]) => ids[0] === '__platform__').map(([name]) => name);
    expect(platform.sort()).toEqual(['ai_slo_watchdog_loop', 'model_version_tracker_loop']);
  });

  it('goes again, byte for byte', async () => {
    const back = await looptag(
      ['migrate', '--catalog', CATALOGUE, '--heartbeat', '--revert', '--write', '--allow-dirty'],
      { cwd },
    );
    expect(back.code, back.err).toBe(0);
    expect(snapshot(cwd)).toEqual(before);
    expect(git(cwd, 'status', '--short').output).toBe('');
  });
});
