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
  private open = new Set<string>();
  private readonly given: Naming[] = [];
  private readonly defining: Naming[] = [];

  constructor(private readonly project: Project) {}

  ask(asked: readonly Heirs[]): void {
    for (const { cls, method } of asked)
      for (const c of [cls, ...heirsSoFar(this.project.ev, cls)]) this.want(c.node.name, method);
  }

  private want(name: string, method: string): void {
    const known = this.methods.get(name) ?? new Set<string>();
    this.methods.set(name, known);
    if (known.has(method)) return;
    known.add(method);
    this.open.add(name);
  }

  /** The names of classes that are looked for next. */
  names(): ReadonlySet<string> {
    const names = this.open;
    this.open = new Set();
    return names;
  }

  /** Looks at the files in which one of the names may stand. */
  look(files: readonly string[], names: ReadonlySet<string>): void {
    if (!names.size) return;
    for (const file of files) {
      const text = textOf(this.project, file);
      for (const { name, from } of namings(text, names)) {
        const naming = { file, name, from };
        this.given.push(naming);
        const wanted = [...this.methods.get(from)!];
        if (wanted.some((m) => text.includes(m))) this.defining.push(naming);
        for (const method of wanted) this.want(name, method);
      }
    }
  }

  /** Reads those of some files that define a method of a subclass, with the classes on the way to it. */
  read(files: readonly string[]): void {
    for (let names = this.names(); names.size; names = this.names())
      this.look(filesNaming(this.project, files, names), names);
    for (const file of filesOf(this.defining, this.given)) this.project.graph.file(file);
  }
}

function filesNaming(project: Project, files: readonly string[], names: ReadonlySet<string>): readonly string[] {
  const search = new ByteSearch([...names].map((name) => [name]));
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
