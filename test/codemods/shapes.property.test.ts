/** Calls of every shape, in files of every layout: each result is proven, compiles, is final, and can be taken back. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { planRevert } from '../../src/engine/migrate/revert.ts';
import { verifyPlan } from '../../src/engine/migrate/verify.ts';
import { atLength } from '../support/long.ts';

import { compileAll } from './support/compile.ts';
import { applied, CONTEXT, type Files, type ProjectOptions, project } from './support/project.ts';

const coroutine = fc.letrec<{ any: string; plain: string }>((tie) => ({
  plain: fc.constantFrom(
    'run_a()',
    'run_a(1, (2, 3),)',
    '(run_a())',
    '((run_b("x")))',
    'run_b(*args, **kw)',
    'run_a(lambda: [i for i in x])',
    'run_b(i for i in x)',
    'run_a("éU0001F7E2")'.replace('\\U0001F7E2', '🟢'),
    'Service().run()',
  ),
  any: fc.oneof(
    { weight: 4, arbitrary: tie('plain') },
    fc.tuple(tie('plain'), tie('plain')).map(([a, b]) => `${a} if x else ${b}`),
    tie('plain').map((inner) => `(  # why\n        ${inner}  # because\n    )`),
    tie('plain').map((inner) => `run_b(\n        SPAWN(${inner}),\n        # inner\n    )`),
    tie('plain').map((inner) => `\\\n        ${inner}`),
  ),
})).any;

const call = fc
  .tuple(
    coroutine,
    fc.constantFrom('', ',', ' ,', ', name="n"', ', name=f"n-{x}",', ', **kw', '\n    ', ',  # last\n    '),
  )
  .map(([argument, rest]) => `SPAWN(${argument}${rest})`);

const statement = fc.oneof(
  call,
  call.map((c) => `task = ${c}`),
  call.map((c) => `tasks.append(${c})`),
  call.map((c) => `return ${c}`),
  call.map((c) => `x = 1; ${c}; y = 2`),
  call.map((c) => `if x: ${c}`),
  call.map((c) => `values = [${c} for i in range(3)]`),
  call.map((c) => `await ${c}`),
  fc.constant("print(f'{SPAWN(run_a())!r}')"),
  fc.constant('print(f"""{SPAWN(run_a())}""")'),
  fc.constant('SPAWN(coro=run_a())'),
);

const DEFINITIONS = `async def run_a(*args):
    """Documented."""
    return args


async def run_b(*args, **kw):
    # commented
    return args


class Service:
    async def run(self): return 1
`;

const layout = fc.record({
  head: fc.constantFrom(
    '',
    '#!/usr/bin/env python3\n',
    '# -*- coding: utf-8 -*-\n',
    '# licence\n# more\n\n',
    '"""Doc."""\n',
    '"""Doc."""\n\n',
    '"""Doc.\n\nmore\n"""\nfrom __future__ import annotations\n\n',
  ),
  imports: fc.constantFrom(
    'import asyncio\n',
    'import asyncio\nimport sys\n\nfrom src.core.other import thing\n',
    'import asyncio; import sys\n',
    'import sys, \\\n    asyncio\n',
  ),
  context: fc.constantFrom(
    '',
    'from src.core.context import (\n    generate_trace_id,  # used\n    trace_id_ctx_var,\n)\nprint(generate_trace_id, trace_id_ctx_var)\n',
    'from src.core.context import trace_id_ctx_var\ntrace_id_ctx_var.set("")\n',
  ),
  gap: fc.constantFrom('\n\n', '\n\n# section\n\n\n', 'LIMIT = 3\n\n\n', '\nLIMIT = 3\n\n\n'),
  eol: fc.constantFrom('\n', '\r\n'),
  bom: fc.boolean(),
  final: fc.boolean(),
  unit: fc.constantFrom('    ', '  ', '\t'),
});

type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

function render({ head, imports, context, gap, eol, bom, final, unit }: Layout, statements: string[]): Uint8Array {
  const body = statements.map((text) => `    ${text.replaceAll('SPAWN', 'asyncio.create_task')}\n`).join('');
  const text = `${head}${imports}${context}${gap}${DEFINITIONS}\n\nasync def main(x, args, kw, tasks):\n${body}    return None\n`;
  const indented = text.replace(/^( {4})+/gm, (blanks) => unit.repeat(blanks.length / 4)).replaceAll('\n', eol);
  return Buffer.from((bom ? '\ufeff' : '') + (final ? indented : indented.trimEnd()), 'utf8');
}

const REST: Files = { 'src/core/context.py': CONTEXT, 'src/core/other.py': 'thing = 1\n' };

it.each(['wrapper', 'loop-body', 'label', 'context-argument'])(
  '%s on any shape',
  (method) => {
    const results: [Uint8Array, Uint8Array][] = [];
    fc.assert(
      fc.property(layout, fc.array(statement, { minLength: 1, maxLength: 5 }), (shape, statements) => {
        const before = render(shape, statements);
        const files: Files = { ...REST, 'case.py': before };
        const options: ProjectOptions = {
          codemods,
          paths: ['case.py'],
          method,
          pythonMinimum: [3, 11],
          helper: 'inline',
          contextVariable: { module: 'src.core.context', name: 'project_id_ctx_var' },
        };
        const input = project(files, options);
        expect(input.analysis.errors).toEqual([]);
        const plan = planMigration(input);
        const reanalyse = (overlay: ReadonlyMap<string, Uint8Array>) =>
          project({ ...files, ...Object.fromEntries(overlay) }, options);
        expect(verifyPlan(plan, input, { reanalyse })).toEqual([]);
        expect(plan.sites.length + plan.skipped.length).toBeGreaterThan(0);
        const after = applied(files, plan);
        const back = project(after, options);
        const revert = planRevert(back);
        expect(verifyPlan(revert, back)).toEqual([]);
        expect(Buffer.from(applied(after, revert)['case.py']!).toString()).toBe(Buffer.from(before).toString());
        results.push([before, Buffer.from(after['case.py']!)]);
      }),
      { numRuns: Number(process.env.LOOPTAG_RUNS ?? atLength(60, 20)) },
    );
    const said = compileAll(results.flat());
    if (said === null) return console.warn('SKIPPED: no python3 to compile the results');
    results.forEach(([, after], index) => {
      if (said[2 * index] === '') expect(said[2 * index + 1], Buffer.from(after).toString()).toBe('');
    });
  },
  300_000,
);
