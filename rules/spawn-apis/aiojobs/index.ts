import { defineSpawnApi } from '../../../src/engine/contracts.ts';

export default defineSpawnApi({
  library: 'aiojobs',
  rows: [
    {
      callee: 'AIOJOBS.spawn',
      api: 'aiojobs.Scheduler.spawn',
      takes: 'coroutine',
      argument: { position: 0, keyword: 'coro' },
    },
    {
      callee: 'aiojobs.aiohttp.spawn',
      api: 'aiojobs.Scheduler.spawn',
      takes: 'coroutine',
      argument: { position: 1, keyword: 'coro' },
    },
  ],
  makers: {
    'aiojobs.Scheduler': 'AIOJOBS',
    'aiojobs.create_scheduler': 'AIOJOBS',
    'aiojobs.aiohttp.get_scheduler': 'AIOJOBS',
  },
  types: { 'aiojobs.Scheduler': 'AIOJOBS' },
});
