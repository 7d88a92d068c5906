/** What the stages of the analysis share: the graph, the evaluator, the table, and a few questions asked all over. */
import type { FileSystem } from '../io/files.ts';
import type { Range } from '../model/index.ts';
import {
  Evaluator,
  Folder,
  type FunctionInfo,
  type LambdaInfo,
  type Loaded,
  Memory,
  ModuleGraph,
  type ModuleScopes,
  namesIn,
  type Place,
  type Source,
  whereIs,
} from '../semantics/index.ts';
import type { Expr, Node } from '../syntax/index.ts';
import { ByteSearch } from './byte-search.ts';
import { glance } from './glance.ts';
import type { SpawnTable } from './table.ts';
import { WordSieve } from './word-sieve.ts';

export interface ProjectOptions {
  /** Name of the context variable that carries the project id, and `MODULE:NAME` when it is configured. */
  contextVariable: string;
  traceVariable: string;
  /** Name of the helper, trusted only where its definition is out of reach. */
  helper: string;
  importRoots: string[];
}

/** What files are asked about their contents. */
export interface Question {
  /** All that the answer depends on beside the file. */
  id: string;
  /** Can the answer be yes, going by the words that stand in the file? */
  may(file: string, sieve: WordSieve): boolean;
  is(bytes: Uint8Array, file: string): boolean;
}

/** Does one of some lists of words stand in a file, all of its words and none as a part of a longer one? */
export function anyOf(words: readonly (readonly string[])[]): Question {
  const search = new ByteSearch(words, true);
  return {
    id: `any of ${words.join(' ')}`,
    may: (file, sieve) => sieve.mayHold(file, words),
    is: (bytes) => search.in(bytes),
  };
}

export class Project {
  /** What was noted of the files when they were looked at first. */
  readonly sieve = new WordSieve();
  readonly graph: ModuleGraph;
  readonly ev: Evaluator;
  readonly folder: Folder;

  constructor(
    readonly fs: FileSystem,
    readonly table: SpawnTable,
    readonly options: ProjectOptions,
    readonly memory: Memory = new Memory(false),
  ) {
    this.graph = new ModuleGraph(fs, table.roots, options.importRoots, memory);
    this.ev = new Evaluator(this.graph, table, memory);
    this.folder = new Folder(this.ev);
  }

  loaded(file: string): (Loaded & { scopes: ModuleScopes }) | null {
    const got = this.graph.file(file);
    return got && 'scopes' in got ? got : null;
  }

  /** The files whose bytes answer a question with yes, in their order; what cannot be read does not. */
  filesWith(files: readonly string[], question: Question): readonly string[] {
    const holds = (file: string): boolean => {
      if (!question.may(file, this.sieve)) return false;
      const bytes = glance(this.fs, file);
      return bytes !== null && question.is(bytes, file);
    };
    return this.memory.answers.split(this.fs, files, question.id, holds).yes;
  }

  source(m: ModuleScopes): Source {
    return this.loaded(m.file)!.source;
  }

  line(m: ModuleScopes, offset: number): number {
    return this.source(m).lines.position(offset).line;
  }

  range(m: ModuleScopes, start: number, end: number): Range {
    const { lines } = this.source(m);
    const a = lines.position(start);
    const b = lines.position(end);
    return { file: m.file, line: a.line, column: a.column, endLine: b.line, endColumn: b.column, start, end };
  }

  qualifiedName(fn: FunctionInfo | LambdaInfo): string {
    const inside = fn.type === 'lambda' ? lambdaName(fn) : fn.qualname;
    return fn.module.name ? `${fn.module.name}.${inside}` : inside;
  }

  /** An expression with its scope and block. */
  place(m: ModuleScopes, node: Expr): Place {
    return { node, ...whereIs(m, node) };
  }

  /** The qualified names outside the project that an expression may be. */
  namesOf(m: ModuleScopes, node: Expr): string[] {
    return namesIn(this.ev.valueAt(this.place(m, node)));
  }

  text(m: ModuleScopes, node: { start: number; end: number }): string {
    return m.text.slice(node.start, node.end);
  }
}

/** A lambda is named after what it is assigned to. */
function lambdaName(fn: LambdaInfo): string {
  const p = fn.node.parent;
  const target =
    p?.kind === 'Assign' ? p.targets[0] : p?.kind === 'AnnAssign' || p?.kind === 'NamedExpr' ? p.target : null;
  const name = target && dottedName(target);
  return name ? fn.qualname.replace(/<lambda>$/, name) : fn.qualname;
}

/** An expression's extent with its redundant parentheses. */
export function outerExtent(n: Node): { start: number; end: number } {
  const outer = (n as { outer?: { start: number; end: number } }).outer;
  return outer ? { start: outer.start, end: outer.end } : { start: n.start, end: n.end };
}

/** `a.b.c` for a chain of names; null for anything else. */
export function dottedName(n: Node): string | null {
  const parts: string[] = [];
  let x: Node = n;
  while (x.kind === 'Attribute') {
    parts.push(x.attr);
    x = x.value;
  }
  if (x.kind !== 'Name') return null;
  parts.push(x.id);
  return parts.reverse().join('.');
}
