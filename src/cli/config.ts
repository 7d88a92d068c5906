/** `looptag.toml`, or `[tool.looptag]` in `pyproject.toml`. Flag > environment > file > default. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nearest } from '../engine/nearest.ts';
import { isShared, OWN_FILE, SHARED_FILE, TABLE } from './config-files.ts';
import { findTable } from './init/toml.ts';
import { HELPER_EXPECTED, helperIn, SYMBOL_EXAMPLE, SYMBOL_EXPECTED, symbolIn } from './symbols.ts';
import { Trouble, unreadable } from './trouble.ts';

export interface Config {
  /** Absolute path of the file read; null when there is none. */
  file: string | null;
  paths: string[];
  catalog: string | null;
  documents: string[];
  policy: string | null;
  exclude: string[];
  importRoots: string[];
  contextVar: string | null;
  helper: string | null;
  select: string[];
  ignore: string[];
  severity: Record<string, 'error' | 'warning' | 'note' | 'off'>;
  failOn: string | null;
  baseline: string | null;
  spawnApis: { callee: string; argument: number; keyword: string; takes: 'coroutine' | 'callable' }[];
}

type Kind = 'string' | 'symbol' | 'helper' | 'strings' | 'severities' | 'threshold' | 'apis';

const KEYS: Record<string, [keyof Config, Kind]> = {
  paths: ['paths', 'strings'],
  catalog: ['catalog', 'string'],
  documents: ['documents', 'strings'],
  policy: ['policy', 'string'],
  exclude: ['exclude', 'strings'],
  'import-roots': ['importRoots', 'strings'],
  'context-var': ['contextVar', 'symbol'],
  helper: ['helper', 'helper'],
  select: ['select', 'strings'],
  ignore: ['ignore', 'strings'],
  severity: ['severity', 'severities'],
  'fail-on': ['failOn', 'threshold'],
  baseline: ['baseline', 'string'],
  'spawn-apis': ['spawnApis', 'apis'],
};

export function emptyConfig(): Config {
  return {
    file: null,
    paths: [],
    catalog: null,
    documents: [],
    policy: null,
    exclude: [],
    importRoots: [],
    contextVar: null,
    helper: null,
    select: [],
    ignore: [],
    severity: {},
    failOn: null,
    baseline: null,
    spawnApis: [],
  };
}

/** The keys that a configuration sets, as they are written. */
export function keysIn(config: Config): string[] {
  const empty = emptyConfig();
  return Object.keys(KEYS).filter((key) => !isDeepStrictEqual(config[KEYS[key]![0]], empty[KEYS[key]![0]]));
}

/** The nearest folder upward with a configuration or a repository; else the folder itself. */
export function findRoot(from: string): string {
  for (let d = resolve(from); ; d = dirname(d)) {
    if (existsSync(resolve(d, OWN_FILE)) || hasTable(resolve(d, SHARED_FILE)) || existsSync(resolve(d, '.git')))
      return d;
    if (dirname(d) === d) return resolve(from);
  }
}

function hasTable(pyproject: string): boolean {
  return readText(pyproject)?.includes(`[${TABLE}`) ?? false;
}

function readText(path: string): string | null {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  try {
    return readFileSync(path, 'utf8');
  } catch (e) {
    throw unreadable(path, e);
  }
}

/** @throws Trouble on a file that is missing, broken or has an unknown key. */
export async function loadConfig(root: string, given: string | null): Promise<Config> {
  const candidates = given ? [resolve(given)] : [resolve(root, OWN_FILE), resolve(root, SHARED_FILE)];
  for (const file of candidates) {
    const text = readText(file);
    if (text === null) {
      if (given)
        throw new Trouble(`${given}: no such configuration file`, 'give a looptag.toml or pyproject.toml to --config');
      continue;
    }
    const whole = !isShared(file);
    if (!whole && !text.includes(`[${TABLE}`)) continue;
    const shown = relative(root, file) || file;
    const table = await parseToml(text, shown, whole);
    const place = (key: string) => placeOf(text, shown, whole, key);
    return { ...readTable(table, place, root), file };
  }
  return emptyConfig();
}

async function parseToml(text: string, file: string, whole: boolean): Promise<Record<string, unknown>> {
  const { parse, TomlError } = await import('smol-toml');
  try {
    const data = parse(text) as { tool?: { looptag?: Record<string, unknown> } };
    return whole ? (data as Record<string, unknown>) : (data.tool?.looptag ?? {});
  } catch (e) {
    if (!(e instanceof TomlError)) throw e;
    throw new Trouble(`${file}:${e.line}:${e.column}: ${e.message.split('\n', 1)[0]}`, 'correct the TOML');
  }
}

