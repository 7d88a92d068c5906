/** A thread that looks at files beside the main one. Built into a file of its own. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { DiskFileSystem } from '../../io/disk.ts';
import { RecordedFileSystem } from '../../io/recorded.ts';
import { FirstLook } from '../../sites/first-look.ts';
import { WordSieve } from '../../sites/word-sieve.ts';
import { CHUNK, chunkOf, NEXT, REPORTED, type Report, type Setup, type Task } from './protocol.ts';

const { setup, port } = workerData as { setup: Setup; port: MessagePort };
const disk = new DiskFileSystem(setup.root, setup.excluded);

port.on('message', (task: Task) => {
  const chunks = Math.ceil(task.files.length / CHUNK);
  for (let k = next(task); k < chunks; k = next(task)) {
    port.postMessage(report(task, k));
    Atomics.add(task.control, REPORTED, 1);
    Atomics.notify(task.control, REPORTED);
  }
});

function next({ control }: Task): number {
  return Atomics.add(control, NEXT, 1);
}

function report({ id: task, files, sought, notes, judged }: Task, chunk: number): Report {
  try {
    // a record of what this chunk asked alone
    const recorded = setup.recordedSince === null ? null : new RecordedFileSystem(disk, null, setup.recordedSince);
    const sieve = notes ? new WordSieve() : undefined;
    const look = new FirstLook(recorded ?? disk, sought, { sieve });
    const mine = chunkOf(files, chunk);
    const told = mine.map((file, i) => look.at(file, judged[chunk * CHUNK + i] === 1));
    const records = recorded && mine.map((file) => recorded.recordFor(file)!);
    return { task, chunk, told, records, bits: mine.map((file) => sieve?.bitsOf(file) ?? null) };
  } catch {
    return { task, chunk, told: null, records: null, bits: [] };
  }
}
