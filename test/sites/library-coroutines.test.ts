/** Coroutines of asyncio's own objects: known by the object, and they end by themselves. */
import { expect, it } from 'vitest';
import { analysisOf } from './facts/support.ts';

function told(text: string): string[] {
  return analysisOf({ 'main.py': text }).sites.map(({ targets, certainty }) =>
    targets
      .map(({ name, qualifiedName, facts }) => `${name}: ${qualifiedName}, ${facts.lifecycle}, ${certainty}`)
      .join(' | '),
  );
}

it('what one waits for is known by a call, a field, an annotation or a subclass', () => {
  const text = `import asyncio
class Jobs(asyncio.PriorityQueue): ...
class Pump:
    inbox: "asyncio.Queue[str]"
    def __init__(self, reader: asyncio.StreamReader, out: asyncio.Queue[int], more: "asyncio.Queue | None" = None):
        self.reader, self.out, self.more = reader, out, more
        self.stop = asyncio.Event()
        self.jobs = Jobs()
        self.by_name: dict[str, asyncio.Queue[int]] = {}
    async def run(self):
        asyncio.create_task(self.reader.readline())
        asyncio.create_task(self.out.put(1))
        asyncio.create_task(self.more.get())
        asyncio.create_task(self.stop.wait())
        asyncio.create_task(self.jobs.join())
        asyncio.create_task(self.inbox.get())
        for queue in self.by_name.values(): asyncio.create_task(queue.get())
        asyncio.create_task(asyncio.Lock().acquire())
        asyncio.create_task(asyncio.sleep(1))
`;
  expect(told(text)).toEqual([
    'self.reader.readline: asyncio.StreamReader.readline, one-shot, proven',
    'self.out.put: asyncio.Queue.put, one-shot, proven',
    'self.more.get: asyncio.Queue.get, one-shot, proven',
    'self.stop.wait: asyncio.Event.wait, one-shot, proven',
    'self.jobs.join: asyncio.Queue.join, one-shot, proven',
    'self.inbox.get: asyncio.Queue.get, one-shot, proven',
    'queue.get: asyncio.Queue.get, one-shot, proven',
    'asyncio.Lock.acquire: asyncio.Lock.acquire, one-shot, proven',
    'asyncio.sleep: asyncio.sleep, one-shot, proven',
  ]);
});

it('the name alone says nothing', () => {
  const text = `import asyncio
from janus import Queue
def boot(queue, event: "Event"):
    asyncio.create_task(queue.get())
    asyncio.create_task(event.wait())
    asyncio.create_task(Queue().get())
`;
  expect(told(text)).toEqual(['queue.get: null, unknown, unknown', 'event.wait: null, unknown, unknown', '']);
});
