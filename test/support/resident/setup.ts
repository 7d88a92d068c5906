/** Keeps one process for each worker in which the tests of that worker run the built command; see `child.mjs`. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { type Place, placeOf } from './place.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CHILD = fileURLToPath(new URL('child.mjs', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the pipes and files by which residents are asked; null where there are none. */
    residents: string | null;
    /** A folder that is removed at the end of the whole run. */
    lasting: string;
  }
}

export default function setup(project: TestProject): () => Promise<void> {
  const lasting = mkdtempSync(join(tmpdir(), 'looptag-lasting-'));
  project.provide('lasting', lasting);
  const end = residents(project);
  return async () => {
    await end?.();
    rmSync(lasting, { recursive: true, force: true });
  };
}

function residents(project: TestProject): (() => Promise<void>) | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'looptag-residents-'));
  const workers = Number(project.vitest.config.maxWorkers);
  const places = Array.from({ length: workers }, (_, i) => placeOf(folder, i + 1));
  const pipes = places.flatMap(({ requests, answers }) => [requests, answers]);
  if (process.platform === 'win32' || spawnSync('mkfifo', ['-m', '600', ...pipes]).status !== 0) {
    rmSync(folder, { recursive: true });
    project.provide('residents', null);
    return;
  }
  project.provide('residents', folder);
  // held open while the tests run: a resident ends when nobody can ask it any more
  const held = places.flatMap(({ requests, answers }) => [
    openSync(requests, constants.O_RDWR),
    openSync(answers, constants.O_RDONLY | constants.O_NONBLOCK),
  ]);
  let over = false;
  const children = new Set<ChildProcess>();
  const start = (place: Place): void => {
    const { requests, answers, pid } = place;
    const child = spawn(process.execPath, [CHILD, ROOT, folder, requests, answers], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    writeFileSync(pid, String(child.pid));
    children.add(child);
    child.unref();
    child.on('exit', () => {
      children.delete(child);
      // the test that it died of fails; those after it have another one
      if (!over) start(place);
    });
  };
  for (const place of places) start(place);
  return async () => {
    over = true;
    const ended = [...children].map((child) => once(child, 'exit'));
    for (const child of children) {
      child.ref();
      child.kill('SIGKILL');
    }
    await Promise.all(ended);
    for (const fd of held) closeSync(fd);
    rmSync(folder, { recursive: true, force: true });
  };
}
