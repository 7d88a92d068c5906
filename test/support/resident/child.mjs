/**
 * Runs the built command many times in one process, each time as a process of its own would: with its own arguments,
 * environment, folder and input, and with every module of `dist` evaluated anew, so that nothing of one run is there in
 * the next. Only what V8 compiled stays, which is most of what a start costs.
 *
 * Reads the number of a request from one named pipe, the request itself from a file; answers in the same way.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import vm from 'node:vm';

// a run is over long before code that is optimised early has paid for it
if (process.versions.v8.startsWith('11.3.')) setFlagsFromString('--interrupt-budget=1000000');

const [root, folder, requests, answers] = process.argv.slice(2);
const dist = join(root, 'dist');
const launcher = join(root, 'bin/looptag.js');
const native = createRequire(launcher);
/** @type {Map<string, vm.Script>} */
const compiled = new Map();
/** @type {Map<string, { source: string, made: Function }>} */
const programs = new Map();

/** As `new Script` for the launcher, which hands over the same program each time. */
class Script {
  cachedDataRejected = false;
  #source;
  #options;
  constructor(source, options) {
    this.#source = source;
    this.#options = options;
  }
  /** The one function, so that what is optimised for its closures in one run serves the next. */
  runInThisContext() {
    const { filename } = this.#options;
    const known = programs.get(filename);
    if (known?.source === this.#source) return known.made;
    const made = new vm.Script(this.#source, this.#options).runInThisContext();
    programs.set(filename, { source: this.#source, made });
    return made;
  }
}

/** What was sent, what came of it. */
async function run({ argv, cwd, env, input }) {
  const written = { 1: [], 2: [] };
  let end = () => {};
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  let status = null;
  const exit = (code) => {
    status ??= code;
    end();
  };
  const out = (fd, bytes) => {
    if (status === null) written[fd].push(Buffer.from(bytes));
    return bytes.length;
  };

  const ownFs = {
    ...fs,
    writeSync(fd, data, ...rest) {
      if (fd !== 1 && fd !== 2) return fs.writeSync(fd, data, ...rest);
      if (typeof data === 'string') return out(fd, Buffer.from(data, 'utf8'));
      const [offset = 0, length = data.byteLength - offset] = rest;
      return out(fd, data.subarray(offset, offset + length));
    },
    readFileSync(path, options) {
      if (path !== 0) return fs.readFileSync(path, options);
      const encoding = typeof options === 'string' ? options : options?.encoding;
      return encoding ? input.toString(encoding) : Buffer.from(input);
    },
  };
  const needsProcess = (what) => () => {
    throw new Error(`${what}: to be tested in a process of its own`);
  };
  const ownChildProcess = {
    ...childProcess,
    spawnSync(command, ...given) {
      const options = given.at(-1);
      if (options?.stdio === 'inherit') needsProcess('a child that writes for itself')();
      return childProcess.spawnSync(command, ...given);
    },
  };
  const pipe = (fd) => ({
    fd,
    isTTY: undefined,
    write: (text) => out(fd, Buffer.from(text)) > 0,
    on: needsProcess('an event of a stream'),
  });
  let stdin;
  const started = Date.now();
  const standIn = Object.create(process, {
    uptime: { value: () => (Date.now() - started) / 1000 },
    argv: { value: [process.execPath, launcher, ...argv] },
    stdin: {
      get() {
        stdin ??= Readable.from(input.length ? [input] : []);
        return stdin;
      },
    },
    stdout: { value: pipe(1) },
    stderr: { value: pipe(2) },
    exitCode: { get: () => status ?? undefined, set: exit },
    exit: {
      value(code) {
        exit(code ?? 0);
        throw new Error('ended');
      },
    },
  });
  const builtIns = { fs: ownFs, child_process: ownChildProcess, process: standIn, vm: { ...vm, Script } };
  const modules = new Map();
  const load = (file) => {
    const known = modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const wrapped =
      compiled.get(file) ?? vm.compileFunction(fs.readFileSync(file, 'utf8'), PARAMETERS, { filename: file });
    compiled.set(file, wrapped);
    const require = (name) => {
      if (name.startsWith('.')) return load(join(dirname(file), name));
      return builtIns[name.replace(/^node:/, '')] ?? native(name);
    };
    wrapped.call(
      module.exports,
      module.exports,
      Object.assign(require, { main: undefined }),
      module,
      file,
      dirname(file),
    );
    return module.exports;
  };

  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
  process.chdir(cwd);
  Object.defineProperty(globalThis, 'process', { value: standIn, configurable: true, writable: true });
  try {
    load(join(dist, 'start.js'));
    await ended;
    // what is still under way would run on in a process too
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    Object.defineProperty(globalThis, 'process', { value: real, configurable: true, writable: true });
    process.chdir('/');
  }
  return { status, stdout: Buffer.concat(written[1]), stderr: Buffer.concat(written[2]) };
}

const PARAMETERS = ['exports', 'require', 'module', '__filename', '__dirname'];
const real = process;

// blocks until the tests hold their end; without them there is nothing to do, and this process ends
const from = fs.openSync(requests, 'r');
const to = fs.openSync(answers, 'w');
const chunk = Buffer.alloc(256);
let pending = '';
for (;;) {
  const read = fs.readSync(from, chunk);
  if (read === 0) break;
  pending += chunk.toString('latin1', 0, read);
  const lines = pending.split('\n');
  pending = lines.pop() ?? '';
  for (const id of lines) {
    const request = join(folder, `${id}.request`);
    // nobody waits for it any more
    if (!fs.existsSync(request)) continue;
    // what the command lets escape ends this process, as it would end its own
    const answer = await run(deserialize(fs.readFileSync(request)));
    fs.writeFileSync(join(folder, `${id}.answer`), serialize(answer));
    fs.writeSync(to, `${id}\n`);
  }
}
