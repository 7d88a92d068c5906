import { createHash } from 'node:crypto';
import type { Arg, Arguments, Constant, FormattedValue, Node } from '../../src/syntax/index.ts';

type Item = Node | string | number | boolean | null | Item[];

/** Fields in the order of dump_ast.py; the first word is CPython's name of the kind. */
const FIELDS: Partial<Record<Node['kind'], string>> = {
  Module: 'Module body',
  Return: 'Return value',
  Delete: 'Delete targets',
  Assign: 'Assign targets value',
  AugAssign: 'AugAssign target op value',
  AnnAssign: 'AnnAssign target annotation value',
  TypeAlias: 'TypeAlias name typeParams value',
  While: 'While test body orelse',
  If: 'If test body orelse',
  Match: 'Match subject cases',
  Raise: 'Raise exc cause',
  Assert: 'Assert test msg',
  Import: 'Import names',
  ImportFrom: 'ImportFrom module level names',
  Global: 'Global names',
  Nonlocal: 'Nonlocal names',
  ExprStmt: 'Expr value',
  Pass: 'Pass',
  Break: 'Break',
  Continue: 'Continue',
  BoolOp: 'BoolOp op values',
  NamedExpr: 'NamedExpr target value',
  BinOp: 'BinOp left op right',
  UnaryOp: 'UnaryOp op operand',
  Lambda: 'Lambda args body',
  IfExp: 'IfExp test body orelse',
  Dict: 'Dict keys values',
  Set: 'Set elts',
  ListComp: 'ListComp elt generators',
  SetComp: 'SetComp elt generators',
  DictComp: 'DictComp key value generators',
  GeneratorExp: 'GeneratorExp elt generators',
  Await: 'Await value',
  Yield: 'Yield value',
  YieldFrom: 'YieldFrom value',
  Compare: 'Compare left ops comparators',
  Call: 'Call func args keywords',
  Attribute: 'Attribute value attr ctx',
  Subscript: 'Subscript value slice ctx',
  Starred: 'Starred value ctx',
  Name: 'Name id ctx',
  List: 'List elts ctx',
  Tuple: 'Tuple elts ctx',
  Slice: 'Slice lower upper step',
  ClassDef: 'ClassDef name typeParams bases keywords body decorators',
  ExceptHandler: 'ExceptHandler type name body',
  Alias: 'alias name asname',
  Keyword: 'keyword arg value',
  WithItem: 'withitem contextExpr optionalVars',
  MatchCase: 'match_case pattern guard body',
  MatchValue: 'MatchValue value',
  MatchSequence: 'MatchSequence patterns',
  MatchMapping: 'MatchMapping keys patterns rest',
  MatchClass: 'MatchClass cls patterns kwdAttrs kwdPatterns',
  MatchStar: 'MatchStar name',
  MatchAs: 'MatchAs pattern name',
  MatchOr: 'MatchOr patterns',
  TypeParam: 'TypeParam name bound default',
  Comprehension: 'comprehension isAsync target iter ifs',
  FunctionDef: 'FunctionDef name typeParams args returns body decorators',
  For: 'For target iter body orelse',
  With: 'With items body',
  Try: 'Try body handlers orelse finalbody',
};

const FIELD_LISTS = new Map(Object.entries(FIELDS).map(([kind, fields]) => [kind, fields.split(' ')]));
const WITHOUT_POSITION = new Set(['Module', 'WithItem', 'MatchCase', 'Comprehension']);

function md5(text: string): string {
  return createHash('md5').update(Buffer.from(text, 'utf16le')).digest('hex');
}

/** Digest of a dump, as dump_ast.py takes it. */
export function digest(dump: string): string {
  return createHash('md5').update(dump).digest('hex');
}

class Dumper {
  readonly out: string[] = [];
  private withPositions = true;
  private readonly text: string;
  private readonly exactFields: boolean;

