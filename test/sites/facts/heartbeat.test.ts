/** Heartbeats that a function of the project sends for the loop. */
import { describe, expect, it } from 'vitest';
import { factsOf } from './support.ts';

const BEATS = `import asyncio, time, contextlib
from prometheus_client import Gauge
LAST = Gauge("last_round", "x", ["loop", "project_id"])
PLAIN = Gauge("last", "x")
DEPTH = Gauge("queue_depth", "x")
async def work(): DEPTH.set(7)
def beat(name, project="awoooi"): LAST.labels(loop=name, project_id=project).set_to_current_time()
async def beat_later(): PLAIN.set(time.time())
def beat_if(ok):
    if ok: PLAIN.set_to_current_time()
def beat_badly():
    try: print()
    finally: PLAIN.set_to_current_time()
@contextlib.contextmanager
def round_of(name):
    yield
    LAST.labels(name, "p").set_to_current_time()
@contextlib.contextmanager
def begun():
    PLAIN.set_to_current_time()
    yield
@contextlib.contextmanager
def always():
    try: yield
    finally: PLAIN.set_to_current_time()
class Pulse:
    def __init__(self, name): self.name = name
    def beat(self): LAST.labels(loop=self.name, project_id="x").set_to_current_time()
`;

function heartbeat(body: string) {
  const indented = body.split('\n').map((line) => `        ${line}`);
  const [first] = factsOf(`${BEATS}
async def job():
    pulse = Pulse("mine")
    while True:
${indented.join('\n')}
        await asyncio.sleep(5)
def boot(): asyncio.create_task(job())
`);
  const beat = first![1].heartbeat;
  return beat && [beat.onSuccess, beat.metric, beat.labels];
}

describe('a heartbeat by way of a function', () => {
  it.each([
    ['await work()\nbeat("mail")', [true, 'last_round', { loop: 'mail', project_id: 'awoooi' }]],
    ['await work()\nbeat(project="p", name="mail")', [true, 'last_round', { loop: 'mail', project_id: 'p' }]],
    ['await work()\nbeat(unknown)', [true, 'last_round', { loop: null, project_id: 'awoooi' }]],
    ['await work()\nawait beat_later()', [true, 'last', null]],
    ['await work()\npulse.beat()', [true, 'last_round', { loop: 'mine', project_id: 'x' }]],
    ['with round_of("mail"):\n    await work()', [true, 'last_round', { loop: 'mail', project_id: 'p' }]],
    [
      'try:\n    await work()\nexcept OSError:\n    beat("mail")',
      [false, 'last_round', { loop: 'mail', project_id: 'awoooi' }],
    ],
    [
      'try:\n    await work()\nexcept OSError:\n    pass\nbeat("mail")',
      [false, 'last_round', { loop: 'mail', project_id: 'awoooi' }],
    ],
    ['await work()\nbeat_if(unknown)', [false, 'last', null]],
    ['await work()\nbeat_badly()', [false, 'last', null]],
    ['with begun():\n    await work()', [false, 'last', null]],
    ['with always():\n    await work()', [false, 'last', null]],
    ['await work()', null],
  ])('%s', (body, expected) => {
    expect(heartbeat(body)).toEqual(expected);
  });
});
