/** Every bundled policy can be read, fits the published schema, and is offered by name. */
import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parsePolicy } from '../../src/policy/policy/parse.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');
const policies = readdirSync(new URL('rules/policies/', ROOT))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length));

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);
const fits = ajv.compile(JSON.parse(read('schemas/policy.schema.json')));

describe.each(policies)('%s', (name) => {
  const text = read(`rules/policies/${name}.yaml`);

  it('is named as its file', () => {
    expect(parsePolicy(text, `${name}.yaml`).name).toBe(name);
  });

  it('fits the schema', () => {
    expect(fits(parse(text)), JSON.stringify(fits.errors, null, 1)).toBe(true);
  });

  it('is built', () => {
    expect(JSON.parse(read(`dist/policies/${name}.json`)).name).toBe(name);
  });
});
