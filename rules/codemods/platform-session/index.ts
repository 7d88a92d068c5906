import { replace } from '../../../src/edit/build.ts';
import { type CodemodInput, type CodemodResult, defineCodemod, type Need } from '../../../src/engine/contracts.ts';
import type { Edit, Refusal } from '../../../src/model/index.ts';
import { type BodyTarget, bodyTarget, literal, setAtTop, undoAtTop } from '../body.ts';

/** ADR-123 way 2, for class A: the platform's id, and the platform's database session in place of the tenant's. */
export default defineCodemod({
  id: 'platform-session',
  summary: "set the platform's id in a loop and give it the platform's database session",
  safe: false,
  scope: 'target',
  carriesId: true,
  doesMore: true,
  limits: ["A platform session stands above row-level security: the loop reads and writes every tenant's rows."],
  run: platformSession,
  undo: undoAtTop,
});

function platformSession(input: CodemodInput): CodemodResult {
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  if (input.decision.class !== null && input.decision.class !== 'A')
    return refuse(
      'unsafe',
      `${body.loop.name} is of class ${input.decision.class}: a platform session would show it the rows of all tenants`,
    );
  const { tag } = input.target!;
  const isSet = tag?.via === 'loop-body' && tag.projectId === input.projectIds[0];
  const set: CodemodResult = isSet ? { edits: [], needs: [] } : setAtTop(input, literal(input.projectIds[0]!));
  if ('refusal' in set) return set;
  const swap = swapSessions(input, body);
  if ('refusal' in swap) return swap;
  if (swap.edits.length === 0 && set.edits.length > 0)
    return { ...set, notes: [...(set.notes ?? []), `${body.loop.name} opens no tenant session itself`] };
  return {
    edits: [...set.edits, ...swap.edits],
    needs: [...set.needs, ...swap.needs],
    unsafe: set.unsafe ?? `${body.loop.name} gets a session that sees the rows of all tenants`,
  };
}

const refuse = (code: Refusal['code'], reason: string) => ({ refusal: { code, reason } });

function swapSessions(
  input: CodemodInput,
  { loop, layout }: BodyTarget,
): { edits: Edit[]; needs: Need[] } | { refusal: Refusal } {
  const { tenant, platform, module } = input.policy.platformSession;
  const isTenant = (name: string) => tenant.includes(name.split('.').at(-1)!);
  const elsewhere = input.target?.facts.calls.find(
    ({ name, file, line }) => isTenant(name) && !(file === loop.file && inside(input, loop, line)),
  );
  const calls = loop.calls.filter(({ name }) => isTenant(name));
  if (calls.length === 0 && elsewhere)
    return refuse(
      'shape',
      `the session is opened in a function that ${loop.name} calls (${elsewhere.file}:${elsewhere.line}): change it there by hand`,
    );
  const edits: Edit[] = [];
  const needs: Need[] = [];
  for (const { name, callee } of calls) {
    const last = name.split('.').at(-1)!;
    let local = platform;
    if (!name.includes('.')) {
      const home = module ?? layout.bound.find((binding) => binding.name === name)?.from?.module;
      if (!home)
        return refuse('no-definition', `where ${platform} comes from is not known: name its module in the policy`);
      const reference = input.refer(loop.file, { module: home, name: platform }, loop.extent.start);
      if ('refusal' in reference) return reference;
      local = reference.name;
      needs.push(...reference.needs);
    }
    edits.push(replace(loop.file, { start: callee.end - last.length, end: callee.end }, local));
  }
  return { edits, needs };
}

function inside(input: CodemodInput, loop: BodyTarget['loop'], line: number): boolean {
  const text = input.textOf(loop.file);
  const lineOf = (offset: number) => text.slice(0, offset).split(/\r\n|\n|\r/).length;
  return lineOf(loop.extent.start) <= line && line <= lineOf(loop.extent.end);
}
