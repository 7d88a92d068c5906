import type { CatalogueProblem, Policy } from '../../model/index.ts';
import { conform, type Flaw, nearest, type Path } from './shape.ts';
import { POLICY } from './shapes.ts';

/** A policy that cannot be used, with every fault and its place. */
export class PolicyError extends Error {
  readonly source: string;
  readonly problems: CatalogueProblem[];

  constructor(source: string, problems: CatalogueProblem[]) {
    super(problems.map((p) => `${source}:${p.line}:${p.column}: ${p.message}; ${p.remedy}`).join('\n'));
    this.name = 'PolicyError';
    this.source = source;
    this.problems = problems;
  }
}

/** Turns a place in the data into a place in its text. */
type Locate = (path: Path, key: boolean) => { line: number; column: number };

/** Validates plain data as a policy; throws a `PolicyError` that lists every flaw. */
export function toPolicy(value: unknown, source: string, locate: Locate): Policy {
  const flaws: Flaw[] = [];
  const data = conform(value, POLICY, flaws) as Policy | undefined;
  if (data && flaws.length === 0) checkReferences(data, flaws);
  if (!data || flaws.length > 0) {
    const problems = flaws.map((flaw) => ({
      ...locate(flaw.path, flaw.key),
      message: flaw.message,
      remedy: flaw.remedy,
    }));
    throw new PolicyError(
      source,
      problems.sort((a, b) => a.line - b.line || a.column - b.column),
    );
  }
  delete (data as { $schema?: string }).$schema;
  return { ...data, source };
}

/**
 * A policy from parsed JSON. A `source` key, as a `Policy` value written to JSON has one, is read over.
 *
 * @param source where it was read, for messages
 */
export function policyFromJson(value: unknown, source: string): Policy {
  let data = value;
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'source')) {
    const { source: _written, ...rest } = value as Record<string, unknown>;
    data = rest;
  }
  return toPolicy(data, source, () => ({ line: 1, column: 1 }));
}

/** Names used in one place must be defined in another. */
function checkReferences(policy: Policy, flaws: Flaw[]): void {
  const markers = Object.keys(policy.markers);
  const priorities = policy.priorities.map((p) => p.id);
  const known = (what: string, word: string | undefined, words: string[], path: Path): void => {
    if (word === undefined || words.includes(word)) return;
    const near = nearest(word, words);
    flaws.push({
      path,
      key: false,
      message: `${path.join('.')}: no ${what} \`${word}\` is defined`,
      remedy: near ? `did you mean \`${near}\`?` : `defined: ${words.join(', ')}`,
    });
  };
  for (const [id, rule] of Object.entries(policy.classes))
    known('marker', rule.marker, markers, ['classes', id, 'marker']);
  for (const [i, rule] of policy.suggestions.entries()) {
    known('marker', rule.marker, markers, ['suggestions', i, 'marker']);
    known('priority', rule.priority, priorities, ['suggestions', i, 'priority']);
  }
  for (const [i, rule] of policy.named.entries())
    known('priority', rule.priority, priorities, ['named', i, 'priority']);
  for (const [id, batch] of Object.entries(policy.batches)) {
    for (const [i, p] of (batch.priorities ?? []).entries())
      known('priority', p, priorities, ['batches', id, 'priorities', i]);
  }
  for (const id of Object.keys(policy.alerts.severityByPriority)) {
    known('priority', id, priorities, ['alerts', 'severityByPriority', id]);
  }
  for (const [i, item] of policy.acceptance.entries()) {
    if (item.test.kind === 'marker-tagged')
      known('marker', item.test.marker, markers, ['acceptance', i, 'test', 'marker']);
  }
  repeated(
    policy.priorities.map((p) => p.id),
    'priorities',
    flaws,
  );
  repeated(
    policy.milestones.map((m) => m.id),
    'milestones',
    flaws,
  );
  repeated(
    policy.acceptance.map((a) => a.id),
    'acceptance',
    flaws,
  );
}

function repeated(ids: string[], list: string, flaws: Flaw[]): void {
  for (const [i, id] of ids.entries()) {
    if (ids.indexOf(id) === i) continue;
    const remedy = 'give each its own id';
    flaws.push({ path: [list, i, 'id'], key: false, message: `${list}.${i}.id: \`${id}\` is there twice`, remedy });
  }
}
