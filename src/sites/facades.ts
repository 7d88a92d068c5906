/** Other modules under whose name a wrapper is had: `from .core import start` in a package that others import it from. */
import { type Binding, type FunctionInfo, type ModuleGraph, type ModuleScopes, perModule } from '../semantics/index.ts';

/** Names by the module that gives them to others. */
type Exports = Map<ModuleScopes, Set<string>>;

/** The words of callers that have one of the functions from one of the modules, which hands it on. */
export function facadeWords(
  graph: ModuleGraph,
  modules: readonly ModuleScopes[],
  asked: readonly FunctionInfo[],
): string[][] {
  const own: Exports = new Map();
  for (const fn of asked) add(own, fn.module, fn.cls?.node.name ?? fn.node.name);
  const handed: Exports = new Map();
  const known: Exports = new Map([...own].map(([m, names]) => [m, new Set(names)]));
  const names = new Set([...own.values()].flatMap((of) => [...of]));
  for (let found = true; found; ) {
    found = false;
    for (const m of modules)
      for (const name of handedOn(graph, m, known, names)) {
        if (!add(known, m, name)) continue;
        names.add(name);
        add(handed, m, name);
        found = true;
      }
  }
  const words = [...handed].flatMap(([m, names]) => [...names].flatMap((name) => lastOf(m, 2).map((w) => [name, w])));
  // a star brings names that it does not write down
  const starred = [...own.keys()].flatMap((m) => lastOf(m, 1).map((w) => [`${w} import *`]));
  return [...words, ...starred];
}

/** What a module has from elsewhere, or under another name. */
const renamed = perModule((m): Binding[] => {
  const isName = (b: Extract<Binding, { kind: 'assign' }>): boolean =>
    !b.path.length && (b.value.kind === 'Name' || b.value.kind === 'Attribute');
  return [...m.scope.bindings.values()].flat().filter((b) => b.kind === 'from' || (b.kind === 'assign' && isName(b)));
});

/** @param names - all that is known by now, of whichever module. */
function* handedOn(graph: ModuleGraph, m: ModuleScopes, known: Exports, names: ReadonlySet<string>): Generator<string> {
  for (const b of renamed(m)) {
    if (b.kind === 'from') {
      const from = names.has(b.member) ? graph.load(m, b.level, b.module) : null;
      if (from?.k === 'module' && known.get(from.module)?.has(b.member)) yield b.name;
    } else if (b.kind === 'assign') {
      const { value } = b;
      const isOurs =
        value.kind === 'Name' ? known.get(m)?.has(value.id) : value.kind === 'Attribute' && names.has(value.attr);
      if (isOurs) yield b.name;
    }
  }
  for (const star of m.stars) {
    const from = graph.load(m, star.level, star.module);
    if (from?.k !== 'module') continue;
    for (const name of known.get(from.module) ?? []) if (graph.exportsByStar(from.module, name)) yield name;
  }
}

function add(to: Exports, m: ModuleScopes, name: string): boolean {
  const names = to.get(m);
  if (names?.has(name)) return false;
  if (names) names.add(name);
  else to.set(m, new Set([name]));
  return true;
}

/** The last parts of a module's name, as an importer writes them. */
function lastOf({ name }: ModuleScopes, count: number): string[] {
  return name
    .split('.')
    .slice(-count)
    .filter((part) => part !== '');
}

/** A caller names the function, and its class, module or package. */
export function callerWords(fn: FunctionInfo): string[][] {
  const parts = fn.module.name.split('.').slice(-2);
  const owner = fn.cls ? [fn.cls.node.name, ...parts] : parts;
  const name = fn.node.name === '__init__' && fn.cls ? fn.cls.node.name : fn.node.name;
  return owner.filter((w) => w !== '').map((w) => [name, w]);
}
