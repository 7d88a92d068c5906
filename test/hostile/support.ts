/** Projects that mean harm, and what no output may hold. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { type Outcome, write } from '../e2e/support/run.ts';

export const CONTEXT =
  'from contextvars import ContextVar\n\nproject_id_ctx_var = ContextVar("project_id", default="")\n';

export const SERVICE = `import asyncio


async def poll():
    while True:
        await asyncio.sleep(30)


async def main():
    asyncio.create_task(poll())
`;

export const MIGRATE = [
  'migrate',
  '--project-id',
  'awoooi',
  '--helper',
  'inline',
  '--context-var',
  'ctx:project_id_ctx_var',
];

/** A root that holds a context variable, and nothing above it that a run could take for its root. */
export function project(root: string, files: Record<string, string | Uint8Array> = {}): string {
  write(root, { 'looptag.toml': '', 'ctx.py': CONTEXT, ...files });
  return root;
}

/** What steers a terminal, reorders a line or ends one for some reader. */
const STEERING = /(?!\n)[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
/** A command to a CI system that stands in a name or a text of the samples. */
const INJECTED = /^\s*(::(error|warning|add-mask|stop-commands)( title=injected)?::injected|##\[)/m;

/** Nothing of the repository acts on a terminal or on a CI system. */
export function expectHarmless(text: string, { allowed = /$^/g }: { allowed?: RegExp } = {}): void {
  const rest = text.replace(allowed, '');
  const at = rest.search(STEERING);
  expect(at < 0 ? '' : JSON.stringify(rest.slice(Math.max(0, at - 60), at + 20)), 'a steering character').toBe('');
  expect(INJECTED.exec(rest)?.[0] ?? '', 'a command to the CI system').toBe('');
}

/** The run ended as documented, whatever it found. */
export function expectOrderly(outcome: Outcome): void {
  expect(outcome.err).not.toContain('internal error');
  expect([0, 1, 2], outcome.err).toContain(outcome.code);
}

/** Why Python's own parser does not take a text for XML; empty when it does. */
export function xmlFault(text: string): string {
  const script = 'import sys, xml.etree.ElementTree as e\ne.fromstring(sys.stdin.buffer.read())';
  const { status, stderr } = spawnSync('python3', ['-I', '-c', script], { input: text, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}
