/**
 * Subclasses in files that nothing else leads to: a method called on `self` may be theirs. Found by the text; what has no
 * hand in it is not parsed.
 */
import { type Heirs, heirsSoFar, push } from '../semantics/index.ts';
import { ByteSearch } from './byte-search.ts';
import { glance } from './glance.ts';
import type { Project, Question } from './project.ts';

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`;
/** `class Price(base.Worker, Mixin):` */
const CLASS = new RegExp(String.raw`^[ \t\f]*class[ \t]+(${NAME})\s*(?:\[[^\]]*\]\s*)?\(([^)]*)\)`, 'gmu');
/** `Base = base.Worker` */
const ASSIGNED = new RegExp(String.raw`^(${NAME})[ \t]*=[ \t]*((?:${NAME}\.)*${NAME})[ \t\r]*$`, 'gmu');
/** `import Worker as Base`, the name before it aside. */
const AS = new RegExp(String.raw`[ \t]as[ \t]+(${NAME})`, 'gu');
const LAST_WORD = new RegExp(`${NAME}$`, 'u');
const WORD = new RegExp(NAME, 'gu');

/** A name that is given to a class, or to a subclass of it. */
interface Named {
  name: string;
  from: string;
}

interface Naming extends Named {
  file: string;
}

export class HeirSearch {
  /** The methods that matter, by the names of classes. */
  private readonly methods = new Map<string, Set<string>>();
  /** Classes that are asked for, and that no file was looked at for. */
  private asked = new Set<string>();
  private readonly seen = new Set<string>();
  private readonly namings = new Map<string, Naming[]>();

  constructor(private readonly project: Project) {}

  ask(heirs: readonly Heirs[]): void {
    for (const { cls, method } of heirs)
      for (const c of [cls, ...heirsSoFar(this.project.ev, cls)])
        if (this.want(c.node.name, method)) this.asked.add(c.node.name);
  }

  /** Is that new? */
  private want(name: string, method: string): boolean {
    const known = this.methods.get(name) ?? new Set<string>();
    this.methods.set(name, known);
    return known.size < known.add(method).size;
  }

  /** One of these stands in a file that has a part in it. */
  words(): string[] {
    return [...new Set([...this.asked].flatMap((name) => [name, ...this.methods.get(name)!]))];
  }

  /** Takes down what files in which one of the words stands call their classes. */
  look(files: readonly string[]): void {
    if (!this.asked.size) return;
    this.asked = new Set();
    for (const file of files) {
      if (this.seen.has(file)) continue;
      this.seen.add(file);
      for (const { name, from } of namingsOf(this.project, file)) push(this.namings, from, { file, name, from });
    }
  }

  /** Reads those of some files that define a method of a subclass, with the classes on the way to it. */
  read(files: readonly string[]): void {
    const words = this.words();
    if (words.length) this.look(this.project.filesWith(files, anyOf(words)));
    const given = new Set<Naming>();
    const open = [...this.methods].flatMap(([name, methods]) => [...methods].map((method) => ({ name, method })));
    // subclasses are asked for what their bases are asked for
    for (const { name, method } of open)
      for (const naming of this.namings.get(name) ?? []) {
        given.add(naming);
        if (this.want(naming.name, method)) open.push({ name: naming.name, method });
      }
    for (const file of filesOf(this.defining(given), given)) this.project.graph.file(file);
  }

  /** Those in whose files one of the methods stands: names spread to most files, and each is asked for a method once. */
  private defining(given: Iterable<Naming>): Naming[] {
    const asked = new Map<string, Naming[]>();
    for (const naming of given) for (const method of this.methods.get(naming.from)!) push(asked, method, naming);
    const out = new Set<Naming>();
    for (const [method, namings] of asked) {
      const files = [...new Set(namings.map(({ file }) => file))];
      const holding = new Set(this.project.filesWith(files, anyOf([method])));
      for (const naming of namings) if (holding.has(naming.file)) out.add(naming);
    }
    return [...out];
  }
}

function anyOf(words: readonly string[]): Question {
  const each = words.map((word) => [word]);
  const search = new ByteSearch(each, true);
  return { id: `any of ${words}`, may: (file, sieve) => sieve.mayHold(file, each), is: (bytes) => search.in(bytes) };
}

/** For a process that stays. */
const known = new WeakMap<Uint8Array, readonly Named[]>();

function namingsOf({ fs }: Project, file: string): readonly Named[] {
  const bytes = glance(fs, file);
  if (!bytes) return [];
  const found = (fs.keepsBytes ? known.get(bytes) : undefined) ?? [...namings(textOf(bytes))];
  if (fs.keepsBytes) known.set(bytes, found);
  return found;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function* namings(text: string): Generator<Named> {
  for (const [, name, bases] of text.matchAll(CLASS))
    for (const [from] of bases!.matchAll(WORD)) yield { name: name!, from };
  for (const [, name, value] of text.matchAll(ASSIGNED))
    yield { name: name!, from: value!.slice(value!.lastIndexOf('.') + 1) };
  for (const { 1: name, index } of text.matchAll(AS)) {
    const from = LAST_WORD.exec(text.slice(Math.max(0, index - 80), index).trimEnd())?.[0];
    if (from !== undefined) yield { name: name!, from };
  }
}

/** With those that give the names in between. */
function filesOf(defining: readonly Naming[], given: ReadonlySet<Naming>): string[] {
  const byName = new Map<string, Naming[]>();
  for (const naming of given) push(byName, naming.name, naming);
  const needed = new Set(defining);
  for (const { from } of needed) for (const naming of byName.get(from) ?? []) needed.add(naming);
  return [...new Set([...needed].map((n) => n.file))].sort();
}
