/** Task groups that the function which opens them waits for before it goes on. */
import type { OwnGroup, SpawnSite } from '../model/index.ts';
import type { Call, FunctionDef, Node, With } from '../syntax/index.ts';
import { nodesBelow, ownNodes } from './own-nodes.ts';
import { suspends } from './waits-for.ts';

const known = new WeakMap<With, OwnGroup | null>();

/**
 * The group that `NAME.create_task(…)` or `NAME.start_soon(…)` puts its task into, when the function of the call opens it
 * itself by `async with … as NAME`. One around a `yield` is none: whoever is yielded to goes on meanwhile, like a service
 * in its lifespan.
 */
export function ownGroup(call: Call): OwnGroup | null {
  if (call.func.kind !== 'Attribute' || call.func.value.kind !== 'Name') return null;
  const name = call.func.value.id;
  let block: With | null = null;
  for (let n: Node | null = call.parent; n; n = n.parent) {
    if (n.kind === 'Lambda' || n.kind === 'ClassDef') return null;
    if (n.kind === 'FunctionDef') return block && groupOf(block, n);
    if (!block && n.kind === 'With' && n.isAsync && binds(n, name)) block = n;
  }
  return null;
}

function binds(block: With, name: string): boolean {
  return block.items.some(({ optionalVars: v }) => v?.kind === 'Name' && v.id === name);
}

function groupOf(block: With, fn: FunctionDef): OwnGroup | null {
  let group = known.get(block);
  if (group === undefined) {
    const inside = nodesBelow(block.body);
    group = inside.some((n) => n.kind === 'Yield' || n.kind === 'YieldFrom')
      ? null
      : {
          start: block.start,
          ends: givesBack(fn, block.start) ? 'for-result' : inside.some(suspends) ? null : 'with-members',
        };
    known.set(block, group);
  }
  return group;
}

/** Does the function return something that it had to make, anywhere or from an offset on? */
export function givesBack(fn: FunctionDef, from = 0): boolean {
  for (const n of ownNodes(fn))
    if (n.kind === 'Return' && n.start > from && n.value && n.value.kind !== 'Constant') return true;
  return false;
}

/** A group of which one member goes round for ever ends only when it is cancelled, whatever the others do. */
export function findLastingGroups(sites: readonly SpawnSite[]): void {
  const key = ({ range, shape }: SpawnSite) => `${shape.group?.start} ${range.file}`;
  const lasting = new Set(
    sites.filter((s) => s.shape.group && s.targets.some((t) => t.facts.lifecycle !== 'one-shot')).map(key),
  );
  for (const site of sites)
    if (site.shape.group?.ends === 'with-members' && lasting.has(key(site))) site.shape.group.ends = null;
}
