/**
 * Starts the program from its one file, with the machine code's precursor that V8 made of it in an earlier run: to parse
 * and compile the program anew costs more than to analyse a file with it.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { userCacheFolder } from '../io/cache-folder.ts';

/** Of the program's text: code made from another text of the same length would not be noticed by V8. */
declare const LOOPTAG_BUILD: string;

const DIGEST = 32;
/** Commands whose results are kept. */
const REMEMBERED = new Set(['inventory', 'check', 'migrate']);
/**
 * How much code a function runs before V8 optimises it, in bytes. By default, which is made for pages that stay, that is
 * most of what a run costs which is over in half a second; later versions of V8 wait by themselves.
 */
const BUDGET = { ours: 500_000, default: 67_584 };
const optimisesEarly = process.versions.v8.startsWith('11.3.');
const program = join(__dirname, 'program.js');
const name = `${LOOPTAG_BUILD}-${process.version}-${process.arch}.v8`;
const [, , ...argv] = process.argv;

const remembered = launched();
if (remembered === null) start();
else process.exitCode = remembered;

/** What a command printed before that may not need the program. */
function launched(): number | null {
  if (!REMEMBERED.has(argv[0] ?? '')) return null;
  // a file of its own: other commands need none of it
  return (require('./launch.js') as typeof import('./launch.ts')).launched(LOOPTAG_BUILD, argv);
}

function start(): void {
  // the bundle is plain ASCII, and one byte a character is read fastest
  const source = `(function (exports, require, module, __filename, __dirname, LOOPTAG_BUILD) {${readFileSync(program, 'latin1')}\n})`;
  const folder = argv.includes('--no-cache') ? null : userCacheFolder(process.env, process.platform);
  const data = bundled() ?? (folder ? checked(join(folder, 'code', name)) : null);
  const script = new Script(source, { filename: program, cachedData: data ?? undefined });
  if (process.env.LOOPTAG_WRITE_CODE) process.once('exit', () => write(script, __dirname, false));
  else if (folder && (!data || script.cachedDataRejected))
    process.once('exit', () => write(script, join(folder, 'code'), true));
  // what stays is to be optimised soon; and not before the code is read, which holds for the options it was made with
  if (argv[0] !== 'lsp' && !argv.includes('--watch')) optimiseAfter(BUDGET.ours);
  script.runInThisContext()(exports, require, module, program, __dirname, LOOPTAG_BUILD);
}

function optimiseAfter(bytes: number): void {
  if (optimisesEarly) process.getBuiltinModule('node:v8').setFlagsFromString(`--interrupt-budget=${bytes}`);
}

/** What was made when the program was built, if it was with this version of Node: as much a part of the package as the program. */
function bundled(): Buffer | null {
  try {
    return readFileSync(join(__dirname, name));
  } catch {
    return null;
  }
}

/** V8 takes any bytes for code, so only those are handed to it that this user's own run has written, whole. */
function checked(file: string): Buffer | null {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return null;
  }
  try {
    const { uid, mode } = fstatSync(fd);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return null;
    const bytes = readFileSync(fd);
    const code = bytes.subarray(DIGEST);
    return digest(code).equals(bytes.subarray(0, DIGEST)) ? code : null;
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
}

/** At the end of a run, when the functions that it needed are compiled. Nobody waits for it to succeed. */
function write(script: Script, to: string, sealed: boolean): void {
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    const temporary = join(to, `${name}.${process.pid}.tmp`);
    optimiseAfter(BUDGET.default);
    const code = script.createCachedData();
    writeFileSync(temporary, sealed ? Buffer.concat([digest(code), code]) : code, { flag: 'wx', mode: 0o644 });
    renameSync(temporary, join(to, name));
  } catch {
    // a closed or full disk: the next run is as slow as this one
  }
}

function digest(code: Buffer): Buffer {
  // loaded here alone: what was built with the program needs none
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(code).digest();
}
