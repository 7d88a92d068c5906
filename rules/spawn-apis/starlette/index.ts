import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const func = { position: 0, keyword: 'func' };
const decorated = { position: -1, keyword: '' };

export default defineSpawnApi({
  library: 'starlette',
  rows: [
    {
      callee: 'BACKGROUND_TASKS.add_task',
      api: 'BackgroundTasks.add_task',
      takes: 'callable',
      argument: func,
      scheduled: true,
    },
    {
      callee: 'starlette.background.BackgroundTask',
      api: 'BackgroundTask',
      takes: 'callable',
      argument: func,
      scheduled: true,
    },
    {
      callee: 'fastapi_utils.tasks.repeat_every',
      api: 'repeat_every',
      takes: 'callable',
      argument: decorated,
      scheduled: true,
    },
    {
      callee: 'fastapi_utilities.repeat_every',
      api: 'repeat_every',
      takes: 'callable',
      argument: decorated,
      scheduled: true,
    },
    {
      callee: 'fastapi_restful.tasks.repeat_every',
      api: 'repeat_every',
      takes: 'callable',
      argument: decorated,
      scheduled: true,
    },
  ],
  makers: { 'fastapi.BackgroundTasks': 'BACKGROUND_TASKS', 'starlette.background.BackgroundTasks': 'BACKGROUND_TASKS' },
  types: { 'fastapi.BackgroundTasks': 'BACKGROUND_TASKS', 'starlette.background.BackgroundTasks': 'BACKGROUND_TASKS' },
});