/** `looptag.toml:3`, the line that sets a key; the file alone where none is seen to. */
function placeOf(text: string, file: string, whole: boolean, key: string): string {
  const lines = text.split(/\r\n|\n/);
  const table = whole ? { start: 0, end: lines.length } : findTable(lines, TABLE);
  const escaped = key.replace(/[^\w-]/g, '\\$&');
  const sets = new RegExp(`^\\s*(?:\\[+\\s*)?(?:tool\\s*\\.\\s*looptag\\s*\\.\\s*)?["']?${escaped}["']?\\s*[=.\\]]`);
  const index = table ? lines.slice(table.start, table.end).findIndex((line) => sets.test(line)) : -1;
  return index < 0 ? file : `${file}:${table!.start + index + 1}`;
}

function readTable(table: Record<string, unknown>, placeOfKey: (key: string) => string, root: string): Config {
  const config = emptyConfig();
  for (const [key, value] of Object.entries(table)) {
    const known = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (!known) {
      const near = nearest(key, Object.keys(KEYS));
      throw new Trouble(
        `${placeOfKey(key)}: unknown key ${JSON.stringify(key)}`,
        near ? `did you mean "${near}"?` : `known keys: ${Object.keys(KEYS).join(', ')}`,
      );
    }
    (config as unknown as Record<string, unknown>)[known[0]] = check(known[1], key, value, placeOfKey(key));
  }
  const places: [key: string, paths: readonly string[]][] = [
    ['paths', config.paths],
    ['documents', config.documents],
    ['exclude', config.exclude],
    ['import-roots', config.importRoots],
    ['catalog', [config.catalog ?? '.']],
    ['baseline', [config.baseline ?? '.']],
    ['policy', [isFile(config.policy) ? config.policy! : '.']],
  ];
  for (const [key, path] of places.flatMap(([key, paths]) => paths.map((path) => [key, path] as const))) {
    if (path.includes('\0')) throw new Trouble(`${placeOfKey(key)}: a path holds a NUL character`, 'take it out');
    const full = resolve(root, path);
    if (full !== root && !full.startsWith(root + sep))
      throw new Trouble(
        `${placeOfKey(key)}: ${JSON.stringify(path)} leads out of the project`,
        'paths are relative to the root and stay below it',
      );
  }
  return config;
}

/** A bundled policy is a bare name. */
function isFile(policy: string | null): boolean {
  return policy !== null && /[/\\.]/.test(policy);
}

function check(kind: Kind, key: string, value: unknown, place: string): unknown {
  const wrong = (what: string, remedy: string | null = null): never => {
    throw new Trouble(`${place}: ${key} must be ${what}`, remedy);
  };
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : wrong('a string');
    case 'symbol':
      return typeof value === 'string' && symbolIn(value) ? value : wrong(SYMBOL_EXPECTED, SYMBOL_EXAMPLE);
    case 'helper':
      return typeof value === 'string' && helperIn(value) ? value : wrong(HELPER_EXPECTED);
    case 'strings':
      return Array.isArray(value) && value.every((v) => typeof v === 'string') ? value : wrong('a list of strings');
    case 'severities': {
      const ok =
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every((v) => ['error', 'warning', 'note', 'off'].includes(String(v)));
      return ok ? { ...value } : wrong('a table of rule = "error" | "warning" | "note" | "off"');
    }
    case 'threshold':
      return ['error', 'warning', 'note', 'never', 'off'].includes(String(value))
        ? value
        : wrong('"error", "warning", "note" or "never"');
    case 'apis':
      return readApis(value, wrong);
  }
}

function readApis(value: unknown, wrong: (what: string) => never): Config['spawnApis'] {
  const expected =
    'a list of tables with callee = "pkg.spawn", and optionally argument = 0, keyword = "coro", takes = "coroutine" | "callable"';
  if (!Array.isArray(value)) return wrong(expected);
  return value.map((v: Record<string, unknown>) => {
    const ok =
      typeof v === 'object' &&
      v !== null &&
      typeof v.callee === 'string' &&
      Object.keys(v).every((k) => ['callee', 'argument', 'keyword', 'takes'].includes(k)) &&
      (v.argument === undefined || Number.isInteger(v.argument)) &&
      (v.takes === undefined || v.takes === 'coroutine' || v.takes === 'callable');
    if (!ok) return wrong(expected);
    return {
      callee: v.callee as string,
      argument: (v.argument as number) ?? 0,
      keyword: String(v.keyword ?? 'coro'),
      takes: (v.takes as 'coroutine') ?? 'coroutine',
    };
  });
}
