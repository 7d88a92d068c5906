/** What other modules set a variable of a module to: `hooks.handler = run`. */
import { isTestFile } from '../model/test-file.ts';
import { assigned, isModule, modulesStoring } from './attribute-stores.ts';
import type { Evaluator } from './evaluate.ts';
import type { Binding } from './scopes.ts';
import { add, type Value, type Values } from './values.ts';

/** What a variable holds, with what others set it to once all modules are read; `own` where nobody can tell the difference. */
export function orSetByOthers(ev: Evaluator, { scope, name }: Binding, own: Values): Values {
  if (scope.kind !== 'module' || ![...own.values()].some(({ value }) => MAY_BE_CALLED.has(value.k))) return own;
  const home = scope.module;
  ev.shared.touch(home, name);
  if (!ev.shared.complete) return own;
  const out: Values = new Map(own);
  for (const m of modulesStoring(ev.graph, name)) {
    // tests replace things in passing
    if (m === home || (isTestFile(m.file) && !isTestFile(home.file))) continue;
    for (const store of m.attributeStores.get(name)!)
      if (isModule(ev, { ...store, node: store.object }, home))
        for (const { value, proof } of assigned(ev, store).values()) if (proof !== 'cycle') add(out, value, 'stored');
  }
  return out;
}

/** What is called sooner or later, or stands for it until it is set. */
const MAY_BE_CALLED: ReadonlySet<Value['k']> = new Set(['function', 'lambda', 'partial', 'none']);
