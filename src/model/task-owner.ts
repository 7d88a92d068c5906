const UNOWNED = new Set(['asyncio.create_task', 'asyncio.ensure_future', 'asyncio.Task', 'loop.create_task']);

/** Only these leave the task to the caller; groups, schedulers and wrappers have owners of their own. */
export const leavesTask = (api: string): boolean => UNOWNED.has(api);
