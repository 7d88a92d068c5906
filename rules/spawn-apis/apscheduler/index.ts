import { defineSpawnApi } from '../../../src/engine/contracts.ts';

const func = { position: 0, keyword: 'func' };

export default defineSpawnApi({
  library: 'apscheduler',
  rows: [
    { callee: 'APSCHEDULER.add_job', api: 'APScheduler.add_job', takes: 'callable', argument: func, scheduled: true },
    {
      callee: 'APSCHEDULER.scheduled_job',
      api: 'APScheduler.scheduled_job',
      takes: 'callable',
      argument: { position: -1, keyword: '' },
      scheduled: true,
    },
  ],
  makers: {
    'apscheduler.schedulers.asyncio.AsyncIOScheduler': 'APSCHEDULER',
    'apscheduler.schedulers.background.BackgroundScheduler': 'APSCHEDULER',
    'apscheduler.schedulers.blocking.BlockingScheduler': 'APSCHEDULER',
    'apscheduler.AsyncScheduler': 'APSCHEDULER',
  },
  types: { 'apscheduler.schedulers.asyncio.AsyncIOScheduler': 'APSCHEDULER' },
});
