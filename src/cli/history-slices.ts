/** Numbers of earlier versions of one file, by the part of it that decides them. */
import type { TreeFileSystem } from '../io/git-tree.ts';
import type { Reconciliation, Status } from '../model/index.ts';
import type { ModuleScopes } from '../semantics/index.ts';
import { decodePython, SourceEncodingError } from '../syntax/index.ts';
import { Slicer } from './history-slice.ts';
import type { Analysed } from './workspace.ts';

type Totals = Status['totals'];

export class Slices {
  private readonly slicer = new Slicer([]);
  private readonly totals = new Map<string, Totals>();
  /** Others import the file: any part of it may matter to them. */
  private shared = false;
  /** Rows of the catalogue are found by line where they are not found by name. */
  private lines = false;

  constructor(private readonly file: string) {}

  /** The deciding part as it is now; null when there is no telling. */
  key(fs: TreeFileSystem): string | null {
    if (this.shared) return null;
    // the numbers also rest on other files, which must be as they were
    if (fs.asked.size > 0 && !fs.unchanged(this.file)) this.totals.clear();
    const id = fs.idOf(this.file);
    const bytes = id === null ? null : fs.bytes(id);
    if (!bytes) return null;
    try {
      return this.slicer.slice(decodePython(bytes).text, this.lines);
    } catch (e) {
      if (e instanceof SourceEncodingError) return null;
      throw e;
    }
  }

  known(key: string): Totals | undefined {
    return this.totals.get(key);
  }

  remember(fs: TreeFileSystem, totals: Totals): void {
    // what the analysis taught may have widened the part
    const key = this.key(fs);
    if (key !== null) this.totals.set(key, totals);
  }

  learn({ analysis, project, moduleOf }: Analysed, { decisions, stale, undecided, unlisted }: Reconciliation): void {
    const { table, graph } = project;
    const own = moduleOf(this.file);
    if (!own) return;
    const apis = table.words.flat();
    const wrappers = analysis.sites.flatMap((s) => (s.api.startsWith('wrapper:') ? [lastName(s.api)] : []));
    this.slicer.learn([...apis, ...wrappers]);
    for (const { name, modules } of importsOf(own, graph)) {
      if (modules.some((m) => [...apis, ...wrappers].some((word) => m.text.includes(word)))) this.slicer.learn([name]);
    }
    this.shared = [...graph.modules()].some(
      (m) => m !== own && importsOf(m, graph).some(({ modules }) => modules.includes(own)),
    );
    const byName = decisions.every((d) => d.matchedBy === null || d.matchedBy === 'name' || d.matchedBy === 'hint');
    this.lines = !byName || stale.length > 0 || undecided.length > 1 || unlisted.length > 1;
  }
}

type Graph = Analysed['project']['graph'];

/** What a module imports from the project, by the name that it gets. */
function importsOf(m: ModuleScopes, graph: Graph): { name: string; modules: ModuleScopes[] }[] {
  const out: { name: string; modules: ModuleScopes[] }[] = [];
  for (const scope of [m.scope, ...m.functions.map((f) => f.scope)]) {
    for (const [name, list] of scope.bindings) {
      for (const b of list) {
        const from =
          b.kind === 'import'
            ? graph.load(m, 0, b.module)
            : b.kind === 'from'
              ? graph.load(m, b.level, b.module)
              : null;
        if (from?.k !== 'module') continue;
        const member = b.kind === 'from' ? graph.submodule(from.module, b.member) : null;
        out.push({ name, modules: member?.k === 'module' ? [from.module, member.module] : [from.module] });
      }
    }
  }
  return out;
}

function lastName(api: string): string {
  return api.slice(Math.max(api.lastIndexOf('.'), api.lastIndexOf(':')) + 1);
}
