/** How often does a scheduler's trigger fire: intervals, and cron fields whose moments are evenly spaced. */
import { mappingOf, type Place } from '../semantics/index.ts';
import type { Call, Expr } from '../syntax/index.ts';
import type { Project } from './project.ts';

const UNITS: Record<string, number> = { weeks: 604800, days: 86400, hours: 3600, minutes: 60, seconds: 1 };
/** From the longest to the shortest; those below the last one that is given are at their minimum. */
const CRON = ['year', 'month', 'day', 'week', 'day_of_week', 'hour', 'minute', 'second'] as const;
type CronField = (typeof CRON)[number];
const DAY = 86400;

/** The arguments that describe the trigger, with what each is known to be. */
type Given = Map<string, Place>;

export function schedulePeriod(project: Project, call: Place & { node: Call }): number | null {
  const trigger = triggerOf(call.node);
  if (trigger?.kind === 'Call') return triggerPeriod(project, { ...call, node: trigger });
  const kind = trigger ? project.folder.fold({ ...call, node: trigger })?.value : undefined;
  if (trigger && typeof kind !== 'string') return variableTrigger(project, { ...call, node: trigger });
  const given = keywordsOf(project, call);
  if (!given) return null;
  return kind === 'cron' ? cronPeriod(project, given) : kind === 'date' ? null : interval(project, given);
}

/** The trigger of `add_job(job, TRIGGER)`, `scheduled_job(TRIGGER)`, or by keyword. */
function triggerOf(call: Call): Expr | undefined {
  const keyword = call.keywords.find((k) => k.arg === 'trigger')?.value;
  if (keyword) return keyword;
  const name = call.func.kind === 'Attribute' ? call.func.attr : call.func.kind === 'Name' ? call.func.id : '';
  if (name === 'add_job') return call.args[1];
  return name === 'scheduled_job' ? call.args[0] : undefined;
}

/** A trigger that a name stands for. */
function variableTrigger(project: Project, place: Place): number | null {
  const values = [...project.ev.valueAt(place).values()];
  const [only] = values;
  if (values.length !== 1 || only?.value.k !== 'external') return null;
  return triggerPeriod(project, only.value.call);
}

function triggerPeriod(project: Project, call: Place & { node: Call }): number | null {
  for (const q of project.namesOf(call.scope.module, call.node.func)) {
    if (q.endsWith('.CronTrigger.from_crontab')) return crontab(project, call);
    const given = keywordsOf(project, call);
    if (!given) return null;
    if (q.endsWith('.CronTrigger')) return call.node.args.length ? null : cronPeriod(project, given);
    if (!q.endsWith('.IntervalTrigger')) continue;
    for (const [i, unit] of Object.keys(UNITS).entries()) {
      const node = call.node.args[i];
      if (node?.kind === 'Starred') return null;
      if (node) given.set(unit, { ...call, node });
    }
    return interval(project, given);
  }
  return null;
}

function keywordsOf(project: Project, call: Place & { node: Call }): Given | null {
  const out: Given = new Map();
  for (const k of call.node.keywords) {
    const place = { ...call, node: k.value };
    if (k.arg !== null) {
      out.set(k.arg, place);
      continue;
    }
    const spread = mappingOf(project.ev, place, null);
    if (!spread) return null;
    for (const [name, v] of spread) out.set(String(name), v.place);
  }
  return out;
}

/** `seconds=60 * 60`, `minutes=5`; null when one of them is not known. */
function interval(project: Project, given: Given): number | null {
  let total: number | null = null;
  for (const [unit, length] of Object.entries(UNITS)) {
    const place = given.get(unit);
    if (!place) continue;
    const v = project.folder.fold(place)?.value;
    if (typeof v !== 'number') return null;
    total = (total ?? 0) + v * length;
  }
  return total || null;
}

// ---- cron ----

// `CronTrigger.from_crontab("*/5 * * * *")`: minute, hour, day, month, day of the week.
function crontab(project: Project, call: Place & { node: Call }): number | null {
  const [first] = call.node.args;
  const text = first ? project.folder.fold({ ...call, node: first })?.value : null;
  const parts = typeof text === 'string' ? text.trim().split(/\s+/) : [];
  const [minute, hour, day, month, weekday] = parts;
  if (parts.length !== 5) return null;
  return spacing({ second: '0', minute, hour, day, month, day_of_week: weekday });
}

function cronPeriod(project: Project, given: Given): number | null {
  const fields: Partial<Record<CronField, string>> = {};
  let last = -1;
  for (const [i, name] of CRON.entries()) {
    const place = given.get(name);
    if (!place) continue;
    const v = project.folder.fold(place)?.value;
    if (typeof v !== 'number' && typeof v !== 'string') return null;
    fields[name] = String(v);
    last = i;
  }
  if (last < 0) return null;
  for (const [i, name] of CRON.entries())
    if (i > last && fields[name] === undefined) fields[name] = i >= CRON.indexOf('hour') ? '0' : '*';
  return spacing(fields);
}

/** The distance of the moments, when they are evenly spaced. */
function spacing(fields: Partial<Record<CronField, string | undefined>>): number | null {
  const every = (name: CronField): boolean => (fields[name] ?? '*') === '*';
  if (!every('year') || !every('month') || !every('day') || !every('week')) return null;
  const hours = values(fields.hour ?? '*', 24);
  const minutes = values(fields.minute ?? '*', 60);
  const seconds = values(fields.second ?? '*', 60);
  if (!hours || !minutes || !seconds) return null;
  if (!every('day_of_week')) {
    const once = hours.length === 1 && minutes.length === 1 && seconds.length === 1;
    return once && /^(\d|mon|tue|wed|thu|fri|sat|sun)$/i.test(fields.day_of_week!) ? 7 * DAY : null;
  }
  const moments = hours.flatMap((h) => minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + s)));
  const [first] = moments;
  if (first === undefined) return null;
  const gaps = moments.map((t, i) => (moments[i + 1] ?? first + DAY) - t);
  return gaps.every((g) => g === gaps[0]) ? gaps[0]! : null;
}

// `*`, `*/15`, `3`, `8-17`, `0-30/10`, and several of them with commas: in order; null for anything else.
function values(text: string, size: number): number[] | null {
  const out = new Set<number>();
  for (const part of text.split(',')) {
    const m = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part.trim());
    if (!m) return null;
    const [, star, low, high, step] = m;
    const from = star ? 0 : Number(low);
    const to = star || (step && high === undefined) ? size - 1 : Number(high ?? low);
    const by = Number(step ?? 1);
    if (by < 1 || from > to || to >= size) return null;
    for (let i = from; i <= to; i += by) out.add(i);
  }
  return [...out].sort((a, b) => a - b);
}
