/** What `right.md` of the cases below `test/cases/bugs` says of spawns: found once each, at the right place, in the right scope. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InventoryJson } from './support/json.ts';
import { json, looptag, ROOT, temporary, write } from './support/run.ts';

const BUGS = join(ROOT, 'test', 'cases', 'bugs');
const folderOf = (number: string): string => join(BUGS, readdirSync(BUGS).find((name) => name.startsWith(number))!);
const input = (number: string, name = 'input.py'): Buffer => readFileSync(join(folderOf(number), name));

async function inventory(files: Record<string, string | Uint8Array>): Promise<InventoryJson> {
  const cwd = temporary();
  write(cwd, files);
  return json(await looptag(['inventory', '--format', 'json', '--root', '.', '.'], { cwd }));
}

/** `line:column scope target lifecycle period tag` of each spawn. */
const SPAWNS: Record<string, string[]> = {
  '001': ['10:9 startup run_poll loop 30 -', '11:12 startup run_poll loop 30 -', '13:5 startup run_poll loop 30 -'],
  '003': ['14:1 <module> run_main loop 5 -'],
  '005': [
    '15:53 install.<lambda> run_shutdown one-shot - -',
    '16:33 install.<lambda> run_sweep loop 60 -',
    '19:23 <lambda> run_sweep loop 60 -',
  ],
  '007': ['10:12 spawn_sync run_sync loop 15 -'],
  '009': ['25:5 setup run_poll loop 30 -', '26:5 setup run_push one-shot - -'],
  '011': ['15:51 main.<lambda>.<lambda> run_poll one-shot - -', '19:9 main.later run_sweep one-shot - -'],
  '031': [
    '31:19 handle_bare run_flush loop 0.01 -',
    '40:19 handle_tagged run_flush loop 0.01 __platform__',
    '54:13 * handle_bare one-shot - *',
    '55:13 * handle_tagged one-shot - *',
  ],
  '033': [
    '21:9 lifespan run_reaper one-shot - -',
    '28:11 request run_reaper one-shot - -',
    '33:12 server lifespan one-shot - *',
    '35:11 server request one-shot - -',
  ],
  '037': ['31:9 * run_x * * awoooi'],
  '039': ['38:9 * run_watch loop * -', '40:9 * run_watch loop * awoooi'],
  '041': ['13:5 lost run_x one-shot - -', '18:15 kept run_x one-shot - -'],
  '047': ['6:9 * run_a * * -', '8:9 * run_b * * -', '10:5 * run_c * * -'],
  '051': ['10:9 * self.loop loop 5 -', '18:12 * run_b * * -'],
  '053': ['2809:5 startup run_poll * - -'],
  '055': ['6:5 * run_a * * -', '7:5 * run_b * * -', '9:9 * run_c * * -'],
  '063': [
    '33:9 * run_backoff loop - -',
    '33:9 * run_const loop 14400 -',
    '33:9 * run_daily loop 86400 -',
    '33:9 * run_fast loop 30 -',
  ],
};

describe.each(Object.entries(SPAWNS))('%s', (number, wanted) => {
  it('finds the spawns', async () => {
    const { sites, errors } = await inventory({ 'input.py': input(number) });
    expect(errors).toEqual([]);
    const found = sites.flatMap(({ line, column, enclosing, targets }) =>
      targets.map(({ name, lifecycle, periodSeconds, tag }) =>
        [`${line}:${column}`, enclosing, name, lifecycle, periodSeconds ?? '-', tag?.projectId ?? '-'].map(String),
      ),
    );
    const shown = found.map((words) => words.join(' ')).sort();
    const patterns = [...wanted].sort();
    // `*`: the case says nothing of it.
    const kept = shown.map((line, i) => {
      const pattern = patterns[i]?.split(' ') ?? [];
      return line
        .split(' ')
        .map((word, n) => (pattern[n] === '*' ? '*' : word))
        .join(' ');
    });
    expect(kept).toEqual(patterns);
  });
});

describe('009', () => {
  it('shows the forwarding call as the body of a wrapper', async () => {
    const { mentions } = await inventory({ 'input.py': input('009') });
    expect(
      mentions.filter(({ kind }) => kind === 'wrapper-body').map(({ line, column }) => `${line}:${column}`),
    ).toEqual(['9:16']);
  });
});

describe('057: a baseline with identical sites', () => {
  const check = async (
    name: string,
    cwd: string,
    ...more: string[]
  ): Promise<{ code: number; out: string; err: string }> => {
    write(cwd, { 'app.py': input('057', name) });
    return looptag(['check', '--root', '.', 'app.py', '--select', 'LT001', '--baseline', 'loops.baseline', ...more], {
      cwd,
      env: { CI: 'true' },
    });
  };

  it.each([
    ['before.py', 0, []],
    ['reordered.py', 0, []],
    ['third.py', 1, [11]],
    ['swapped.py', 1, [13]],
  ] as const)('%s', async (name, code, lines) => {
    const cwd = temporary();
    expect((await check('before.py', cwd, '--write-baseline')).code).toBe(0);
    const outcome = await check(name, cwd, '--format', 'json');
    const { findings } = JSON.parse(outcome.out) as { findings: { line: number }[] };
    expect(findings.map(({ line }) => line)).toEqual(lines);
    expect(outcome.code).toBe(code);
    // the site that is gone leaves its line in the baseline over
    expect(/matches nothing/.test(outcome.err)).toBe(name === 'swapped.py');
  });
});

describe('059: annotations for GitHub', () => {
  it('keeps one line a finding, whatever the file is called', async () => {
    const cwd = temporary();
    const name = 'odd,name: 100%.py';
    write(cwd, { [name]: input('059') });
    const { out, code } = await looptag(['check', '--root', '.', '.', '--select', 'LT001', '--format', 'github'], {
      cwd,
    });
    expect(code).toBe(1);
    const commands = out.split('\n').filter((line) => line.startsWith('::'));
    expect(commands.length).toBeGreaterThan(0);
    for (const line of commands) expect(line).toMatch(/^::(error|warning|notice|group|endgroup)\b/);
    expect(
      commands.some(
        (line) =>
          line.startsWith('::error ') && line.includes('file=odd%2Cname%3A 100%25.py,') && line.includes('line=5,'),
      ),
    ).toBe(true);
  });
});
