/** Names outside the project, as they are looked up in the tables of libraries. */
import type { LibraryTable } from './libraries.ts';

const ASYNCIO_SUBMODULES = new Set(
  'tasks events taskgroups runners base_events unix_events windows_events selector_events proactor_events futures coroutines locks queues timeouts threads base_futures base_tasks'.split(
    ' ',
  ),
);

/** `asyncio.tasks.create_task` is `asyncio.create_task`. */
export function canonicalName(q: string): string {
  if (!q.startsWith('asyncio.')) return q;
  const parts = q.split('.');
  if (parts.length >= 3 && ASYNCIO_SUBMODULES.has(parts[1]!)) parts.splice(1, 1);
  return parts.join('.');
}

/** A member of something outside the project. */
export function memberNamed({ attributes }: LibraryTable, of: string, attr: string): string {
  const q = canonicalName(`${of}.${attr}`);
  return attributes.get(q) ?? q;
}
