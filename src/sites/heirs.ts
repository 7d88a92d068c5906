/**
 * Subclasses in files that nothing else leads to: a method called on `self` may be theirs. Found by the text; what has no
 * hand in it is not parsed.
 */
import { tail } from '../model/identifier.ts';
import { type Heirs, heirsSoFar, push } from '../semantics/index.ts';
import { glance } from './glance.ts';
import { anyOf, type Project } from './project.ts';

/** More bytes than a dotted name has. */
const LONGEST = 240;
/** In a text of one character a byte, which is searched in half the time: what is no ASCII counts as a letter. */
const NAME = String.raw`[A-Za-z_\x80-\xff][\w\x80-\xff]*`;

const PATTERNS = {
  /** `class Price(base.Worker, Mixin):` */
  classes: new RegExp(String.raw`^[ \t\f]*class[ \t]+(${NAME})[ \t\f\r\n\\]*(?:\[[^\]]*\]\s*)?\(([^)]*)\)`, 'gm'),
  /** `Base = base.Worker`, with its annotation or a comment behind it. */
  assigned: new RegExp(String.raw`^(${NAME})[ \t]*(?::[^=\n]*)?=[ \t]*((?:${NAME}\.)*${NAME})[ \t\r]*(?:#.*)?$`, 'gm'),
  /** `import Worker as Base`, in a list of them too; neither `except` nor prose. */
  as: new RegExp(String.raw`[ \t]as[ \t]+(${NAME})[ \t\r]*(?:[,)#;\\]|$)`, 'gm'),
  /** What stands before that, at the end of a text; to begin with `as` is faster. */
  before: new RegExp(String.raw`(?:^|import|[,(\r\n])[ \t]*((?:${NAME}\.)*${NAME})[ \t]*$`),
  word: new RegExp(NAME, 'g'),
  /** `Generic[Item]`, `metaclass=Meta`: what stands there is no base. */
  noBase: new RegExp(String.raw`\[[^\[\]]*\]|${NAME}[ \t]*=[ \t]*(?:${NAME}\.)*${NAME}`, 'g'),
};

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

  /** One of the words stands in each of these files. */
  look(files: readonly string[]): void {
    if (!this.asked.size) return;
    this.asked = new Set();
    for (const file of files) this.seen.add(file);
  }

  /** Reads those of some files that define a method of a subclass, with the classes on the way to it. */
  read(files: readonly string[]): void {
    const words = this.words();
    if (words.length) this.look(this.project.filesWith(files, anyOf(words.map((word) => [word]))));
    const namings = this.namings();
    const given = new Set<Naming>();
    const open = [...this.methods].flatMap(([name, methods]) => [...methods].map((method) => ({ name, method })));
    // subclasses are asked for what their bases are asked for
    for (const { name, method } of open)
      for (const naming of namings.get(name) ?? []) {
        given.add(naming);
        if (this.want(naming.name, method)) open.push({ name: naming.name, method });
      }
    for (const file of filesOf(this.defining(given), given)) this.project.graph.file(file);
  }

  /** What the files call their classes, by what these are made from; the very same as long as they do. */
  private namings(): Map<string, Naming[]> {
    const each = [...this.seen].map((file) => namingsOf(this.project, file)).filter((list) => list.length);
    return this.project.memory.recall('namings', each, () => {
      const out = new Map<string, Naming[]>();
      for (const naming of each.flat()) push(out, naming.from, naming);
      return out;
    });
  }

  /** Those in whose files one of the methods stands: names spread to most files, and each is asked for a method once. */
  private defining(given: Iterable<Naming>): Naming[] {
    const asked = new Map<string, Naming[]>();
    for (const naming of given) for (const method of this.methods.get(naming.from)!) push(asked, method, naming);
    const out = new Set<Naming>();
    for (const [method, namings] of asked) {
      const files = [...new Set(namings.map(({ file }) => file))];
      const holding = new Set(this.project.filesWith(files, anyOf([[method]])));
      for (const naming of namings) if (holding.has(naming.file)) out.add(naming);
    }
    return [...out];
  }
}

/** For a process that stays. */
const known = new WeakMap<Uint8Array, readonly Naming[]>();

function namingsOf({ fs, memory }: Project, file: string): readonly Naming[] {
  const bytes = glance(fs, file);
  if (!bytes) return [];
  if (!fs.keepsBytes) return taken(bytes, file);
  const before = known.get(bytes);
  if (before) return before;
  const found = taken(bytes, file);
  // an edit seldom changes them
  const now = memory.recall(`namings of ${file}`, [JSON.stringify(found)], () => found);
  known.set(bytes, now);
  return now;
}

function taken(bytes: Uint8Array, file: string): Naming[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return [...namings(text)].map(({ name, from }) => ({ name: decoded(name), from: decoded(from), file }));
}

/** A string of its own: a part of the file's text would keep all of it. */
function decoded(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function* namings(text: string): Generator<Named> {
  const { classes, assigned, as, before, word, noBase } = PATTERNS;
  for (const [, name, bases] of text.matchAll(classes))
    for (const [from] of bases!.replace(noBase, '').matchAll(word)) yield { name: name!, from };
  for (const [, name, value] of text.matchAll(assigned)) yield { name: name!, from: tail(value!) };
  for (const { 1: name, index } of text.matchAll(as)) {
    const value = before.exec(text.slice(Math.max(0, index - LONGEST), index))?.[1];
    if (value !== undefined) yield { name: name!, from: tail(value) };
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
