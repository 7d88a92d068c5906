/** One part of a project's files, chosen by a hash of the path alone: any machine makes the same parts. */
import type { Analysed } from '../sites/index.ts';
import { Trouble } from './trouble.ts';

interface Shard {
  index: number;
  of: number;
}

const MOST = 10_000;

/** @throws Trouble for anything but `I/N` with I from 1 to N. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,5})\/(\d{1,5})$/.exec(text)?.map(Number) ?? [];
  if (!index || !of || index > of || of > MOST)
    throw new Trouble(`--shard ${JSON.stringify(text)}: no part of a whole`, 'write it as 2/5, from 1/5 to 5/5');
  return { index, of };
}

/** FNV-1a over the UTF-8 bytes of the path. */
export function shardOf(file: string, of: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(file, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash % of) + 1;
}

/** Whether a file is one of the shard's. */
export function within({ index, of }: Shard): (file: string) => boolean {
  return (file) => shardOf(file, of) === index;
}

/** The analysis of the whole as far as it speaks of the shard's files. */
export function part({ analysis, grepLinesOf }: Analysed, shard: Shard): Analysed['analysis'] {
  const mine = within(shard);
  const files = analysis.files.filter(mine);
  const errors = analysis.errors.filter((e) => mine(e.file));
  return {
    ...analysis,
    files,
    errors,
    parsed: files.length - errors.length,
    sites: analysis.sites.filter((s) => mine(s.range.file)),
    mentions: analysis.mentions.filter((m) => mine(m.file)),
    scheduled: analysis.scheduled.filter((s) => mine(s.file)),
    grepLines: files.reduce((sum, file) => sum + grepLinesOf(file), 0),
    grepHits: analysis.grepHits.filter((h) => mine(h.file)),
  };
}
