import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Target } from '../../src/model/index.ts';
import { gaugeLabels, loopName, loopNames } from '../../src/model/loop-label.ts';
import { facts, target } from '../support/builders.ts';
import { policy } from './awoooi.ts';

const { heartbeat } = policy();

/** A loop by its dotted name, which no other one has. */
function loop(qualifiedName: string, label?: string): Target {
  const name = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
  const beat = {
    metric: heartbeat.metric,
    variable: heartbeat.variable,
    file: 'a.py',
    line: 3,
    labelNames: ['loop_name', 'project_id'],
    labels: { loop_name: label ?? null, project_id: 'awoooi' },
    onSuccess: true,
    inLoop: true,
    definition: null,
  };
  const own = facts(label === undefined ? {} : { heartbeat: beat });
  return target(name, { qualifiedName, file: `${qualifiedName}.py`, facts: own });
}

const named = (loops: Target[], among = loops) => loops.map(loopNames(among, { heartbeat }));

describe('one loop', () => {
  it.each([
    ['run_approval_timeout_resolver', 'approval_timeout_resolver'],
    ['_run_kb_rot_cleaner_loop', 'kb_rot_cleaner_loop'],
    ['resend_stale_ready_tokens', 'resend_stale_ready_tokens'],
    ['self._run_poll', 'poll'],
    ['run_', 'run_'],
    ['runner', 'runner'],
  ])('%s → %s', (name, expected) => {
    expect(loopName(name)).toBe(expected);
    expect(named([target(name)])).toEqual([expected]);
  });

  it('started twice has one name', () => {
    const twice = loop('src.jobs.run_poll');
    expect(named([twice, { ...twice }])).toEqual(['poll', 'poll']);
  });
});

describe('loops that would share a name', () => {
  test.each([
    [
      ['src.w.Mailer.run', 'src.w.Cleaner.run', 'src.w.run_poll'],
      ['Mailer.run', 'Cleaner.run', 'poll'],
    ],
    [
      ['src.a.run_sync', 'src.b.run_sync'],
      ['a.run_sync', 'b.run_sync'],
    ],
    [
      ['src.a.W.run', 'src.b.W.run', 'src.c.V.run'],
      ['a.W.run', 'b.W.run', 'V.run'],
    ],
    [
      ['src.a.run_poll', 'src.a._poll'],
      ['run_poll', '_poll'],
    ],
  ])('%j → %j', (names, expected) => expect(named(names.map((n) => loop(n)))).toEqual(expected));

  it('leave the one that the code has written already to it', () => {
    expect(named([loop('src.a.W.run', 'run'), loop('src.b.V.run')])).toEqual(['run', 'V.run']);
  });

  it('are told apart from those that are not asked about, and one-shots have no say', () => {
    const [mailer, cleaner] = [loop('src.w.Mailer.run'), loop('src.w.Cleaner.run')];
    expect(named([mailer], [mailer, cleaner])).toEqual(['Mailer.run']);
    const once = { ...cleaner, facts: facts({ lifecycle: 'one-shot' }) };
    expect(named([mailer], [mailer, once])).toEqual(['run']);
  });

  it('always are, in whatever order they come', () => {
    const part = fc.constantFrom('a', 'B', 'run', '_run', 'run_poll', '_poll', 'poll');
    const dotted = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(fc.uniqueArray(dotted, { maxLength: 12 }), (names) => {
        const loops = names.map((n) => loop(n));
        const found = named(loops);
        expect(new Set(found).size).toBe(found.length);
        expect(named(loops, [...loops].reverse())).toEqual(found);
      }),
      { numRuns: 300 },
    );
  });
});

test('labels of a policy, by what they speak of', () => {
  const of = (...labels: string[]) => gaugeLabels({ heartbeat: { ...heartbeat, labels } });
  expect(of('loop_name', 'project_id')).toEqual({ loopLabel: 'loop_name', projectLabel: 'project_id' });
  expect(of('tenant_id', 'task')).toEqual({ loopLabel: 'task', projectLabel: 'tenant_id' });
  expect(of('task')).toEqual({ loopLabel: 'task', projectLabel: null });
});
