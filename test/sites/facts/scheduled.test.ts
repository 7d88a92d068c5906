/** How often work fires that a scheduler starts. */
import { describe, expect, it } from 'vitest';
import { analysisOf } from './support.ts';

const HEAD = `from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.cron import CronTrigger
from apscheduler.triggers.interval import IntervalTrigger as IT
from fastapi_utils.tasks import repeat_every
from somewhere import x
sch = AsyncIOScheduler()
OPTIONS = {"seconds": 4}
TRIGGER = IT(hours=1)
`;

function periodOf(text: string): number | null {
  const { scheduled } = analysisOf({ 'main.py': HEAD + text });
  expect(scheduled).toHaveLength(1);
  return scheduled[0]!.periodSeconds;
}

describe('add_job', () => {
  it.each([
    ['"interval", minutes=5', 300],
    ['"interval", **OPTIONS', 4],
    ['"interval", seconds=x', null],
    ['"interval", minutes=1, seconds=x', null],
    ['trigger="interval", hours=1, minutes=30', 5400],
    ['IT(seconds=45)', 45],
    ['IT(0, 0, 0, 0, 8)', 8],
    ['trigger=IT(0, 1)', 86400],
    ['TRIGGER', 3600],
    ['"date"', null],
    ['x', null],
    ['"cron", hour=3', 86400],
    ['"cron", hour=3, minute=30', 86400],
    ['"cron", hour="3,15"', 43200],
    ['"cron", hour="3,16"', null],
    ['"cron", hour="*/2"', 7200],
    ['"cron", hour="*/5"', null],
    ['"cron", hour="8-17"', null],
    ['"cron", minute="*/10"', 600],
    ['"cron", minute=5', 3600],
    ['"cron", minute="0,30"', 1800],
    ['"cron", second=0', 60],
    ['"cron", second="*/15"', 15],
    ['"cron", day_of_week="mon", hour=1', 604800],
    ['"cron", day_of_week="sun"', 604800],
    ['"cron", day_of_week="mon-fri", hour=1', null],
    ['"cron", day=1', null],
    ['"cron", hour=x', null],
    ['CronTrigger(hour=3)', 86400],
    ['CronTrigger(minute="*/5")', 300],
    ['CronTrigger.from_crontab("*/15 * * * *")', 900],
    ['CronTrigger.from_crontab("0 4 * * *")', 86400],
    ['CronTrigger.from_crontab("0 4 * * 1")', 604800],
    ['CronTrigger.from_crontab("0 4 1 * *")', null],
  ])('%s', (arguments_, seconds) => {
    expect(periodOf(`async def job(): ...\nsch.add_job(job, ${arguments_})\n`)).toBe(seconds);
  });
});

it.each([
  ['sch.scheduled_job(IT(minutes=2))', 120],
  ['sch.scheduled_job("interval", seconds=7)', 7],
  ['sch.scheduled_job("cron", hour=3)', 86400],
  ['repeat_every(seconds=60 * 60)', 3600],
])('@%s', (decorator, seconds) => {
  expect(periodOf(`@${decorator}\nasync def job(): ...\n`)).toBe(seconds);
});
