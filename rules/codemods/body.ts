/** What the codemods that edit a coroutine's body have in common. */
import { pythonString, remove, replace, statements } from '../../src/edit/build.ts';
import type { CodemodInput, CodemodResult, Need } from '../../src/engine/contracts.ts';
import type { BodyStatement, Edit, Extent, LoopShape, ModuleLayout, Refusal } from '../../src/model/index.ts';

export interface BodyTarget {
  loop: LoopShape;
  layout: ModuleLayout;
}

/** The coroutine function that a site starts, or why its body cannot be edited. */
export function bodyTarget({ site, target, loop, loopLayout }: CodemodInput): BodyTarget | { refusal: Refusal } {
  const refuse = (code: Refusal['code'], reason: string) => ({ refusal: { code, reason } });
  if (!target)
    return refuse('dynamic', site.unresolved ?? 'what is started here cannot be named: set the id inside it by hand');
  if (target.file === null)
    return refuse(
      'no-definition',
      `${target.name} is not defined in this project: wrap the call instead (--method wrapper)`,
    );
  if (!loop || !loopLayout)
    return refuse('no-definition', `the definition of ${target.name} was not found in ${target.file}`);
  if (!loop.isAsync)
    return refuse(
      'no-definition',
      `${target.name} is a plain function that makes a coroutine: edit the coroutine function itself`,
    );
  if (loop.isGenerator)
    return refuse(
      'async-generator',
      `${target.name} is an async generator, whose body runs in the context of whoever iterates it`,
    );
  return { loop, layout: loopLayout };
}

/** Statements that set the id (and a trace id) at the top of the body; those that stand there already are left out. */
export function setAtTop(input: CodemodInput, value: string, moreNeeds: Need[] = []): CodemodResult {
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  const { loop, layout } = body;
  const variable = input.refer(loop.file, input.contextVariable, loop.extent.start);
  if ('refusal' in variable) return variable;
  const lines = [`${variable.name}.set(${value})`];
  const needs = [...variable.needs, ...moreNeeds];
  if (input.trace) {
    const trace = traceLine(input, loop);
    if ('refusal' in trace) return trace;
    lines.push(trace.line);
    needs.push(...trace.needs);
  }
  const other = loop.head.find(({ text }) => text.startsWith(`${variable.name}.set(`) && text !== lines[0]);
  if (other) return { edits: [replace(loop.file, other.extent, lines[0]!)], needs };
  const missing = lines.filter((line) => !loop.head.some(({ text }) => text === line));
  if (missing.length === 0) return { edits: [], needs: [] };
  return { edits: [statements(loop.file, loop.top, missing, layout.eol)], needs, unsafe: runsElsewhere(input, loop) };
}

/** Whoever else runs the coroutine gets the id too. */
function runsElsewhere({ awaited, inherited }: CodemodInput, { name }: LoopShape): string | undefined {
  if (awaited)
    return `${name} is also awaited at ${awaited.file}:${awaited.line}, where the id would stay set in the caller`;
  if (inherited)
    return `${name} is also started at ${inherited.file}:${inherited.line}, where it is to keep the id of whoever starts it: tag the call instead (--method wrapper)`;
  return undefined;
}

/** `trace_id_ctx_var.set(generate_trace_id())`, as the file of the loop writes it. */
function traceLine(input: CodemodInput, loop: LoopShape): { line: string; needs: Need[] } | { refusal: Refusal } {
  const variable = input.refer(loop.file, input.traceVariable, loop.extent.start);
  if ('refusal' in variable) return variable;
  const generator = input.refer(loop.file, input.traceGenerator, loop.extent.start);
  if ('refusal' in generator) return generator;
  return { line: `${variable.name}.set(${generator.name}())`, needs: [...variable.needs, ...generator.needs] };
}

type Rewritten = Exclude<CodemodResult, { refusal: unknown }>;

/** With a helper that knows no trace id, it is set in the coroutine itself, when that is at hand. */
export function withTraceInBody(input: CodemodInput, result: Rewritten, helper: string): Rewritten {
  const body = bodyTarget(input);
  const trace = 'refusal' in body ? body : traceLine(input, body.loop);
  if ('refusal' in body || 'refusal' in trace) {
    const note = `${helper} sets no trace id, and the coroutine of ${input.site.argument} cannot be edited: set one by hand`;
    return { ...result, notes: [...(result.notes ?? []), note] };
  }
  const { loop, layout } = body;
  if (loop.head.some(({ text }) => text === trace.line)) return result;
  const edit = statements(loop.file, loop.top, [trace.line], layout.eol);
  return { ...result, edits: [...result.edits, edit], needs: [...result.needs, ...trace.needs] };
}

