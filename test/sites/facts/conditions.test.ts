/** What the condition of a loop, or of the way out of it, says: go on until told to stop, or until the work is done. */
import { describe, expect, it } from 'vitest';
import { job } from './support.ts';

const signature = 'self=None, q=None, x=None, state=None, item=None';

describe('while', () => {
  const lifecycle = (test: string, round = 'await sleep(5)'): string =>
    job(`while ${test}:\n    ${round}`, { signature }).lifecycle;

  it.each([
    'self.running',
    'not self.stopped',
    'not self._stop_requested',
    'not x.shutting_down',
    'self.is_running()',
    'not self.is_stopped()',
    'not stop.is_set()',
    'not self.stop_event.is_set()',
    'not x.stop.done()',
    'not await self.should_stop()',
    'not self.closed and not stop.is_set()',
    'self.keep_going or self.running',
    '(alive := self.alive)',
    'state != "stopping"',
    'self.state == "running"',
    'self.state is not self.STOPPED',
    'state is not State.SHUTDOWN',
    'self.state != x.closing',
    'self.is_alive()',
    'not x.event.wait(5)',
  ])('%s goes on until it is told to stop', (test) => {
    expect(lifecycle(test)).toBe('loop');
  });

  it.each([
    'not x.ready',
    'not self.is_complete()',
    'not x.done()',
    'not fut.done()',
    'x.has_more',
    'x.has_next()',
    'not q.empty()',
    'q.qsize()',
    'x.poll() is None',
    'x.is_alive()',
    'x.returncode is None',
    'self.count < 10',
    'x > 0',
    'len(q)',
    'await x.fetch()',
    'state == "pending"',
    'self.state == "pending"',
    'x.state == "running"',
    'state in ("pending", "queued")',
    'self.running and not x.ready',
    'not (self.running and x.ready)',
  ])('%s goes on until the work is done', (test) => {
    expect(lifecycle(test)).not.toBe('loop');
  });

  it.each([['x.something'], ['something()'], ['-x'], ['self.running and x.something'], ['[x]']])(
    '%s is not known',
    (test) => {
      expect(lifecycle(test)).toBe('unknown');
    },
  );

  it.each([
    ['running', 'running = True', 'running = await work()', 'one-shot'],
    ['running', 'running = True', 'running = not stop.is_set()', 'one-shot'],
    ['running', 'running = True', 'running = self.is_running()', 'loop'],
    ['ready', 'ready = False', 'await sleep(5)', 'one-shot'],
    ['running', 'running = True', 'await sleep(5)', 'loop'],
    ['running', 'running = True', 'running: bool = self.is_running()', 'loop'],
    ['running', 'running = True', 'if stop.is_set(): running = False', 'loop'],
    ['running', 'running = True', 'if x.ready: running = False', 'one-shot'],
    ['running', 'running = True', 'running -= 1', 'one-shot'],
  ])('%s after %s, where a round does %s', (test, before, round, answer) => {
    const body = `${before}\nwhile ${test}:\n    await sleep(5)\n    ${round}`;
    expect(job(body, { signature }).lifecycle).toBe(answer);
  });
});

describe('the way out', () => {
  const lifecycle = (round: string, leave = 'break'): string =>
    job(`while True:\n    ${round.replaceAll('\n', '\n    ')}: ${leave}\n    await sleep(5)`, { signature }).lifecycle;

  it.each([
    'if stop.is_set()',
    'if self.stopping',
    'if not self.running',
    'if self.should_exit()',
    'if await stop.wait()',
    'if x.wait(3)',
    'if state == "shutdown"',
    'if "quit" == item',
    'item = await q.get()\nif item is None',
    'item = q.get_nowait()\nif item == None',
    'item = await q.recv()\nif item == "stop"',
    'item = await q.receive()\nif item["type"] == "close"',
    'item = await q.get()\nif item is STOP',
    'item = await q.get()\nif item is _SENTINEL',
    'item = await work()\nif item.cancel',
    'if (item := await q.get()) is None',
    'if stop.is_set() or self.closing',
  ])('%s is an order', (round) => {
    expect(lifecycle(round)).toBe('loop');
    expect(lifecycle(round, 'return')).toBe('loop');
  });

  it.each([
    'if x.ready',
    'if not q',
    'item = await work()\nif item is None',
    'item = await work()\nif item',
    'item = await work()\nif item.status == "stopped"',
    'item = await work()\nif item.done',
    'item = await work()\nif item.running',
    'item = await work()\nif item["state"] == "closed"',
    'item = await work()\nif item.state() == "closed"',
    'item = work()\nif item == "stopped"',
    'if await work() == "stopped"',
    'if (item := await work()) == "stopped"',
    'if (item := await work()) is None',
    'if x == 3',
    'if x > 3',
    'if len(q) == 0',
    'if not q.qsize()',
  ])('%s means that the work is done', (round) => {
    expect(lifecycle(round)).toBe('one-shot');
    expect(lifecycle(round, 'return')).toBe('one-shot');
  });
});
