import { describe, expect, it } from 'vitest';
import type { Heartbeat } from '../../src/model/index.ts';
import { analysis, policy, reconciliation, tag } from '../support/builders.ts';
import { lines, loop, run, runOn } from './support.ts';

const JOB = 'apps/api/src/jobs/run_x.py';
const place = (line: number, fact = 'x') => ({ fact, file: JOB, line, text: '' });

describe('missing-trace-id', () => {
  it('fires for a priority that demands one', () => {
    expect(lines(runOn('missing-trace-id', [loop('run_x', { decision: { priority: 'P0' } })]))).toEqual([
      'apps/api/src/main.py:10 error `run_x` has priority P0 and runs without a trace id',
    ]);
  });
  it('lets other priorities, and loops with a trace id, pass', () => {
    const passing = [
      loop('a', { decision: { priority: 'P2' } }),
      loop('b', { decision: { priority: null } }),
      loop('c', { decision: { priority: 'P0' }, target: { traceId: true } }),
      loop('d', { decision: { priority: 'P0', required: false } }),
    ];
    expect(runOn('missing-trace-id', passing)).toEqual([]);
  });
});

describe('missing-heartbeat', () => {
  const beat = (over: Partial<Heartbeat> = {}): Heartbeat => ({
    metric: 'm',
    variable: 'LAST_RUN',
    file: JOB,
    line: 14,
    labelNames: ['loop_name'],
    labels: { loop_name: 'x' },
    onSuccess: true,
    inLoop: true,
    definition: { file: JOB, line: 3, multiprocessMode: null },
    ...over,
  });
  const withBeat = (over: Partial<Heartbeat> = {}) => [loop('run_x', { facts: { heartbeat: beat(over) } })];

  it('points at the definition, with the spawn beside it', () => {
    const files = { [JOB]: `${'\n'.repeat(9)}async def run_x():\n` };
    const [finding] = run('missing-heartbeat', { reconciliation: reconciliation([loop('run_x')]), files });
    expect(finding).toMatchObject({ severity: 'note', range: { file: JOB, line: 10, column: 1, endColumn: 19 } });
    expect(finding!.related[0]!.range.file).toBe('apps/api/src/main.py');
  });
  it('asks for one heartbeat, however often the loop is spawned', () => {
    expect(runOn('missing-heartbeat', [loop('run_x', { line: 5 }), loop('run_x', { line: 6 })])).toHaveLength(1);
  });
  it('points at the spawn when the definition is elsewhere', () => {
    const [finding] = runOn('missing-heartbeat', [loop('run_x', { target: { file: null, line: null } })]);
    expect(finding!.range.file).toBe('apps/api/src/main.py');
  });
  it('lets a good one, one-shots and unrequired loops pass', () => {
    expect(runOn('missing-heartbeat', withBeat())).toEqual([]);
    expect(runOn('missing-heartbeat', [loop('seed', { facts: { lifecycle: 'one-shot' } })])).toEqual([]);
    expect(runOn('missing-heartbeat', [loop('x', { decision: { required: false } })])).toEqual([]);
  });
  it('reports what makes a heartbeat lie', () => {
    const messages = (over: Partial<Heartbeat>) => runOn('missing-heartbeat', withBeat(over)).map((f) => f.message);
    expect(messages({ inLoop: false })).toEqual([expect.stringContaining('before the loop only')]);
    expect(messages({ onSuccess: false })).toEqual([expect.stringContaining('also when a round fails')]);
    expect(messages({ labels: null })).toEqual([expect.stringContaining('without `.labels(…)`')]);
    expect(messages({ labels: null, labelNames: null })).toEqual([]);
  });
  it('asks for a multiprocess mode only where several processes export', () => {
    const decisions = withBeat();
    const over = { analysis: analysis([], { multiprocessMetrics: { file: JOB, line: 1 } }) };
    expect(lines(runOn('missing-heartbeat', decisions, over))).toEqual([
      expect.stringContaining(`${JOB}:3 warning \`LAST_RUN\` has no \`multiprocess_mode\``),
    ]);
    const live = withBeat({ definition: { file: JOB, line: 3, multiprocessMode: 'livemax' } });
    expect(runOn('missing-heartbeat', live, over)).toEqual([]);
  });
});

describe('legacy-label', () => {
  const label = loop('run_x', { target: { tag: tag('legacy_awoooi_default') } });
  const marked = loop('run_y', { target: { tag: tag('awoooi') }, decision: { marker: 'legacy_awoooi_default' } });
  const until = (due: string | null) => ({
    policy: policy({
      milestones: [{ id: 'z', title: '', target: '', due, expected: null, test: { kind: 'legacy-zero' } }],
    }),
  });

  it('is a note while there is time', () => {
    expect(runOn('legacy-label', [label, marked]).map((f) => [f.severity, f.message])).toEqual([
      ['note', '`run_x` still carries the transitional label `legacy_awoooi_default`'],
    ]);
    expect(runOn('legacy-label', [label, marked], until('2026-05-03')).map((f) => f.severity)).toEqual(['note']);
  });
  it('is an error from the day after the milestone, for labels and for markers', () => {
    const found = runOn('legacy-label', [label, marked], until('2026-05-02'));
    expect(found.map((f) => f.severity)).toEqual(['error', 'error']);
  });
});

