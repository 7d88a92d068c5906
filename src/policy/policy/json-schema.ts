import type { Shape } from './shape.ts';
import { POLICY } from './shapes.ts';

type Json = Record<string, unknown>;

function nullable(schema: Json, shape: Shape): Json {
  if (!('nullable' in shape) || !shape.nullable) return schema;
  if (Array.isArray(schema.enum)) return { ...schema, enum: [...schema.enum, null] };
  return { ...schema, type: [schema.type, 'null'] };
}

function objectSchema(fields: Record<string, Shape>, required: string[]): Json {
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
  };
}

function bare(shape: Shape): Json {
  switch (shape.kind) {
    case 'string':
      return {
        type: 'string',
        ...(shape.regex ? { format: 'regex' } : {}),
        ...(shape.filled ? { pattern: '\\S' } : {}),
      };
    case 'number':
      return { type: shape.integer ? 'integer' : 'number', minimum: shape.min ?? 0 };
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { enum: [...shape.values] };
    case 'list':
      return { type: 'array', items: schemaOf(shape.of) };
    case 'record':
      return { type: 'object', additionalProperties: schemaOf(shape.of) };
    case 'object':
      return objectSchema(
        shape.fields,
        Object.keys(shape.fields).filter((name) => !Object.hasOwn(shape.optional, name)),
      );
    case 'variant':
      return {
        oneOf: Object.entries(shape.cases).map(([tag, fields]) => {
          const all: Record<string, Shape> = { [shape.tag]: { kind: 'enum', values: [tag] }, ...fields };
          return objectSchema(all, Object.keys(all));
        }),
      };
  }
}

function schemaOf(shape: Shape): Json {
  return { ...(shape.doc ? { description: shape.doc } : {}), ...nullable(bare(shape), shape) };
}

/** The JSON schema of a policy file; `schemas/policy.schema.json` is its text. */
export function policyJsonSchema(): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'looptag policy',
    ...schemaOf(POLICY),
  };
}
