/** The bundled service: fresh copies of it, what its catalogue says, and how it runs. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lasting } from '../../support/temporary.ts';
import { commitAll, copy, type Python, ROOT, temporary } from './run.ts';

export const SERVICE = join(ROOT, 'fixtures', 'services', 'awoooi');
export const MAIN = 'apps/api/src/main.py';
export const CATALOGUE = 'docs/INV-8.md';
export const ARGS = ['--catalog', CATALOGUE, MAIN];

const committed = new Map<unknown, string>();

/** A copy in a repository of its own, changed before the commit, without what runs and golden results leave behind. */
export function service(change?: (root: string) => void): string {
  let from = committed.get(change);
  if (from === undefined) {
    from = lasting('service');
    copy(SERVICE, from, (path) => !/__pycache__|[/\\]golden([/\\]|$)/.test(path));
    change?.(from);
    commitAll(from);
    committed.set(change, from);
  }
  const cwd = temporary('service');
  copy(from, cwd);
  return cwd;
}

export interface Row {
  number: number;
  name: string | null;
  line: number | null;
  /** null when it ends by itself, or is to be decided. */
  period: number | null;
  marker: string;
  priority: string | null;
}

const UNITS: Record<string, number> = { s: 1, min: 60, h: 3600 };

/** The rows of the catalogue, read here in the plainest way. */
export function rows(text = readFileSync(join(SERVICE, CATALOGUE), 'utf8')): Row[] {
  return [...text.matchAll(/^\| (\d+) \|(.*)\|$/gm)].map((match) => {
    const [name = '', line = '', frequency = '', marker = '', priority = ''] = match[2]!
      .split('|')
      .map((cell) => cell.trim());
    const [, count, unit] = /^每 (\d+)(s|min|h)$/.exec(frequency) ?? [];
    return {
      number: Number(match[1]),
      name: /^`(\w+)\(\)`$/.exec(name)?.[1] ?? null,
      line: /^\d+$/.test(line) ? Number(line) : null,
      period: frequency === '每日' ? 86_400 : count ? Number(count) * UNITS[unit!]! : null,
      marker: marker.replaceAll(/[`*]/g, ''),
      priority: /P\d/.exec(priority)?.[0] ?? null,
    };
  });
}

export interface Report {
  started: string[];
  seen: Record<string, string>;
  trace: Record<string, boolean>;
  logs: string[];
}

/** Starts the service, lets it work and stops it; what happened. */
export function start(cwd: string, { command }: Python): Report {
  const { status, stdout, stderr } = spawnSync(command, ['-S', 'run.py', '--seconds', '0.3', '--json'], {
    cwd: join(cwd, 'apps', 'api'),
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0 || stderr) throw new Error(`the service under ${command}: exit ${status}\n${stderr}`);
  return JSON.parse(stdout) as Report;
}
