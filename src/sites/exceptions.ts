/** Which of Python's own exceptions is which: what a clause takes, as far as names tell. */
import { type ClassInfo, lineage, type ModuleScopes, type Place } from '../semantics/index.ts';
import type { Expr, With } from '../syntax/index.ts';
import { dottedName, type Project } from './project.ts';

/** Each with its base, two where it has two. */
const BASES = parse(`
  BaseException: Exception BaseExceptionGroup GeneratorExit KeyboardInterrupt SystemExit CancelledError
  Exception: ArithmeticError AssertionError AttributeError BufferError EOFError ImportError LookupError MemoryError NameError
  Exception: OSError ReferenceError RuntimeError StopAsyncIteration StopIteration SyntaxError SystemError TypeError ValueError Warning
  Exception BaseExceptionGroup: ExceptionGroup
  ArithmeticError: FloatingPointError OverflowError ZeroDivisionError
  ImportError: ModuleNotFoundError
  LookupError: IndexError KeyError
  NameError: UnboundLocalError
  OSError: BlockingIOError ChildProcessError ConnectionError FileExistsError FileNotFoundError InterruptedError IsADirectoryError
  OSError: NotADirectoryError PermissionError ProcessLookupError TimeoutError
  ConnectionError: BrokenPipeError ConnectionAbortedError ConnectionRefusedError ConnectionResetError
  RuntimeError: NotImplementedError RecursionError
  SyntaxError: IndentationError
  IndentationError: TabError
  ValueError: UnicodeError
  UnicodeError: UnicodeDecodeError UnicodeEncodeError UnicodeTranslateError
`);

/** Other names of the same. */
const ALIASES = new Map([
  ['EnvironmentError', 'OSError'],
  ['IOError', 'OSError'],
]);

function parse(table: string): ReadonlyMap<string, readonly string[]> {
  const bases = new Map<string, readonly string[]>([['BaseException', []]]);
  for (const line of table.trim().split('\n')) {
    const [above, below] = line.trim().split(': ') as [string, string];
    for (const name of below.split(' ')) bases.set(name, above.split(' '));
  }
  return bases;
}

/** A class with all that is above it. */
interface Lineage {
  own: string | ClassInfo;
  above: ReadonlySet<string | ClassInfo>;
  /** Is all of it known? */
  whole: boolean;
}

/** What the clauses of one module take. */
export class Exceptions {
  constructor(
    private readonly project: Project,
    private readonly module: ModuleScopes,
  ) {}

  /**
   * Does a clause of these classes take what is raised? Null when that depends on classes that are not known.
   * @param clause a class or a tuple of them; null takes everything
   */
  takes(clause: Expr | null, raised: Expr | null): boolean | null {
    if (!clause) return true;
    const classes = clause.kind === 'Tuple' ? clause.elts : [clause];
    const thrown = this.lineageOf(raised?.kind === 'Call' ? raised.func : raised);
    const answers = classes.map((each) => {
      const taken = this.lineageOf(each)?.own;
      if (taken === 'BaseException') return true;
      if (!taken || !thrown) return null;
      return thrown.above.has(taken) ? true : thrown.whole ? false : null;
    });
    return answers.includes(true) ? true : answers.includes(null) ? null : false;
  }

  /** Does a `contextlib.suppress(…)` among the managers of a block swallow it, for all that is known? */
  suppressed(raised: Expr | null, block: With): boolean {
    return block.items.some(({ contextExpr: e }) => {
      if (e.kind !== 'Call' || !this.project.namesOf(this.module, e.func).includes('contextlib.suppress')) return false;
      return e.args.some((each) => this.takes(each, raised) !== false);
    });
  }

  private lineageOf(e: Expr | null): Lineage | null {
    const found = e && this.classOf(this.project.place(this.module, e));
    if (!found) return null;
    return typeof found === 'string' ? { own: found, above: above(found), whole: true } : this.ofProject(found);
  }

  /** A class of the project, or the name of one of Python's own; null when it is not certain. */
  private classOf(place: Place): ClassInfo | string | null {
    const values = [...this.project.ev.valueAt(place).values()];
    if (values.length !== 1) return null;
    const { value } = values[0]!;
    if (value.k === 'class' || value.k === 'instance') return value.cls;
    return value.k === 'name' ? ownName(value.q) : value.k === 'unknown' ? ownName(dottedName(place.node) ?? '') : null;
  }

  private ofProject(own: ClassInfo): Lineage {
    const all = new Set<string | ClassInfo>(lineage(this.project.ev, own));
    let whole = true;
    for (const cls of all) {
      if (typeof cls === 'string') continue;
      for (const node of cls.node.bases) {
        const base = this.classOf({ ...cls.module.scopeOf.get(cls.node)!, node });
        if (typeof base === 'string') for (const each of above(base)) all.add(each);
        else if (!base || !all.has(base)) whole = false;
      }
    }
    return { own, above: all, whole };
  }
}

/** The name of one of Python's own exceptions. */
function ownName(name: string): string | null {
  const short = name.replace(/^(asyncio|builtins)\./, '');
  const own = ALIASES.get(short) ?? short;
  return BASES.has(own) ? own : null;
}

function above(name: string): Set<string> {
  return new Set([name, ...BASES.get(name)!.flatMap((base) => [...above(base)])]);
}
