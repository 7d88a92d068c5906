/**
 * Subclasses in files that nothing else leads to: a method called on `self` may be theirs. Found by the text; what has no
 * hand in it is not parsed.
 */
import { type Heirs, heirsSoFar } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { glance } from './glance.ts';
import type { Project } from './project.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`;
/** `class Price(base.Worker, Mixin):`, `import Worker as Base`, `Base = base.Worker`. */
const NAMING = new RegExp(
  String.raw`\bclass\s+(${NAME})\s*(?:\[[^\]]*\]\s*)?\(([^)]*)\)|\b(${NAME})\s+as\s+(${NAME})|^(${NAME})\s*=\s*((?:${NAME}\.)*${NAME})\s*$`,
  'gmu',
);
const WORD = new RegExp(NAME, 'gu');

/** A name that a file gives to a class, or to a subclass of it. */
interface Naming {
  file: string;
  name: string;
  from: string;
}

/** Reads those of some files that define a method of a subclass, with the classes on the way to it. */
export function readHeirs(project: Project, files: readonly string[], asked: readonly Heirs[]): void {
  /** The methods that matter, by the names of classes. */
  const methods = new Map<string, Set<string>>();
  let open = new Set<string>();
  const want = (name: string, method: string): void => {
    const known = methods.get(name) ?? new Set<string>();
    methods.set(name, known);
    if (known.has(method)) return;
    known.add(method);
    open.add(name);
  };
  for (const { cls, method } of asked) for (const c of [cls, ...heirsSoFar(project.ev, cls)]) want(c.node.name, method);
  const given: Naming[] = [];
  const defining: Naming[] = [];
  while (open.size) {
    const names = open;
    open = new Set();
    for (const file of filesNaming(project, files, names)) {
      const text = textOf(project, file);
      for (const { name, from } of namings(text, names)) {
        const naming = { file, name, from };
        given.push(naming);
        const wanted = [...methods.get(from)!];
        if (wanted.some((m) => text.includes(m))) defining.push(naming);
        for (const method of wanted) want(name, method);
      }
    }
  }
  for (const file of filesOf(defining, given)) project.graph.file(file);
}

function filesNaming(project: Project, files: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const words = [...names].map((name) => [name]);
  const search = new ByteSearch(words);
  return project.filesWith(files, `names ${[...names]}`, (bytes) => search.in(bytes));
}

function textOf({ fs }: Project, file: string): string {
  const bytes = glance(fs, file);
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : '';
}

function* namings(text: string, names: ReadonlySet<string>): Generator<Omit<Naming, 'file'>> {
  for (const [, cls, bases = '', imported, as, assigned, value = ''] of text.matchAll(NAMING)) {
    const name = cls ?? as ?? assigned!;
    const from = imported ?? (cls === undefined ? value.slice(value.lastIndexOf('.') + 1) : '');
    if (names.has(from)) yield { name, from };
    for (const [base] of bases.matchAll(WORD)) if (names.has(base)) yield { name, from: base };
  }
}

/** With those that give the names in between. */
function filesOf(defining: readonly Naming[], given: readonly Naming[]): string[] {
  const needed = new Set(defining);
  for (const { from } of needed) for (const n of given) if (n.name === from) needed.add(n);
  return [...new Set([...needed].map((n) => n.file))].sort();
}
