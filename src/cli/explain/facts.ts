/** One loop as plain data: what is known, where it was read, and what is left to do. */

import { identityOf, nameOf } from '../../../rules/checks/about.ts';
import type { Mend, Mends } from '../../engine/contracts.ts';
import { buildAlerts } from '../../health/index.ts';
import { duration } from '../../model/duration.ts';
import type { Decision, Entry, Evidence, Finding, Heartbeat, Tag } from '../../model/index.ts';
import { tagInForce } from '../../model/tag-in-force.ts';
import type { OpenProject } from '../project.ts';

interface Place {
  file: string;
  line: number;
}

export interface RowFacts extends Place {
  number: number | null;
  name: string | null;
  lineText: string;
  frequency: string;
  marker: string | null;
  priority: string;
  remark: string;
  struck: boolean;
}

export interface LoopExplanation {
  name: string;
  row: RowFacts | null;
  /** The undecided row that it would fill. */
  fills: RowFacts | null;
  matchedBy: Decision['matchedBy'];
  spawn: Place & {
    id: string;
    column: number;
    api: string;
    argument: string;
    enclosing: string;
    path: string;
    use: string;
    certainty: string;
    unresolved: string | null;
    refusal: string | null;
  };
  definition: (Place & { qualifiedName: string | null }) | null;
  lifecycle: string;
  period: {
    seconds: number | null;
    range: { min: number; max: number } | null;
    nominalSeconds: number | null;
    initialDelaySeconds: number | null;
    source: string | null;
    catalogue: string | null;
  };
  required: boolean;
  expected: string | null;
  tag: Pick<Tag, 'projectId' | 'via' | 'file' | 'line'> | null;
  traceId: boolean;
  traceWanted: boolean;
  heartbeat: Heartbeat | null;
  alert: { thresholdSeconds: number; severity: string; loopName: string } | null;
  noAlert: string | null;
  class: Decision['class'];
  marker: string | null;
  priority: string | null;
  batch: string | null;
  reasons: string[];
  evidence: Evidence[];
  findings: Pick<Finding, 'rule' | 'code' | 'severity' | 'message' | 'fixable'>[];
  todo: string[];
}

export function rowFacts(entry: Entry, file: string): RowFacts {
  return {
    file,
    line: entry.row,
    number: entry.number,
    name: entry.name,
    lineText: entry.lineText,
    frequency: entry.frequency.text,
    marker: entry.marker,
    priority: entry.priorityText,
    remark: entry.remark,
    struck: entry.struck,
  };
}

export function loopFacts(
  decision: Decision,
  project: OpenProject,
  findings: readonly Finding[],
  mends: Mends,
): LoopExplanation {
  const { site, target, entry } = decision;
  const { catalogue, reconciliation, w } = project;
  const { range, shape } = site;
  const facts = target?.facts;
  const fills = reconciliation.undecided.find((u) => u.decision === decision)?.entry ?? null;
  const tag = tagInForce(decision);
  const identity = identityOf(decision);
  // one call may start several coroutines; what is found at the call itself is of all of them
  const own = findings.filter(
    (f) => f.site === site.id && (f.identity === identity || !f.identity?.startsWith(`${site.id}[`)),
  );
  const known = {
    name: target?.name ?? (site.argument || site.api),
    row: entry && catalogue ? rowFacts(entry, catalogue.file) : null,
    fills: fills && catalogue ? rowFacts(fills, catalogue.file) : null,
    matchedBy: decision.matchedBy,
    spawn: {
      id: site.id,
      file: range.file,
      line: range.line,
      column: range.column,
      api: site.api,
      argument: site.argument,
      enclosing: site.enclosing,
      path: shape.path,
      use: shape.use,
      certainty: site.certainty,
      unresolved: site.unresolved,
      refusal: shape.refusal?.reason ?? null,
    },
    definition: target?.file
      ? { file: target.file, line: target.line ?? 1, qualifiedName: target.qualifiedName }
      : null,
    lifecycle: facts?.lifecycle ?? 'unknown',
    period: {
      seconds: facts?.periodSeconds ?? null,
      range: facts?.periodRange ?? null,
      nominalSeconds: facts?.nominalPeriodSeconds ?? null,
      initialDelaySeconds: facts?.initialDelaySeconds ?? null,
      source: facts?.periodSource ?? null,
      catalogue: entry?.frequency.text ?? null,
    },
    required: decision.required,
    expected: decision.projectId,
    tag: tag && { projectId: tag.projectId, via: tag.via, file: tag.file, line: tag.line },
    traceId: target?.traceId ?? false,
    traceWanted: w.policy.priorities.find((p) => p.id === decision.priority)?.traceId ?? false,
    heartbeat: facts?.heartbeat ?? null,
    ...alertOf(decision, project),
    class: decision.class,
    marker: decision.marker,
    priority: decision.priority,
    batch: decision.batch,
    reasons: decision.reasons,
    evidence: [...site.evidence, ...(facts?.evidence ?? [])],
    findings: own.map(({ rule, code, severity, message, fixable }) => ({ rule, code, severity, message, fixable })),
  };
  return { ...known, todo: todo(known, decision, project, mends) };
}

