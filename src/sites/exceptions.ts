/** Which of Python's own exceptions is which: what a clause takes, as far as names tell. */
import type { Expr } from '../syntax/index.ts';
import { dottedName } from './project.ts';

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

/**
 * Does a clause of these classes take what is raised? Null when that depends on classes that are not Python's own.
 * @param clause a class or a tuple of them; null takes everything
 */
export function takes(clause: Expr | null, raised: Expr | null): boolean | null {
  if (!clause) return true;
  const classes = clause.kind === 'Tuple' ? clause.elts : [clause];
  const thrown = known(raised?.kind === 'Call' ? raised.func : raised);
  const answers = classes.map((each) => {
    const taken = known(each);
    if (taken === 'BaseException') return true;
    return taken && thrown ? isA(thrown, taken) : null;
  });
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

function known(e: Expr | null): string | null {
  const name = e && (dottedName(e) ?? '').replace(/^(asyncio|builtins)\./, '');
  const own = name && (ALIASES.get(name) ?? name);
  return own && BASES.has(own) ? own : null;
}

function isA(name: string, base: string): boolean {
  return name === base || BASES.get(name)!.some((above) => isA(above, base));
}
