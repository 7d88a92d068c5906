/** Calls and loads of an expression, and the scopes that lambdas and comprehensions make in it. */
import { type Comprehension, childrenOf, type Expr, type Lambda, type Node } from '../syntax/index.ts';
import type { Collector, NewBinding } from './collect.ts';
import { bindParams } from './definitions.ts';
import { allArgs, codeScope, type LambdaInfo, scopePath } from './scopes.ts';
import { bindBySetattr, bindTarget } from './unpacking.ts';

type Comp = Extract<Expr, { kind: 'ListComp' | 'SetComp' | 'DictComp' | 'GeneratorExp' }>;

export function expression(c: Collector, root: Node): void {
  // an explicit stack: a chain of operators may nest tens of thousands deep
  const stack: Node[] = [root];
  while (stack.length) {
    const n = stack.pop()!;
    switch (n.kind) {
      case 'Lambda':
        lambda(c, n);
        continue;
      case 'ListComp':
      case 'SetComp':
      case 'DictComp':
      case 'GeneratorExp':
        comprehension(c, n);
        continue;
      case 'NamedExpr':
        namedExpr(c, n);
        continue;
      case 'Call':
        c.module.calls.push({ node: n, scope: c.scope, block: c.block });
        bindBySetattr(c, n);
        break;
      case 'Name':
        if (n.ctx === 'load') c.module.loads.push({ node: n, scope: c.scope, block: c.block });
        continue;
      case 'Constant':
        continue;
      case 'Attribute':
        if (n.ctx !== 'store') c.module.loads.push({ node: n, scope: c.scope, block: c.block });
        stack.push(n.value);
        continue;
    }
    const children = childrenOf(n);
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
}

function lambda(c: Collector, n: Lambda): void {
  for (const { arg } of allArgs(n.args)) if (arg.default) c.expr(arg.default);
  const scope = c.makeScope('lambda', c.scope, n, c.child(), '<lambda>');
  const info: LambdaInfo = {
    type: 'lambda',
    node: n,
    module: c.module,
    scope,
    outer: c.scope,
    qualname: scopePath(scope),
  };
  c.module.lambdas.push(info);
  c.module.lambdaOf.set(n, info);
  c.module.scopeOf.set(n, { scope, block: scope.root });
  bindParams(c, n.args, info, scope);
  c.within(scope, () => c.expr(n.body));
}

function comprehension(c: Collector, n: Comp): void {
  const first = n.generators[0]!;
  c.expr(first.iter);
  const scope = c.makeScope('comprehension', c.scope, n, c.block, '');
  c.module.scopeOf.set(n, { scope, block: c.block });
  const saved = c.scope;
  c.scope = scope;
  n.generators.forEach((g: Comprehension, i) => {
    if (i) c.expr(g.iter);
    const iter = g.iter;
    const kind = g.isAsync ? 'async for' : 'for';
    const iterScope = i ? scope : saved;
    bindTarget(c, g.target, (name, path) => ({ kind, name, iter, path, iterScope }) as NewBinding, null);
    for (const test of g.ifs) c.expr(test);
  });
  if (n.kind === 'DictComp') {
    c.expr(n.key);
    c.expr(n.value);
  } else c.expr(n.elt);
  c.scope = saved;
}

function namedExpr(c: Collector, n: Extract<Expr, { kind: 'NamedExpr' }>): void {
  c.expr(n.value);
  const saved = c.scope;
  const owner = codeScope(c.scope);
  c.scope = owner;
  c.after(n.end, () =>
    c.bind({ kind: 'assign', name: n.target.id, value: n.value, path: [], walrus: true }, n.target.start),
  );
  c.scope = saved;
}
