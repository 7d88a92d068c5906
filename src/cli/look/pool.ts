/** Looks at files with the help of other threads, where there are so many that it pays. What is found is the same. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { DiskFileSystem } from '../../io/disk.ts';
import { type FileRecord, RecordedFileSystem } from '../../io/recorded.ts';
import {
  FirstLook,
  type LookAt,
  lookedAt,
  type Sought,
  type SyntaxVerdicts,
  type Told,
  type WordSieve,
} from '../../sites/index.ts';
import { CHUNK, chunkOf, NEXT, REPORTED, type Report, type Setup, type Task } from './protocol.ts';

/** Milliseconds of work left that make it worth to call for help: a thread comes up in 50, but its code is cold and takes 800 of CPU to warm. */
const PATIENCE = 1000;
/** After so many milliseconds without a word from the helpers their work is done here too: one may have died. */
const SILENCE = 100;

interface PoolOptions {
  /** How many threads may look, this one included. */
  jobs: number;
  /** The built file of the helper. */
  helper: URL;
  excluded: readonly string[];
  syntax?: SyntaxVerdicts;
  patience?: number;
}

export class LookPool {
  private ports: MessagePort[] | null = null;
  private tasks = 0;
  private readonly workers: Worker[] = [];

  constructor(
    private readonly fs: DiskFileSystem | RecordedFileSystem,
    private readonly options: PoolOptions,
  ) {}

  readonly look: LookAt = (files, sought, judged, sieve) => {
    const look = new FirstLook(this.fs, sought, { syntax: this.options.syntax, sieve });
    const told = this.alone(files, look, judged);
    if (told.length < files.length)
      for (const one of this.together(files.slice(told.length), sought, { look, judged, sieve })) told.push(one);
    return lookedAt(files, told);
  };

  /** As far as one gets before it would pay to be more. */
  private alone(files: readonly string[], look: FirstLook, judged: (file: string) => boolean): Told[] {
    const { jobs, patience = PATIENCE } = this.options;
    const started = process.hrtime();
    const told: Told[] = [];
    for (const file of files) {
      if (jobs > 1 && told.length % CHUNK === 0) {
        const [seconds, nanoseconds] = process.hrtime(started);
        const spent = seconds * 1000 + nanoseconds / 1e6;
        const left = (spent / told.length) * (files.length - told.length);
        if (patience === 0 || (spent > patience / 2 && left > patience)) break;
      }
      told.push(look.at(file, judged(file)));
    }
    return told;
  }

  private together(
    files: readonly string[],
    sought: Sought,
    { look, judged, sieve }: { look: FirstLook; judged: (file: string) => boolean; sieve: WordSieve | undefined },
  ): Told[] {
    const control = new Int32Array(new SharedArrayBuffer(8));
    const marks = Uint8Array.from(files, (file) => (judged(file) ? 1 : 0));
    const task: Task = { id: ++this.tasks, files, sought, notes: sieve !== undefined, judged: marks, control };
    this.ports ??= this.call();
    for (const port of this.ports) port.postMessage(task);
    const chunks: (Told[] | undefined)[] = new Array(Math.ceil(files.length / CHUNK)).fill(undefined);
    const own = (chunk: number): void => {
      chunks[chunk] = chunkOf(files, chunk).map((file) => look.at(file, judged(file)));
    };
    for (let k = Atomics.add(control, NEXT, 1); k < chunks.length; k = Atomics.add(control, NEXT, 1)) own(k);
    for (;;) {
      const seen = Atomics.load(control, REPORTED);
      this.collect(task, chunks, own, sieve);
      const open = chunks.indexOf(undefined);
      if (open < 0) return chunks.flatMap((chunk) => chunk!);
      if (Atomics.wait(control, REPORTED, seen, SILENCE) === 'timed-out') own(open);
    }
  }

  /** Takes what the helpers have found so far. */
  private collect(
    { id, files }: Task,
    chunks: (Told[] | undefined)[],
    own: (chunk: number) => void,
    sieve: WordSieve | undefined,
  ): void {
    for (const port of this.ports!)
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const { task, chunk, told, records, bits } = got.message as Report;
        // work that was done here meanwhile, of this task or of an earlier one
        if (task !== id || chunks[chunk]) continue;
        if (!told) own(chunk);
        else {
          chunks[chunk] = told;
          for (const [i, file] of chunkOf(files, chunk).entries()) {
            this.adopt(file, told[i], records?.[i]);
            if (bits[i]) sieve?.adopt(file, bits[i]);
          }
        }
      }
  }

  /** What a helper heard of the disk counts as heard here. */
  private adopt(file: string, told: Told, record: FileRecord | undefined): void {
    if (record && this.fs instanceof RecordedFileSystem) this.fs.adopt(file, record);
    if (told !== 'hit' && told !== undefined) this.options.syntax?.learn(file, told);
  }

  private call(): MessagePort[] {
    const { jobs, helper, excluded } = this.options;
    const recordedSince = this.fs instanceof RecordedFileSystem ? this.fs.started : null;
    const setup: Setup = { root: this.fs.root, excluded, recordedSince };
    const ports: MessagePort[] = [];
    for (let n = 1; n < jobs; n++) {
      const { port1, port2 } = new MessageChannel();
      try {
        const worker = new Worker(helper, { workerData: { setup, port: port2 }, transferList: [port2], execArgv: [] });
        // what it leaves undone is done here
        worker.on('error', () => {});
        worker.unref();
        this.workers.push(worker);
        ports.push(port1);
      } catch {
        break; // no threads are to be had
      }
    }
    return ports;
  }

  /** Sends the helpers home. */
  close(): void {
    for (const port of this.ports ?? []) port.close();
    for (const worker of this.workers) void worker.terminate();
    this.ports = null;
    this.workers.length = 0;
  }
}