function alertOf(decision: Decision, { w, reconciliation }: OpenProject): Pick<LoopExplanation, 'alert' | 'noAlert'> {
  const plan = buildAlerts([decision], w.policy, { among: reconciliation.decisions });
  const [loop] = plan.loops;
  if (!loop) return { alert: null, noAlert: plan.skipped[0]?.reason ?? null };
  const { thresholdSeconds, severity, loopName } = loop;
  return { alert: { thresholdSeconds, severity, loopName }, noAlert: null };
}

/** What is left, each with the command that does it. */
function todo(
  loop: Omit<LoopExplanation, 'todo'>,
  decision: Decision,
  { w, catalogue, reconciliation }: OpenProject,
  mends: Mends,
): string[] {
  // a tag at a call is one of all that it starts: those that are to carry another id go along
  const others = reconciliation.decisions.filter(
    (d) => d.site === decision.site && d.projectId !== null && d.projectId !== decision.projectId,
  );
  // without a catalogue `migrate` asks for the id
  const id = catalogue === null ? ` --project-id ${loop.expected ?? 'ID'}` : '';
  const migrate = (more: readonly Decision[]) => `looptag migrate --only ${selecting([decision, ...more])}${id}`;
  const [other] = catalogue === null ? others : [];
  const tag: Mend = other
    ? { why: `the same call starts ${nameOf(other)}, which is to carry ${other.projectId}: give each its own call` }
    : mends.projectId;
  const rule = decision.class === null ? null : w.policy.classes[decision.class];
  const legacy = decision.marker !== null && w.policy.markers[decision.marker]?.legacy === true;
  const out: (string | false)[] = [
    loop.fills !== null && `decide row #${loop.fills.number}: \`looptag catalog sync\` writes this loop into it`,
    catalogue !== null && !loop.row && !loop.fills && loop.required && 'give it a row: `looptag catalog sync`',
    loop.row?.struck === true && 'its row is struck out, yet it runs: `looptag catalog sync` revives the row',
    ...tagTodo(loop, tag, migrate(others)),
    loop.traceWanted && !loop.traceId && `set a trace id: ${byCommand(mends.traceId, `${migrate(others)} --trace`)}`,
    loop.lifecycle === 'loop' &&
      !loop.heartbeat?.inLoop &&
      `update a gauge in each round: ${byCommand(mends.heartbeat, `${migrate([])} --heartbeat`)}`,
    legacy && `leave the transitional marker ${decision.marker}`,
    decision.class === 'C' && `${rule?.title ?? 'class C'}: rebuild it as one worker a tenant`,
  ];
  return out.filter((t) => t !== false);
}

const byCommand = (mend: Mend, command: string): string => (mend === true ? `\`${command}\`` : `by hand: ${mend.why}`);

/** As `migrate --only` takes them, written for a shell. */
function selecting(decisions: readonly Decision[]): string {
  const words = decisions.map(({ entry, target, site }) => entry?.number?.toString() ?? target?.name ?? site.id);
  const list = [...new Set(words)].join(',');
  return /^[\w.:#,@-]+$/.test(list) ? list : `'${list.replaceAll("'", "'\\''")}'`;
}

function tagTodo(loop: Omit<LoopExplanation, 'todo'>, mend: Mend, migrate: string): string[] {
  if (!loop.required) return [];
  const { tag, expected } = loop;
  if (!tag && expected === null) return ['decide its class, then tag it'];
  if (!tag && mend !== true) return [`tag it by hand as ${expected}: ${mend.why}`];
  if (!tag) return [`tag it as ${expected}: \`${migrate}\``];
  if (tag.projectId !== null && expected !== null && tag.projectId !== expected)
    return [`correct the project id: ${tag.projectId} instead of ${expected} (${tag.file}:${tag.line})`];
  return [];
}

/** `1 h`, `30 s – 60 s`, `about 1 d`, `unknown`. */
export function periodText({ seconds, range, nominalSeconds }: LoopExplanation['period']): string {
  if (seconds !== null) return duration(seconds);
  if (range) return `${duration(range.min)} – ${duration(range.max)}`;
  return nominalSeconds === null ? 'unknown' : `about ${duration(nominalSeconds)}`;
}
