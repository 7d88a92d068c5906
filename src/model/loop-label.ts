/** How a gauge tells loops apart: what `migrate --heartbeat` writes into the code, and what the alerts watch. */
import { tail } from './identifier.ts';
import type { Policy } from './policy.ts';
import type { Heartbeat, Target } from './site.ts';

export interface GaugeLabels {
  loopLabel: string;
  projectLabel: string | null;
}

/** By convention the label that speaks of a project or tenant names that; the first other one names the loop. */
export function gaugeLabels({ heartbeat: { labels } }: Pick<Policy, 'heartbeat'>): GaugeLabels {
  const projectLabel = labels.find((label) => /project|tenant/i.test(label)) ?? null;
  return { loopLabel: labels.find((label) => label !== projectLabel) ?? 'loop_name', projectLabel };
}

/** The loop's gauge, when it is the policy's one (or may be: its name is not literal). */
export function ownHeartbeat(heartbeat: Heartbeat | null, policy: Pick<Policy, 'heartbeat'>): Heartbeat | null {
  if (heartbeat === null) return null;
  return heartbeat.metric === null || heartbeat.metric === policy.heartbeat.metric ? heartbeat : null;
}

/**
 * Value of the loop label for a function: its last name without leading `_` and `run_` (ADR-123 D5's example).
 * A name that is nothing else is kept.
 */
export function loopName(functionName: string): string {
  const last = tail(functionName);
  const bare = last.replace(/^_+/, '').replace(/^run_/, '');
  return bare === '' ? last : bare;
}

/** One function, however many spawns start it. */
interface Named {
  /** From short to long; the last ones tell apart what the first ones do not. */
  names: readonly string[];
  level: number;
}

/**
 * The value of the loop label for each of some loops: what the code writes, else `loopName`, and of functions that would
 * share it (`Mailer.run`, `Cleaner.run`) as much of the dotted name as tells them apart. One that stopped would hide
 * behind the others.
 */
export function loopNames(targets: Iterable<Target>, policy: Pick<Policy, 'heartbeat'>): (target: Target) => string {
  const { loopLabel } = gaugeLabels(policy);
  const written = ({ facts }: Target) => ownHeartbeat(facts.heartbeat, policy)?.labels?.[loopLabel] ?? null;
  const known = new Map<string, Named>();
  for (const target of targets) {
    if (target.facts.lifecycle === 'one-shot') continue;
    const literal = written(target);
    const names = literal === null ? candidates(target) : [literal];
    if (!known.has(definitionOf(target))) known.set(definitionOf(target), { names, level: 0 });
  }
  tellApart([...known.values()]);
  return (target) => {
    const named = known.get(definitionOf(target));
    return written(target) ?? named?.names[named.level] ?? loopName(target.name);
  };
}

function tellApart(all: readonly Named[]): void {
  const named = ({ names, level }: Named) => names[level]!;
  for (let changed = true; changed; ) {
    const count = new Map<string, number>();
    for (const one of all) count.set(named(one), 1 + (count.get(named(one)) ?? 0));
    const longer = all.filter((one) => count.get(named(one))! > 1 && one.level + 1 < one.names.length);
    for (const one of longer) one.level++;
    changed = longer.length > 0;
  }
}

/** `run`, then `Mailer.run`, then `jobs.Mailer.run`. */
function candidates({ name, qualifiedName }: Target): string[] {
  const parts = (qualifiedName ?? name).split('.');
  return [loopName(name), ...parts.map((_, i) => parts.slice(-i - 1).join('.'))];
}

function definitionOf({ file, line, qualifiedName, name }: Target): string {
  return file === null ? (qualifiedName ?? name) : `${file}:${line}`;
}
