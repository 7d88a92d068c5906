/** `looptag merge` */

import { byFile } from '../../model/order.ts';
import { jsonText, printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { readInput } from '../input.ts';
import { readShard } from '../shard.ts';
import { Trouble } from '../trouble.ts';

interface Located {
  file: string;
}

interface Report {
  schema: string;
  root: string;
  shard: string;
  summary: Record<string, number>;
  sites: Located[];
  mentions: Located[];
  scheduled: Located[];
  errors: (Located & { line: number; column: number; message: string })[];
}

const LISTS = ['sites', 'mentions', 'scheduled', 'errors'] as const;

/** Puts the reports of all shards together: byte for byte what one run over everything prints. */
export async function merge(files: string[], _: unknown, run: Run): Promise<number> {
  const reports = files.map(read);
  complete(reports.map((r) => r.shard));
  const [first] = reports as [Report];
  if (reports.some((r) => r.root !== first.root))
    throw new Trouble('the reports are of different roots', 'make all of them with the same --root');
  const list = <K extends (typeof LISTS)[number]>(key: K): Report[K] =>
    reports
      .flatMap((r) => r[key] as Located[])
      // a file is in one shard, where its places are in order
      .sort(byFile) as Report[K];
  const errors = list('errors');
  run.streams.out(
    `${jsonText({
      schema: first.schema,
      root: first.root,
      summary: sum(reports.map((r) => r.summary)),
      sites: list('sites'),
      mentions: list('mentions'),
      scheduled: list('scheduled'),
      errors,
    }).trimEnd()}\n`,
  );
  for (const e of errors) run.streams.trouble(`${printable(e.file)}:${e.line}:${e.column}: ${printable(e.message)}\n`);
  return errors.length ? 2 : 0;
}

function read(path: string): Report {
  const { text, shown } = readInput(path, 'report', '`looptag inventory --shard 1/N --format json` prints one');
  let data: Partial<Report> | null;
  try {
    data = JSON.parse(text) as Partial<Report> | null;
  } catch {
    throw new Trouble(`${shown}: no JSON`, 'give what `looptag inventory --shard I/N --format json` printed');
  }
  const lists = LISTS.every(
    (key) => Array.isArray(data?.[key]) && data[key].every((x: Partial<Located>) => typeof x?.file === 'string'),
  );
  if (data?.schema !== 'looptag/inventory@1' || typeof data.shard !== 'string' || !lists || !isSum(data.summary))
    throw new Trouble(
      `${shown}: no report of a shard`,
      'give what `looptag inventory --shard I/N --format json` printed',
    );
  return data as Report;
}

function isSum(summary: unknown): boolean {
  return typeof summary === 'object' && summary !== null && Object.values(summary).every(Number.isInteger);
}

/** @throws Trouble when a shard is missing or there twice. */
function complete(names: readonly string[]): void {
  const { of } = readShard(names[0]!);
  const wanted = Array.from({ length: of }, (_, i) => `${i + 1}/${of}`);
  const missing = wanted.filter((name) => !names.includes(name));
  const odd = names.filter((name, i) => !wanted.includes(name) || names.indexOf(name) !== i);
  if (missing.length) throw new Trouble(`shard ${missing.join(', ')} is missing`, 'give the reports of all shards');
  if (odd.length) throw new Trouble(`shard ${odd.join(', ')} is one too many`, 'give each shard of one run once');
}

function sum(all: readonly Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const one of all) for (const [name, n] of Object.entries(one)) total[name] = (total[name] ?? 0) + n;
  return total;
}
