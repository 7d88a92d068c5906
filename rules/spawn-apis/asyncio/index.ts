import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const coro = { position: 0, keyword: 'coro' };
const future = { position: 0, keyword: 'coro_or_future' };

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
  },
  types: {
    'asyncio.AbstractEventLoop': 'LOOP',
    'asyncio.BaseEventLoop': 'LOOP',
    'asyncio.SelectorEventLoop': 'LOOP',
    'asyncio.ProactorEventLoop': 'LOOP',
    'asyncio.EventLoop': 'LOOP',
    'uvloop.Loop': 'LOOP',
    'asyncio.TaskGroup': 'TASKGROUP',
  },
});
