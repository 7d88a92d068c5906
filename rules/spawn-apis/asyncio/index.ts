import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const coro = { position: 0, keyword: 'coro' };
const future = { position: 0, keyword: 'coro_or_future' };

/** What one waits for, and the methods that do. */
const waits: Record<string, string[]> = {
  'asyncio.Barrier': ['abort', 'reset', 'wait'],
  'asyncio.Condition': ['acquire', 'wait', 'wait_for'],
  'asyncio.Event': ['wait'],
  'asyncio.Lock': ['acquire'],
  'asyncio.Queue': ['get', 'join', 'put'],
  'asyncio.Semaphore': ['acquire'],
};
const kinds = {
  ...Object.fromEntries(Object.keys(waits).map((name) => [name, name])),
  'asyncio.BoundedSemaphore': 'asyncio.Semaphore',
  'asyncio.LifoQueue': 'asyncio.Queue',
  'asyncio.PriorityQueue': 'asyncio.Queue',
};

export default defineSpawnApi({
  library: 'asyncio',
  rows: [
    {
      callee: 'asyncio.create_task',
      api: 'asyncio.create_task',
      takes: 'coroutine',
      argument: coro,
    },
    { callee: 'asyncio.ensure_future', api: 'asyncio.ensure_future', takes: 'coroutine', argument: future },
    { callee: 'asyncio.Task', api: 'asyncio.Task', takes: 'coroutine', argument: coro },
    { callee: 'LOOP.create_task', api: 'loop.create_task', takes: 'coroutine', argument: coro },
    {
      callee: 'TASKGROUP.create_task',
      api: 'TaskGroup.create_task',
      takes: 'coroutine',
      argument: coro,
      structured: true,
    },
    {
      callee: 'asyncio.run_coroutine_threadsafe',
      api: 'asyncio.run_coroutine_threadsafe',
      takes: 'coroutine',
      argument: coro,
    },
    {
      callee: 'asyncio.gather',
      api: 'asyncio.gather',
      takes: 'coroutine',
      argument: { position: 0, keyword: '' },
      scheduled: true,
    },
  ],
  makers: {
    'asyncio.get_running_loop': 'LOOP',
    'asyncio.get_event_loop': 'LOOP',
    'asyncio.new_event_loop': 'LOOP',
    'asyncio._get_running_loop': 'LOOP',
    'asyncio.SelectorEventLoop': 'LOOP',
    'asyncio.ProactorEventLoop': 'LOOP',
    'asyncio.BaseEventLoop': 'LOOP',
    'asyncio.EventLoop': 'LOOP',
    'uvloop.new_event_loop': 'LOOP',
    'uvloop.Loop': 'LOOP',
    'POLICY.get_event_loop': 'LOOP',
    'POLICY.new_event_loop': 'LOOP',
    'RUNNER.get_loop': 'LOOP',
    'TASK.get_loop': 'LOOP',
    'asyncio.TaskGroup': 'TASKGROUP',
    'asyncio.Runner': 'RUNNER',
    'asyncio.get_event_loop_policy': 'POLICY',
    ...kinds,
  },
  types: {
    'asyncio.AbstractEventLoop': 'LOOP',
    'asyncio.BaseEventLoop': 'LOOP',
    'asyncio.SelectorEventLoop': 'LOOP',
    'asyncio.ProactorEventLoop': 'LOOP',
    'asyncio.EventLoop': 'LOOP',
    'uvloop.Loop': 'LOOP',
    'asyncio.TaskGroup': 'TASKGROUP',
    'asyncio.StreamReader': 'asyncio.StreamReader',
    'asyncio.StreamWriter': 'asyncio.StreamWriter',
    ...kinds,
  },
  ends: [
    'asyncio.create_subprocess_exec',
    'asyncio.create_subprocess_shell',
    'asyncio.gather',
    'asyncio.open_connection',
    'asyncio.shield',
    'asyncio.sleep',
    'asyncio.start_server',
    'asyncio.timeout',
    'asyncio.to_thread',
    'asyncio.wait',
    'asyncio.wait_for',
    'asyncio.StreamReader.read',
    'asyncio.StreamReader.readexactly',
    'asyncio.StreamReader.readline',
    'asyncio.StreamReader.readuntil',
    'asyncio.StreamWriter.drain',
    'asyncio.StreamWriter.wait_closed',
    ...Object.entries(waits).flatMap(([name, methods]) => methods.map((method) => `${name}.${method}`)),
  ],
});
