/** Descriptions of data: validation and the published JSON schema both come from them. */
export type Shape =
  | { kind: 'string'; nullable?: boolean; regex?: boolean; filled?: boolean; doc?: string }
  | { kind: 'number'; nullable?: boolean; min?: number; integer?: boolean; doc?: string }
  | { kind: 'boolean'; doc?: string }
  | { kind: 'enum'; values: readonly string[]; nullable?: boolean; doc?: string }
  | { kind: 'list'; of: Shape; doc?: string }
  | { kind: 'record'; of: Shape; keys?: readonly string[]; doc?: string }
  | ObjectShape
  | { kind: 'variant'; tag: string; cases: Record<string, Record<string, Shape>>; doc?: string };

export interface ObjectShape {
  kind: 'object';
  fields: Record<string, Shape>;
  /** Fields that may be left out, with what then stands there; `undefined` leaves the field out. */
  optional: Record<string, unknown>;
  doc?: string;
}

type Extra = { nullable?: boolean; doc?: string };

export const text = (extra: Extra & { regex?: boolean; filled?: boolean } = {}): Shape => ({
  kind: 'string',
  ...extra,
});
export const number = (extra: Extra & { min?: number; integer?: boolean } = {}): Shape => ({
  kind: 'number',
  ...extra,
});
export const flag = (doc?: string): Shape => ({ kind: 'boolean', doc });
export const oneOf = (values: readonly string[], extra: Extra = {}): Shape => ({ kind: 'enum', values, ...extra });
export const list = (of: Shape, doc?: string): Shape => ({ kind: 'list', of, doc });
export const record = (of: Shape, extra: { keys?: readonly string[]; doc?: string } = {}): Shape => ({
  kind: 'record',
  of,
  ...extra,
});
export const object = (
  fields: Record<string, Shape>,
  optional: Record<string, unknown> = {},
  doc?: string,
): ObjectShape => ({ kind: 'object', fields, optional, doc });

export type Path = readonly (string | number)[];

/** Something wrong at a place of the data. `key`: the key itself is meant, not its value. */
export interface Flaw {
  path: Path;
  key: boolean;
  message: string;
  remedy: string;
}

/** The known word most like `word`, or null when none is near. */
export function nearest(word: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(2, Math.floor(word.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Levenshtein distance. */
export function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

function describe(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a mapping' : `${typeof value} \`${String(value)}\``;
}

/**
 * Checks data against a shape and returns a copy with defaults filled in.
 * Mappings come back without a prototype, so that a key such as `constructor` or `__proto__` is a key like any other.
 */
export function conform(value: unknown, shape: Shape, flaws: Flaw[], path: Path = []): unknown {
  const wrong = (message: string, remedy: string): undefined => {
    flaws.push({ path, key: false, message: `${path.join('.') || 'the policy'}: ${message}`, remedy });
    return undefined;
  };
  if (value === null && 'nullable' in shape && shape.nullable) return null;
  switch (shape.kind) {
    case 'string':
      if (typeof value !== 'string')
        return wrong(`text expected, ${describe(value)} found`, 'write text, in quotes if need be');
      if (shape.filled && value.trim() === '') return wrong('it is empty', 'write a name, or null for none');
      if (shape.regex) {
        const fault = regexFault(value);
        if (fault)
          return wrong(`no regular expression: ${fault}`, 'use JavaScript syntax and escape special characters');
      }
      return value;
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) {
        return wrong(`a number expected, ${describe(value)} found`, 'write a plain number');
      }
      if (shape.integer && !Number.isInteger(value))
        return wrong(`${value} is no whole number`, 'write a whole number');
      if (value < (shape.min ?? 0)) return wrong(`${value} is less than ${shape.min ?? 0}`, 'write a greater number');
      return value;
    case 'boolean':
      return typeof value === 'boolean'
        ? value
        : wrong(`true or false expected, ${describe(value)} found`, 'write true or false');
    case 'enum': {
      if (typeof value === 'string' && shape.values.includes(value)) return value;
      const near = typeof value === 'string' ? nearest(value, shape.values) : null;
      return wrong(
        `${describe(value)} is none of ${shape.values.join(', ')}`,
        near ? `did you mean \`${near}\`?` : 'use one of these',
      );
    }
    case 'list':
      if (!Array.isArray(value))
        return wrong(`a list expected, ${describe(value)} found`, 'write `- …` items or [ … ]');
      return value.map((item, index) => conform(item, shape.of, flaws, [...path, index]));
    default:
      if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        return wrong(`a mapping expected, ${describe(value)} found`, 'write `key: value` lines');
      }
      return conformMapping(value as Record<string, unknown>, shape, flaws, path);
  }
}

function regexFault(source: string): string | null {
  try {
    new RegExp(source, 'u');
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function conformMapping(
  value: Record<string, unknown>,
  shape: Extract<Shape, { kind: 'record' | 'object' | 'variant' }>,
  flaws: Flaw[],
  path: Path,
): unknown {
  const out: Record<string, unknown> = Object.create(null);
  if (shape.kind === 'record') {
    for (const [key, item] of Object.entries(value)) {
      if (shape.keys && !shape.keys.includes(key)) flaws.push(unknownKey(key, shape.keys, path));
      else out[key] = conform(item, shape.of, flaws, [...path, key]);
    }
    return out;
  }
  const fields = shape.kind === 'object' ? shape.fields : fieldsOf(shape, value, flaws, path);
  if (!fields) return undefined;
  const optional = shape.kind === 'object' ? shape.optional : {};
  const names = Object.keys(fields);
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(fields, key)) flaws.push(unknownKey(key, names, path));
  }
  for (const name of names) {
    const field = fields[name];
    if (!field) continue;
    if (Object.hasOwn(value, name)) out[name] = conform(value[name], field, flaws, [...path, name]);
    else if (!Object.hasOwn(optional, name)) {
      const where = path.join('.') || 'the policy';
      flaws.push({ path, key: false, message: `${where}: \`${name}\` is missing`, remedy: `add \`${name}:\`` });
    } else if (optional[name] !== undefined) out[name] = structuredClone(optional[name]);
  }
  return out;
}

function fieldsOf(
  shape: Extract<Shape, { kind: 'variant' }>,
  value: Record<string, unknown>,
  flaws: Flaw[],
  path: Path,
): Record<string, Shape> | null {
  const tags = Object.keys(shape.cases);
  const tag = conform(Object.hasOwn(value, shape.tag) ? value[shape.tag] : null, oneOf(tags), flaws, [
    ...path,
    shape.tag,
  ]);
  return typeof tag === 'string' ? { [shape.tag]: oneOf(tags), ...shape.cases[tag] } : null;
}

function unknownKey(key: string, known: readonly string[], path: Path): Flaw {
  const near = nearest(key, known);
  return {
    path: [...path, key],
    key: true,
    message: `unknown key \`${[...path, key].join('.')}\``,
    remedy: near ? `did you mean \`${near}\`?` : `known here: ${known.join(', ')}`,
  };
}
