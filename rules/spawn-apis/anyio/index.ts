import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const func = { position: 0, keyword: 'func' };

export default defineSpawnApi({
  library: 'anyio',
  rows: [
    {
      callee: 'ANYIO_TG.start_soon',
      api: 'anyio.TaskGroup.start_soon',
      takes: 'callable',
      argument: func,
      structured: true,
    },
    { callee: 'ANYIO_TG.start', api: 'anyio.TaskGroup.start', takes: 'callable', argument: func, structured: true },
  ],
  makers: { 'anyio.create_task_group': 'ANYIO_TG' },
  types: { 'anyio.abc.TaskGroup': 'ANYIO_TG', 'anyio.TaskGroup': 'ANYIO_TG' },
});
