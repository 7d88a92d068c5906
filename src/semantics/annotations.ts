/** What a type annotation says of a value: an event loop, a task group, an instance of a project class. */
import type { Expr, Node } from '../syntax/index.ts';
import { PythonSyntaxError, parseModule } from '../syntax/index.ts';
import type { Evaluator } from './evaluate.ts';
import type { Block, Scope } from './scopes.ts';
import { only, type Values } from './values.ts';

/** null when the annotation says nothing that matters here. */
export function annotationValue(ev: Evaluator, annotation: Expr, scope: Scope, block: Block): Values | null {
  switch (annotation.kind) {
    case 'Constant': {
      if (annotation.type !== 'str') return null;
      const inner = parseExpressionText(String(annotation.value).trim());
      return inner ? annotationValue(ev, atEnd(inner), scope, block) : null;
    }
    case 'BinOp':
      if (annotation.op !== '|') return null;
      return annotationValue(ev, annotation.left, scope, block) ?? annotationValue(ev, annotation.right, scope, block);
    case 'Subscript': {
      const head = annotation.value;
      const name = head.kind === 'Name' ? head.id : head.kind === 'Attribute' ? head.attr : '';
      if (name === 'Optional' || name === 'Annotated' || name === 'Final' || name === 'ClassVar') {
        const slice = annotation.slice.kind === 'Tuple' ? annotation.slice.elts[0] : annotation.slice;
        return slice ? annotationValue(ev, slice, scope, block) : null;
      }
      if (name === 'Union') {
        const all = annotation.slice.kind === 'Tuple' ? annotation.slice.elts : [annotation.slice];
        for (const a of all) {
          const got = annotationValue(ev, a, scope, block);
          if (got) return got;
        }
      }
      return null;
    }
    case 'Name':
    case 'Attribute':
      return typeValue(ev, annotation, scope, block);
    default:
      return null;
  }
}

function typeValue(ev: Evaluator, type: Expr, scope: Scope, block: Block): Values | null {
  for (const { value } of ev.value(type, scope, block).values()) {
    if (value.k === 'name') {
      const kind = ev.table.types.get(value.q);
      if (kind) return only({ k: 'name', q: kind }, 'annotation');
    }
    if (value.k === 'class') return only({ k: 'instance', cls: value.cls, call: null, viaSelf: true }, 'annotation');
  }
  return null;
}

/** A quoted annotation is read when the whole module is there: every name counts as used at its end. */
function atEnd(root: Expr): Expr {
  const stack: Node[] = [root];
  while (stack.length) {
    const n = stack.pop()!;
    n.start = Number.MAX_SAFE_INTEGER;
    if (n.kind === 'Attribute') stack.push(n.value);
    if (n.kind === 'BinOp') stack.push(n.left, n.right);
    if (n.kind === 'Subscript') stack.push(n.value, n.slice);
  }
  return root;
}

function parseExpressionText(text: string): Expr | null {
  try {
    const [first] = parseModule(`(${text}\n)`).body;
    return first?.kind === 'ExprStmt' ? first.value : null;
  } catch (e) {
    if (e instanceof PythonSyntaxError) return null;
    throw e;
  }
}
