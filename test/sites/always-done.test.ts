/** The project id that a body sets in some cases only is not known to hold. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from './facts/support.ts';

const HEAD = `import asyncio
from contextvars import ContextVar
project_id_ctx_var = ContextVar("project_id_ctx_var")
`;
const SET = 'project_id_ctx_var.set("p")';

function tag(body: string): string | null | undefined {
  const indented = body.replace(/^/gm, '    ');
  const main = `${HEAD}async def job(x):\n${indented}\n    while True: await asyncio.sleep(3)\ndef boot():\n    asyncio.create_task(job(1))\n`;
  return analysisOf({ 'main.py': main }).sites[0]!.targets[0]!.tag?.projectId;
}

describe('an id that is set', () => {
  it.each([
    ['at once', SET],
    ['in both arms', `if x:\n    ${SET}\nelse:\n    ${SET}`],
    ['in every arm', `if x:\n    ${SET}\nelif x > 1:\n    ${SET}\nelse:\n    with open("f"):\n        ${SET}`],
    ['before it is set again', `${SET}\nif x:\n    ${SET}`],
    ['in a try', `try:\n    ${SET}\nfinally:\n    pass`],
    ['by a constant condition', `if True:\n    ${SET}`],
    ['in the condition itself', `if ${SET} and x:\n    pass`],
    ['in every case', `match x:\n    case 1: ${SET}\n    case _: ${SET}`],
  ])('%s holds', (_name, body) => expect(tag(body)).toBe('p'));

  it.each([
    ['in one arm', `if x:\n    ${SET}`],
    ['in two of three arms', `if x:\n    ${SET}\nelif x > 1:\n    ${SET}`],
    ['in an arm of an arm', `if x:\n    if x > 1:\n        ${SET}\nelse:\n    ${SET}`],
    ['in one case', `match x:\n    case 1: ${SET}\n    case _: pass`],
    ['to another value in the other arm', `if x:\n    ${SET}\nelse:\n    project_id_ctx_var.set("q")`],
  ])('%s may hold', (_name, body) => expect(tag(body)).toBeNull());
});