  constructor(text: string, exactFields: boolean) {
    this.text = text;
    this.exactFields = exactFields;
  }

  private span(node: Node): string {
    return this.withPositions && !WITHOUT_POSITION.has(node.kind) ? `:${node.start}:${node.end}` : '';
  }

  item(item: Item): void {
    if (item === null) this.out.push('~');
    else if (Array.isArray(item)) {
      this.out.push('[');
      for (const each of item) this.item(each);
      this.out.push(']');
    } else if (typeof item === 'object') this.node(item);
    else if (typeof item === 'boolean') this.out.push(item ? '1' : '0');
    else this.out.push(String(item));
  }

  node(node: Node): void {
    switch (node.kind) {
      case 'Constant':
        this.out.push(`(Constant${this.span(node)} ${this.isNamed(node) ? 'str named' : constantText(node)})`);
        return;
      case 'MatchSingleton':
        this.out.push(
          `(MatchSingleton${this.span(node)} ${{ null: 'None', true: 'True', false: 'False' }[`${node.value}`]})`,
        );
        return;
      case 'JoinedStr': {
        this.out.push(`(JoinedStr${this.span(node)}`);
        const before = this.withPositions;
        this.withPositions = before && this.exactFields;
        this.fields(node.values);
        this.withPositions = before;
        this.out.push(')');
        return;
      }
      case 'Arguments':
        this.parameters(node);
        return;
      default:
        this.plain(node);
    }
  }

  private isNamed(node: Constant): boolean {
    return this.withPositions && node.type === 'str' && this.text.slice(node.start, node.end).includes('\\N{');
  }

  private plain(node: Node): void {
    const [name, ...fields] = FIELD_LISTS.get(node.kind)!;
    const record = node as unknown as Record<string, Item>;
    let kind = name!;
    if (record.isAsync === true && node.kind !== 'Comprehension') kind = `Async${kind}`;
    if (node.kind === 'Try' && node.isStar) kind = 'TryStar';
    if (node.kind === 'TypeParam') kind = node.variety;
    this.out.push(`(${kind}${this.span(node)}`);
    for (const field of fields) {
      if (field !== 'bound' || kind === 'TypeVar') this.item(record[field]!);
    }
    this.out.push(')');
  }

  private fields(values: FormattedValue[]): void {
    this.out.push('[');
    for (const value of values) {
      this.out.push(`(FormattedValue${this.span(value)}`);
      this.item(value.value);
      this.out.push(value.conversion ?? '~');
      this.fields(value.specValues);
      this.out.push(')');
    }
    this.out.push(']');
  }

  private parameters(node: Arguments): void {
    this.out.push(`(arguments ${node.posonly.length}`);
    for (const arg of [...node.posonly, ...node.args, node.vararg, ...node.kwonly, node.kwarg]) this.arg(arg);
    this.out.push(')');
  }

  private arg(arg: Arg | null): void {
    if (!arg) {
      this.out.push('~');
      return;
    }
    this.out.push(`(arg${this.span(arg)} ${arg.arg}`);
    this.item(arg.annotation);
    this.item(arg.default);
    this.out.push(')');
  }
}

function constantText(node: Constant): string {
  const { type, value } = node;
  if (type === 'str' || type === 'bytes') return `${type} ${md5(String(value)).slice(0, 8)}`;
  if (type === 'bool') return `bool ${value ? 1 : 0}`;
  if (type !== 'int' && type !== 'float') return type;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(Number(value));
  return `${type} ${bytes.toString('hex')}`;
}

/**
 * A canonical dump of a tree: one token a line, kinds with UTF-16 spans.
 *
 * @param exactFields - false for a reference older than 3.12, whose positions inside f-strings are wrong.
 */
export function dump(root: Node, text: string, exactFields: boolean): string {
  const dumper = new Dumper(text, exactFields);
  dumper.node(root);
  return dumper.out.join('\n');
}
