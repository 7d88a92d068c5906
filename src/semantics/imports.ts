/** Names across files: what modules export, what imports and star imports bring. */
import type { Evaluator } from './evaluate.ts';
import { canonicalName } from './qualified.ts';
import { visibleFromOutside } from './reaching.ts';
import type { Binding, ModuleScopes } from './scopes.ts';
import { merge, only, unknown, type Values } from './values.ts';

export class Imports {
  private readonly starring = new Set<string>();

  constructor(private readonly ev: Evaluator) {}

  /** A name of a module as seen by an importer; null when the module does not bind it. */
  exported(module: ModuleScopes, name: string): Values | null {
    const bindings = visibleFromOutside(module.scope, name);
    if (bindings.length) {
      const out: Values = new Map();
      for (const b of bindings) merge(out, this.ev.binding(b));
      return out.size ? out : unknown('no value');
    }
    const star = this.starred(module, name);
    if (star) return star;
    const sub = this.ev.graph.submodule(module, name);
    return sub ? only(sub, 'submodule') : null;
  }

  /** A name that only a star import can bind. */
  starred(module: ModuleScopes, name: string): Values | null {
    // modules may star-import each other
    const key = `${module.file}*${name}`;
    if (!module.stars.length || this.starring.has(key)) return null;
    this.starring.add(key);
    try {
      return this.starredIn(module, name);
    } finally {
      this.starring.delete(key);
    }
  }

  private starredIn(module: ModuleScopes, name: string): Values | null {
    for (let i = module.stars.length - 1; i >= 0; i--) {
      const star = module.stars[i]!;
      const from = this.ev.graph.load(module, star.level, star.module);
      if (from?.k === 'module') {
        if (!this.ev.graph.exportsByStar(from.module, name)) continue;
        const got = this.exported(from.module, name);
        if (got) return got;
      } else if (!star.level && star.module === 'asyncio' && this.ev.table.starNames.has(name)) {
        const last = i === module.stars.length - 1;
        return only({ k: 'name', q: canonicalName(`asyncio.${name}`) }, last ? 'star' : 'star-maybe');
      }
    }
    return null;
  }

  /** What an import statement finds under a dotted name. */
  module(from: ModuleScopes, level: number, module: string | null, typingOnly: boolean): Values {
    const proof = typingOnly ? 'type-checking-only' : 'import';
    const got = this.ev.graph.load(from, level, module);
    if (got) return only(got, proof);
    if (level || !module) return unknown('relative-import');
    return only({ k: 'name', q: canonicalName(module) }, proof);
  }

  /** What `from … import name` finds. */
  member(b: Extract<Binding, { kind: 'from' }>): Values {
    const proof = b.typingOnly ? 'type-checking-only' : 'import';
    const from = this.ev.graph.load(b.scope.module, b.level, b.module);
    if (from?.k === 'module') {
      const got = this.exported(from.module, b.member);
      // a package that imports a name from itself while it is being made: the submodule is meant
      const cyclic = got && got.size === 1 && got.get('?')?.proof === 'cycle';
      const sub = !got || cyclic ? this.ev.graph.submodule(from.module, b.member) : null;
      if (sub) return only(sub, proof);
      return got
        ? merge(new Map(), got, b.typingOnly ? proof : undefined)
        : unknown(`${b.member} is not defined in ${from.module.name}`);
    }
    if (from?.k === 'namespace') {
      const got = this.ev.graph.at(from.root, from.name ? `${from.name}.${b.member}` : b.member);
      return got ? only(got, proof) : unknown('no such module');
    }
    if (b.level || !b.module) return unknown('relative-import');
    return only({ k: 'name', q: canonicalName(`${b.module}.${b.member}`) }, proof);
  }
}
