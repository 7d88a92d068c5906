/** The spawn-API tables of all libraries, merged for look-up. */
import type { SpawnApiDefinition, SpawnApiRow } from '../engine/contracts.ts';
import type { LibraryTable } from '../semantics/index.ts';

export interface SpawnTable extends LibraryTable {
  rows: Map<string, SpawnApiRow>;
  /** A file that spawns directly holds all texts of at least one of these. */
  words: string[][];
  /** Last names of the rows' callees. */
  methods: Set<string>;
  /** Those of loops, task groups and the like that start something, but for plain words such as `start`. */
  ofObjects: Set<string>;
  /** Coroutine functions outside the project that end by themselves. */
  ends: Set<string>;
}

const STAR_NAMES =
  'create_task ensure_future get_running_loop get_event_loop new_event_loop _get_running_loop TaskGroup Runner Task run_coroutine_threadsafe AbstractEventLoop get_event_loop_policy SelectorEventLoop BaseEventLoop gather shield wait wait_for sleep run Event Queue Future';

/** Libraries whose names the engine itself gives a meaning. */
const KNOWN_ROOTS =
  'asyncio anyio trio aiojobs apscheduler fastapi starlette fastapi_utils fastapi_restful uvloop functools typing typing_extensions contextlib contextvars itertools datetime os time random importlib decouple pydantic pydantic_settings prometheus_client concurrent threading logging';

export function buildTable(definitions: readonly SpawnApiDefinition[]): SpawnTable {
  const table: SpawnTable = {
    rows: new Map(),
    makers: new Map(),
    types: new Map(),
    groupKinds: new Set(),
    attributes: new Map(),
    kinds: new Set(),
    starNames: new Set(STAR_NAMES.split(' ')),
    roots: new Set(KNOWN_ROOTS.split(' ')),
    words: [],
    methods: new Set(),
    ofObjects: new Set(),
    ends: new Set(),
  };
  const words = new Map<string, string[]>();
  for (const d of definitions) {
    for (const row of d.rows) {
      table.rows.set(row.callee, row);
      const [object, method] = splitLast(row.callee);
      if (row.structured) table.groupKinds.add(object);
      table.methods.add(method);
      const isKind = /^[A-Z_]+$/.test(object);
      if (isKind && !row.scheduled && method.includes('_')) table.ofObjects.add(method);
      // a plain word such as `start` says nothing unless the library's name stands in the file too
      const needs = method.includes('_')
        ? [method]
        : [method, d.library === 'project' ? method : libraryWord(d.library)];
      words.set(needs.join(' '), needs);
      if (!isKind) table.roots.add(object.split('.', 1)[0]!);
    }
    for (const [q, kind] of Object.entries(d.makers ?? {})) {
      table.makers.set(q, kind);
      table.kinds.add(kind);
    }
    for (const [q, kind] of Object.entries(d.types ?? {})) {
      table.types.set(q, kind);
      table.kinds.add(kind);
    }
    for (const [q, kind] of Object.entries(d.attributes ?? {})) table.attributes.set(q, kind);
    for (const q of d.ends ?? []) table.ends.add(q);
  }
  table.words = [...words.values()];
  return table;
}

/** Does all of one entry's words stand in a text? Without that, no call of a row can be in it. */
export function mentionsAny(text: Pick<string, 'includes'> | Buffer, words: readonly string[][]): boolean {
  return words.some((all) => all.every((w) => text.includes(w)));
}

/** The word that a file must hold to use a library. */
function libraryWord(library: string): string {
  return library === 'starlette' ? 'Background' : library;
}

function splitLast(dotted: string): [string, string] {
  const i = dotted.lastIndexOf('.');
  return [dotted.slice(0, i), dotted.slice(i + 1)];
}
