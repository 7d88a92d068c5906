/** The files that some files import, and what these import: found by the text alone, nothing is parsed for it. */
import type { FileSystem } from '../io/files.ts';
import type { ModuleGraph } from '../semantics/index.ts';
import { glance } from './glance.ts';

/** How many imports may stand between a file and the wrapper that it calls: facades, and wrappers of wrappers. */
const STEPS = 3;

/** What stands before the word on a line that is an import. */
const BEFORE = /(?:^|[;:])[ \t]*(from\b[ \t]*([. \t]*)([^\s.;(][^\s;(]*)?[ \t]*)?$/;

interface Import {
  level: number;
  module: string;
}

/** What the files of an unchanged text import, for a process that stays. */
const known = new WeakMap<Uint8Array, Import[]>();

/** The project's files that `files` lead to by imports, without these themselves. */
export function importedBy(fs: FileSystem, graph: ModuleGraph, files: readonly string[]): string[] {
  const seen = new Set(files);
  const out: string[] = [];
  let open = files;
  for (let step = 0; step < STEPS && open.length; step++) {
    const next: string[] = [];
    for (const file of open)
      for (const { level, module } of importsOf(fs, file)) {
        const found = graph.fileOf(file, level, module);
        if (found === null || seen.has(found)) continue;
        seen.add(found);
        next.push(found);
      }
    out.push(...next);
    open = next;
  }
  return out.sort();
}

function importsOf(fs: FileSystem, file: string): Import[] {
  const bytes = glance(fs, file);
  if (!bytes) return [];
  const before = fs.keepsBytes ? known.get(bytes) : undefined;
  if (before) return before;
  const now = [...importsIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))];
  if (fs.keepsBytes) known.set(bytes, now);
  return now;
}

/** More than there is where a text in quotes looks like an import; that costs a look only. */
function* importsIn(text: string): Generator<Import> {
  for (let at = text.indexOf('import'); at >= 0; at = text.indexOf('import', at + 6)) {
    let start = text.lastIndexOf('\n', at) + 1;
    while (start > 1 && /\\\r?$/.test(text.slice(start - 3, start - 1))) start = text.lastIndexOf('\n', start - 2) + 1;
    const before = BEFORE.exec(joined(text.slice(start, at)));
    if (!before) continue;
    const [, isFrom, dots = '', from = ''] = before;
    const names = namesAfter(text, at + 6);
    if (isFrom === undefined) for (const module of names) yield { level: 0, module };
    else {
      const level = dots.replace(/[^.]/g, '').length;
      yield { level, module: from };
      // each may be a module of the package
      for (const name of names) yield { level, module: from ? `${from}.${name}` : name };
    }
  }
}

/** `a.b, c as d`, in parentheses also over several lines. */
function namesAfter(text: string, start: number): string[] {
  const open = /[ \t]*\(/y;
  open.lastIndex = start;
  const end = open.test(text) ? /\)|$/g : /(?<!\\\r?)\n|;|$/g;
  end.lastIndex = start;
  return joined(text.slice(start, end.exec(text)!.index))
    .replace(/#.*/g, '')
    .split(',')
    .map((each) => /^[\s(]*([\p{L}_][\p{L}\p{M}\p{N}_.]*)/u.exec(each)?.[1])
    .filter((name) => name !== undefined);
}

function joined(line: string): string {
  return line.replace(/\\\r?\n/g, ' ');
}
