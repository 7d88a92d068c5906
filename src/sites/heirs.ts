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

export class HeirSearch {
  /** The methods that matter, by the names of classes. */
  private readonly methods = new Map<string, Set<string>>();
  /** Classes that are asked for, and their subclasses, which nobody has looked for yet. */
  private asked = new Set<string>();
  private derived = new Set<string>();
  /** Files in which one of the methods may stand: further subclasses are looked for in these alone. */
  private readonly holding = new Set<string>();
  private readonly given: Naming[] = [];
  private readonly defining: Naming[] = [];

  constructor(private readonly project: Project) {}

  ask(heirs: readonly Heirs[]): void {
    for (const { cls, method } of heirs)
      for (const c of [cls, ...heirsSoFar(this.project.ev, cls)]) this.want(c.node.name, method, this.asked);
  }

  private want(name: string, method: string, open: Set<string>): void {
    const known = this.methods.get(name) ?? new Set<string>();
    this.methods.set(name, known);
    if (known.has(method)) return;
    known.add(method);
    open.add(name);
  }

  /** One of these stands in a file that has a part in it. */
  words(): string[] {
    return [...new Set([...this.asked].flatMap((name) => [name, ...this.methods.get(name)!]))];
  }

  /** Looks at all files in which one of the words stands. */
  look(files: readonly string[]): void {
    const names = this.asked;
    if (!names.size) return;
    this.asked = new Set();
    const methods = searchFor([...names].flatMap((name) => [...this.methods.get(name)!]));
    this.lookFor(names, files, (file, bytes) => {
      if (methods.in(bytes)) this.holding.add(file);
    });
  }

  private lookFor(
    names: ReadonlySet<string>,
    files: Iterable<string>,
    see: (file: string, bytes: Uint8Array) => void = () => {},
  ): void {
    const search = searchFor(names);
    for (const file of files) {
      const bytes = glance(this.project.fs, file);
      if (!bytes) continue;
      see(file, bytes);
      if (search.in(bytes)) this.named(file, names, textOf(bytes));
    }
  }

  private named(file: string, names: ReadonlySet<string>, text: string): void {
    for (const { name, from } of namings(text, names)) {
      const naming = { file, name, from };
      this.given.push(naming);
      const wanted = [...this.methods.get(from)!];
      if (wanted.some((m) => text.includes(m))) this.defining.push(naming);
      for (const method of wanted) this.want(name, method, this.derived);
    }
  }

  /** Reads those of some files that define a method of a subclass, with the classes on the way to it. */
  read(files: readonly string[]): void {
    const words = this.words();
    const search = searchFor(words);
    if (words.length) this.look(this.project.filesWith(files, `any of ${words}`, (bytes) => search.in(bytes)));
    while (this.derived.size) {
      const names = this.derived;
      this.derived = new Set();
      this.lookFor(names, this.holding);
    }
    for (const file of filesOf(this.defining, this.given)) this.project.graph.file(file);
  }
}

function searchFor(words: Iterable<string>): ByteSearch {
  return new ByteSearch([...words].map((word) => [word]));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
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
