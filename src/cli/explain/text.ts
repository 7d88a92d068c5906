/** An explanation for people: one fact a line, with the place where it was read. */
import type { ChalkInstance } from 'chalk';
import { duration } from '../../model/duration.ts';
import type { Mention } from '../../model/index.ts';
import { leavesTask } from '../../model/task-owner.ts';
import { printable } from '../../report/escape.ts';
import { type LoopExplanation, periodText, type RowFacts } from './facts.ts';

type Line = [label: string, text: string] | null;

/** Width of the labels. */
const LABEL = 13;

export function loopText(loop: LoopExplanation, chalk: ChalkInstance): string {
  const lines: Line[] = [
    rowLine('row', loop.row),
    loop.row && loop.matchedBy !== null ? ['matched by', loop.matchedBy] : null,
    rowLine('would fill', loop.fills),
    ['spawn', spawnText(loop)],
    loop.definition && ['definition', definitionText(loop.definition)],
    ['lifecycle', loop.lifecycle],
    periodLine(loop),
    ['tag', tagText(loop)],
    ['trace id', `${yes(loop.traceId)}${loop.traceWanted ? ` (${loop.priority} asks for one)` : ''}`],
    ['heartbeat', heartbeatText(loop)],
    ['alert', alertText(loop)],
  ];
  return [
    chalk.bold(headline(loop)),
    ...lines.flatMap((line) => (line ? [`  ${chalk.dim(line[0].padEnd(LABEL))} ${printable(line[1])}`] : [])),
    ...list('why', loop.reasons, chalk),
    ...list(
      'evidence',
      loop.evidence.map((e) => `${e.file}:${e.line} ${e.fact}: ${e.text.trim()}`),
      chalk,
    ),
    ...list(
      'findings',
      loop.findings.map((f) => `${f.code} ${f.rule} (${f.severity}): ${f.message}`),
      chalk,
    ),
    ...list('left to do', loop.todo.length ? loop.todo : ['nothing'], chalk),
  ].join('\n');
}

function headline(loop: LoopExplanation): string {
  const every = loop.lifecycle === 'loop' ? `every ${periodText(loop.period)}` : loop.lifecycle;
  const number = loop.row?.number ?? null;
  const parts = [
    `${number === null ? '' : `#${number} `}${loop.name}`,
    loop.class === null ? 'no class' : `class ${loop.class}`,
    loop.priority ?? 'no priority',
    every,
  ];
  return parts.map(printable).join(' · ');
}

function rowLine(label: string, row: RowFacts | null): Line {
  return row && [label, rowText(row)];
}

export function rowText(row: RowFacts): string {
  const cells = [row.lineText, row.frequency, row.marker ?? '', row.priority, row.remark];
  const name = row.name === null ? '(undecided)' : row.struck ? `~~${row.name}~~` : row.name;
  return `${row.file}:${row.line} ${[name, ...cells.filter(Boolean)].join(' | ')}`;
}

function spawnText({ spawn }: LoopExplanation): string {
  const where = spawn.enclosing === '<module>' ? 'at module level' : `in ${spawn.enclosing}`;
  const path = spawn.path === 'unknown' ? '' : `, ${spawn.path}`;
  const call = `${spawn.api}(${spawn.argument.split('\n', 1)[0]})`;
  const doubt = spawn.certainty === 'proven' ? '' : `, ${spawn.certainty}`;
  const why = spawn.unresolved ? `; ${spawn.unresolved}` : '';
  // what a wrapper or a group hands back may be dropped: it keeps the task itself
  const use = spawn.use === 'dropped' && !leavesTask(spawn.api) ? '' : `, task ${spawn.use}`;
  return `${spawn.file}:${spawn.line}:${spawn.column} ${call} ${where}${path}${use}${doubt}${why}`;
}

function definitionText({ file, line, qualifiedName }: NonNullable<LoopExplanation['definition']>): string {
  return `${file}:${line}${qualifiedName ? ` ${qualifiedName}` : ''}`;
}

function periodLine({ lifecycle, period }: LoopExplanation): Line {
  if (lifecycle === 'one-shot') return null;
  const parts = [
    periodText(period),
    period.source && `read from ${period.source}`,
    period.initialDelaySeconds && `starts after ${duration(period.initialDelaySeconds)}`,
    period.catalogue && `catalogue: ${period.catalogue}`,
  ];
  return ['period', parts.filter(Boolean).join('; ')];
}

function tagText({ tag, expected, required }: LoopExplanation): string {
  const wanted = required
    ? expected === null
      ? 'undecided what it must carry'
      : `must carry ${expected}`
    : 'needs none';
  if (!tag) return `none; ${wanted}`;
  const id = tag.projectId ?? 'an id not known statically';
  return `${id} by ${tag.via} at ${tag.file}:${tag.line}${tag.projectId === expected ? '' : `; ${wanted}`}`;
}

function heartbeatText({ heartbeat: h }: LoopExplanation): string {
  if (!h) return 'none';
  const how = [h.inLoop ? 'in each round' : 'not in the loop', h.onSuccess ? 'on success' : 'also on failure'];
  return `${h.metric ?? h.variable} at ${h.file}:${h.line}, ${how.join(', ')}`;
}

function alertText({ alert, noAlert }: LoopExplanation): string {
  if (!alert) return `none: ${noAlert ?? 'nothing to watch'}`;
  return `stale after ${duration(alert.thresholdSeconds)}, ${alert.severity}, loop_name ${alert.loopName}`;
}

function yes(value: boolean): string {
  return value ? 'yes' : 'no';
}

function list(title: string, items: readonly string[], chalk: ChalkInstance): string[] {
  if (!items.length) return [];
  return [`  ${chalk.dim(title)}`, ...items.map((item) => `    - ${printable(item)}`)];
}

export function mentionText(m: Mention): string {
  const detail = m.detail ? `; ${m.detail}` : '';
  const spawns = m.spawns ? `; spawns ${m.spawns}` : '';
  return printable(`${m.file}:${m.line}:${m.column} no spawn site: ${m.kind}${detail}${spawns}: ${m.text.trim()}`);
}