describe('tenant-session-in-platform-loop', () => {
  const call = (name: string, qualifiedName: string | null = null) => ({
    name,
    qualifiedName,
    file: JOB,
    line: 12,
    column: 9,
  });
  const platform = (calls: ReturnType<typeof call>[], over = {}) =>
    loop('run_relay', { facts: { calls }, decision: { class: 'A', ...over } });

  it('fires on the call, by written or by canonical name', () => {
    for (const opened of [
      call('get_db_session'),
      call('db.get_db_session'),
      call('session', 'src.core.db.get_db_session'),
    ]) {
      const found = runOn('tenant-session-in-platform-loop', [platform([opened])]);
      expect(found.map((f) => [f.range.file, f.range.line])).toEqual([[JOB, 12]]);
    }
  });
  it('lets the platform session, other classes and similar names pass', () => {
    const passing = [
      platform([call('get_platform_db_session')]),
      platform([call('get_db_session')], { class: 'B' }),
      platform([call('my_get_db_session')]),
    ];
    expect(runOn('tenant-session-in-platform-loop', passing)).toEqual([]);
  });
});

describe('cancel-swallowed, dies-on-exception, executor-drops-context', () => {
  it('report the place in the coroutine once, however often it is spawned', () => {
    const facts = { swallowsCancellation: place(20), diesOnException: true, executorCalls: [place(22), place(23)] };
    const twice = [loop('run_x', { line: 5, facts }), loop('run_x', { line: 6, facts })];
    expect(runOn('cancel-swallowed', twice).map((f) => f.range.line)).toEqual([20]);
    expect(runOn('dies-on-exception', twice).map((f) => f.range.line)).toEqual([10]);
    expect(runOn('executor-drops-context', twice).map((f) => f.range.line)).toEqual([22, 23]);
  });
  it('say nothing about a sound loop', () => {
    for (const rule of ['cancel-swallowed', 'dies-on-exception', 'executor-drops-context']) {
      expect(runOn(rule, [loop('run_x')])).toEqual([]);
    }
  });
  it('dies-on-exception leaves tasks that somebody watches, and what is unknown, alone', () => {
    for (const use of ['awaited', 'structured'] as const) {
      expect(runOn('dies-on-exception', [loop('x', { facts: { diesOnException: true }, shape: { use } })])).toEqual([]);
    }
    expect(runOn('dies-on-exception', [loop('x', { facts: { diesOnException: null } })])).toEqual([]);
  });
  it('dies-on-exception says when even the message is missing', () => {
    const silent = loop('x', { facts: { diesOnException: true }, shape: { use: 'kept', doneCallback: null } });
    const unknown = loop('y', { facts: { diesOnException: true }, shape: { use: 'kept' } });
    const [x, y] = runOn('dies-on-exception', [silent, unknown]);
    expect(x!.message).toContain('silently');
    expect(y!.message).not.toContain('silently');
  });
});

describe('no-project-id-in-logs', () => {
  const variable = { module: 'src.core.context', name: 'project_id_ctx_var', label: 'project_id', file: JOB, line: 3 };
  const over = { analysis: analysis([], { contextVariables: [{ ...variable, name: 'other', line: 2 }, variable] }) };

  it('points once at the variable that nothing reads', () => {
    const found = runOn('no-project-id-in-logs', [loop('a'), loop('b')], { ...over, logging: null });
    expect(lines(found)).toEqual([expect.stringContaining(`${JOB}:3 note no log format, filter or processor reads`)]);
  });
  it('lets a service pass whose logging reads it, or that has no variable yet', () => {
    expect(runOn('no-project-id-in-logs', [loop('a')], over)).toEqual([]);
    expect(runOn('no-project-id-in-logs', [loop('a')], { logging: null })).toEqual([]);
  });
  it('notes a callback that runs outside of the tag, not one that only forgets the task', () => {
    const added = (name: string) =>
      loop('run_x', { target: { tag: tag('awoooi') }, shape: { use: 'kept', doneCallback: { line: 37, name } } });
    expect(runOn('no-project-id-in-logs', [added('on_done')]).map((f) => f.range.line)).toEqual([37]);
    expect(runOn('no-project-id-in-logs', [added('background.discard')])).toEqual([]);
  });
});

describe('syntax-error', () => {
  it('reports each file that could not be read, by kind', () => {
    const error = (file: string, kind: 'syntax' | 'encoding' | 'unreadable') => ({
      file,
      line: 2,
      column: 3,
      message: 'm',
      kind,
    });
    const errors = [error('a.py', 'syntax'), error('b.py', 'encoding'), error('c.py', 'unreadable')];
    const found = run('syntax-error', { analysis: analysis([], { errors }), files: { 'a.py': 'x\n  y z\n' } });
    expect(found.map((f) => f.message)).toEqual([
      'm: nothing in this file was checked',
      "the file can't be decoded (m): nothing in it was checked",
      "the file can't be read (m): nothing in it was checked",
    ]);
    expect(found[0]!.range).toMatchObject({ line: 2, column: 3, endColumn: 6, start: 4, end: 7 });
  });
});