/** The decided id as a literal in double quotes. */
export const literal = (projectId: string): string => pythonString(projectId)!;

/** Take the statements out that set the context variable (and the trace id beside it) at the top of the body. */
export function undoAtTop(input: CodemodInput): CodemodResult {
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  const { loop } = body;
  const isSetter = setterOf(input, loop);
  const setters = loop.head.filter(({ text }) => isSetter(text));
  if (setters.length === 0)
    return {
      refusal: {
        code: 'shape',
        reason: `${loop.name} sets its id further down, or with other names: take it out by hand`,
      },
    };
  const session = tenantSession(input, body);
  const edits = [...removals(input, loop, setters), ...session.edits];
  return { edits, needs: [], notes: [...session.notes, ...traceThatStays(input, loop)] };
}

/** A trace id that nobody asked us for may have been there before. */
function traceThatStays(input: CodemodInput, loop: LoopShape): string[] {
  const trace = input.trace ? null : traceLine(input, loop);
  if (!trace || 'refusal' in trace || !loop.head.some(({ text }) => text === trace.line)) return [];
  return [`${loop.name} keeps its trace id: --revert --trace takes it out as well`];
}

/**
 * The tenant's session in place of the platform's, where it shows that it was there: its import is left and nothing uses it.
 * A loop may have opened the platform's session all along.
 */
function tenantSession(input: CodemodInput, { loop, layout }: BodyTarget): { edits: Edit[]; notes: string[] } {
  const { tenant, platform } = input.policy.platformSession;
  const calls = loop.calls.filter(({ name }) => name.split('.').at(-1) === platform);
  if (calls.length === 0) return { edits: [], notes: [] };
  const home = layout.bound.find(({ from }) => from?.name === platform)?.from?.module;
  const unused = layout.bound.filter(
    ({ name, from }) => from?.module === home && tenant.includes(from?.name ?? '') && !layout.mentions[name],
  );
  const [only] = unused;
  if (only && unused.length === 1 && calls.every(({ name }) => !name.includes('.')))
    return { edits: calls.map(({ callee }) => replace(loop.file, callee, only.name)), notes: [] };
  const note = `${loop.name} keeps ${platform}: whether it opened a tenant's session before does not show`;
  return { edits: [], notes: [note] };
}

/** Recognises what sets the ids, by the names that the loop's file has for them. */
function setterOf(input: CodemodInput, loop: LoopShape): (text: string) => boolean {
  const { contextVariable, trace } = input;
  const context = input.refer(loop.file, contextVariable, loop.extent.start);
  const name = 'refusal' in context ? contextVariable?.name : context.name;
  const traced = trace ? traceLine(input, loop) : null;
  return (text) =>
    (name !== undefined && text.startsWith(`${name}.set(`)) ||
    (traced !== null && !('refusal' in traced) && text === traced.line);
}

/** Takes statements out: whole lines, or what stands with others on one line, each run of them at once. */
function removals(input: CodemodInput, loop: LoopShape, statements: readonly BodyStatement[]): Edit[] {
  const text = input.textOf(loop.file);
  const inline: Extent[] = [];
  for (const { extent } of statements.filter(({ lines }) => lines === null)) {
    const last = inline.at(-1);
    if (last && /^[ \t]*;[ \t]*$/.test(text.slice(last.end, extent.start))) last.end = extent.end;
    else inline.push({ ...extent });
  }
  const whole = statements.flatMap(({ lines }) => (lines ? [remove(loop.file, lines)] : []));
  return [...whole, ...inline.map((extent) => remove(loop.file, withSemicolon(text, extent)))];
}

function withSemicolon(text: string, { start, end }: Extent): Extent {
  const after = /^[ \t]*;[ \t]*/.exec(text.slice(end))?.[0].length;
  if (after !== undefined) return { start, end: end + after };
  return { start: start - (/;[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0), end };
}
