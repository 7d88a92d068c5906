import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const func = { position: 0, keyword: 'async_fn' };

export default defineSpawnApi({
  library: 'trio',
  rows: [
    {
      callee: 'TRIO_NURSERY.start_soon',
      api: 'trio.Nursery.start_soon',
      takes: 'callable',
      argument: func,
      structured: true,
    },
    { callee: 'TRIO_NURSERY.start', api: 'trio.Nursery.start', takes: 'callable', argument: func, structured: true },
  ],
  makers: { 'trio.open_nursery': 'TRIO_NURSERY' },
  types: { 'trio.Nursery': 'TRIO_NURSERY' },
});
