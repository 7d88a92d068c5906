/** Which loops a migration is for. */
import { nearest } from '../engine/nearest.ts';
import type { Decision } from '../model/index.ts';
import { inBatch } from '../policy/index.ts';
import { printable } from '../report/escape.ts';
import { Trouble } from './trouble.ts';
import type { Workspace } from './workspace.ts';

export interface Selection {
  projectId?: string;
  batch?: string;
  priority?: string[];
  class?: string[];
  only?: string[];
  catalog?: string;
  contextVar?: string;
  /** Tags are taken out, so that no id is asked for. */
  revert?: boolean;
  /** Asked before, of the files as they were. */
  isAgain?: boolean;
}

export function hasFilter(s: Selection): boolean {
  return Boolean(s.batch || s.priority?.length || s.class?.length || s.only?.length);
}

/** Those that `--only` names, each word by whole names or else by the ends of dotted ones; null where it is not given. */
export function namedBy(
  decisions: readonly Decision[],
  { only = [], isAgain }: Selection,
): ReadonlySet<Decision> | null {
  if (!only.length) return null;
  const named = only.map((word) => {
    const exact = decisions.filter((d) => namesOf(d).includes(word));
    return exact.length ? exact : decisions.filter((d) => namesOf(d).some((name) => name.endsWith(`.${word}`)));
  });
  // rows that are found by their lines may be lost once these have moved
  if (!isAgain && decisions.length) mustStart(decisions, only[named.findIndex((some) => !some.length)]);
  return new Set(named.flat());
}

/** A slip in one of several names would leave that loop out unseen. */
function mustStart(decisions: readonly Decision[], unknown: string | undefined): void {
  if (unknown === undefined) return;
  const words = decisions.flatMap(namesOf).filter((name) => !isNumber(name));
  const near = isNumber(unknown) ? null : nearest(unknown, words);
  throw new Trouble(
    `--only: no loop is called ${JSON.stringify(printable(unknown))}`,
    near
      ? `did you mean ${printable(near)}?`
      : 'name it by its row, function or id; `looptag inventory` lists the loops',
  );
}

const isNumber = (word: string): boolean => /^#?\d+$/.test(word);

/** What `--only` may call it. */
function namesOf({ entry, target, site }: Decision): string[] {
  const number = entry?.number ?? null;
  const row = number === null ? [] : [String(number), `#${number}`];
  const listed = entry?.name == null ? [] : [entry.name];
  return [...row, ...(target ? [target.name, target.qualifiedName ?? target.name] : []), ...listed, site.id];
}

/** A word that the policy does not know would select nothing. */
export function mustKnow({ policy }: Workspace, { priority = [], class: classes = [] }: Selection): void {
  const known: [string, readonly string[], string[]][] = [
    ['priority', priority, policy.priorities.map(({ id }) => id)],
    ['class', classes, Object.keys(policy.classes)],
  ];
  for (const [what, asked, words] of known) {
    const unknown = asked.find((word) => !words.includes(word));
    if (unknown !== undefined)
      throw new Trouble(`the policy has no ${what} ${JSON.stringify(unknown)}`, `known: ${words.join(', ')}`);
  }
}

/** @param named - what {@link namedBy} gave */
export function selected(w: Workspace, d: Decision, s: Selection, named: ReadonlySet<Decision> | null): boolean {
  if (s.batch !== undefined) {
    const batch = w.policy.batches[s.batch];
    if (!batch)
      throw new Trouble(
        `the policy has no batch ${JSON.stringify(s.batch)}`,
        `known: ${Object.keys(w.policy.batches).join(', ')}`,
      );
    if (!inBatch(batch, d)) return false;
  }
  if (s.priority?.length && !s.priority.includes(d.priority ?? '')) return false;
  if (s.class?.length && !s.class.includes(d.class ?? '')) return false;
  return named?.has(d) ?? true;
}
