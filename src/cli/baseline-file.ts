/** The baseline file: found, read, written. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checks } from '../../rules/checks/index.ts';
import { readBaseline } from '../engine/baseline.ts';
import type { BaselineEntry } from '../model/index.ts';
import type { Run } from './define.ts';
import { stopOn, Trouble } from './trouble.ts';
import { insideRoot, type Workspace } from './workspace.ts';

export interface BaselineOptions {
  baseline?: string;
  writeBaseline?: boolean;
  pruneBaseline?: boolean;
}

export interface Baseline {
  file: string;
  path: string;
  entries: BaselineEntry[];
}

/** The baseline that the options or the configuration name; null when there is none. */
export function baselineOf(w: Workspace, options: BaselineOptions): Baseline | null {
  const name = options.baseline ?? w.config.baseline;
  if (!name) {
    if (options.writeBaseline || options.pruneBaseline)
      throw new Trouble('no baseline file is named', 'give it with --baseline');
    return null;
  }
  const file = options.baseline ? insideRoot(w, name) : name;
  const path = resolve(w.root, file);
  if (!existsSync(path)) {
    if (options.writeBaseline) return { file, path, entries: [] };
    throw new Trouble(`${file}: no such baseline`, 'write it with --write-baseline');
  }
  if (options.writeBaseline) return { file, path, entries: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (e) {
    throw new Trouble(`${file}: cannot be read (${(e as NodeJS.ErrnoException).code})`);
  }
  const { entries, problems } = readBaseline(text, file, checks);
  stopOn(problems);
  return { file, path, entries };
}

export function saveBaseline(baseline: Baseline, text: string, run: Run, count: number): number {
  try {
    writeFileSync(baseline.path, text);
  } catch (e) {
    throw new Trouble(`${baseline.file}: cannot be written (${(e as NodeJS.ErrnoException).code})`);
  }
  run.streams.err(`${baseline.file}: ${count} entries\n`);
  return 0;
}
