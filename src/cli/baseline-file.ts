/** The baseline file: found, read, written. */

import { checks } from '../../rules/checks/index.ts';
import { readBaseline } from '../engine/baseline.ts';
import type { BaselineEntry } from '../model/index.ts';
import { plural } from '../model/plural.ts';
import { printable } from '../report/escape.ts';
import type { Run } from './define.ts';
import { stopOn, Trouble } from './trouble.ts';
import { insideRoot, readProjectFile, type Workspace } from './workspace.ts';
import { writeAll } from './write.ts';

interface BaselineOptions {
  baseline?: string;
  writeBaseline?: boolean;
  pruneBaseline?: boolean;
}

interface Baseline {
  file: string;
  /** As read; null when the file is not there yet. */
  bytes: Uint8Array | null;
  entries: BaselineEntry[];
}

/**
 * The baseline that the options or the configuration name; null when there is none.
 * @param narrowed only some files or rules are looked at: what the baseline says of others is kept.
 */
export function baselineOf(w: Workspace, options: BaselineOptions, narrowed = false): Baseline | null {
  const name = options.baseline ?? w.config.baseline;
  if (!name) {
    if (options.writeBaseline || options.pruneBaseline)
      throw new Trouble('no baseline file is named', 'give it with --baseline');
    return null;
  }
  const file = options.baseline ? insideRoot(w, name) : name;
  const bytes = readProjectFile(w, file);
  if (!bytes && w.fs.exists(file))
    throw new Trouble(`${printable(file)}: cannot be read: it is no file`, 'give the baseline file to --baseline');
  if (!bytes && !options.writeBaseline)
    throw new Trouble(`${printable(file)}: no such baseline`, 'write it with --write-baseline');
  // a baseline that is written whole may be in any state before
  if (!bytes || (options.writeBaseline && !narrowed)) return { file, bytes, entries: [] };
  const { entries, problems } = readBaseline(new TextDecoder().decode(bytes), file, checks);
  stopOn(problems);
  return { file, bytes, entries };
}

export function saveBaseline(w: Workspace, baseline: Baseline, text: string, run: Run): number {
  writeAll(w, [{ file: baseline.file, before: baseline.bytes, after: Buffer.from(text) }]);
  const count = text.split('\n').filter((row) => row !== '' && !row.startsWith('#')).length;
  const gone = baseline.entries.length - count;
  const taken = gone > 0 ? `, ${gone} taken out` : '';
  run.streams.err(`${printable(baseline.file)}: ${plural(count, 'entry', 'entries')}${taken}\n`);
  return 0;
}
