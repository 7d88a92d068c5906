import { describe, expect, it } from 'vitest';
import { decision, reconciliation, site, tag, target } from '../support/builders.ts';
import { lines, loop, run, runOn } from './support.ts';

describe('a tag at the call counts where what is started has no name', () => {
  const unnamed = (id: string, shape = {}) => {
    const base = site('make()', 5, { targets: [], tag: tag(id) });
    return decision({ ...base, shape: { ...base.shape, ...shape } });
  };
  it.each([
    ['legacy-label', unnamed('legacy_awoooi_default')],
    ['wrong-project-id', unnamed('__platform__')],
    ['ineffective-tag', unnamed('awoooi', { ineffective: 'gather starts its tasks before' })],
    ['no-project-id-in-logs', unnamed('awoooi', { doneCallback: { line: 6, name: 'log_it' } })],
  ])('%s', (rule, found) => {
    expect(runOn(rule, [found])).toHaveLength(1);
    expect(runOn(rule, [{ ...found, site: { ...found.site, tag: null } }])).toEqual([]);
  });
});

const MAIN = 'apps/api/src/main.py';
const tagged = (id: string | null = 'awoooi') => ({ tag: tag(id) });

describe('untagged-loop', () => {
  it('fires on a required loop without a tag, and says what it must carry', () => {
    expect(lines(runOn('untagged-loop', [loop('run_x', { line: 499 })]))).toEqual([
      `${MAIN}:499 error \`run_x\` is spawned without a project id; it must carry \`awoooi\``,
    ]);
  });

  it('lets tagged and not required ones pass', () => {
    const inside = loop('run_y', { target: { tag: tag('awoooi', { via: 'loop-body' }) } });
    const dynamic = loop('run_z', { target: tagged(null) });
    const request = loop('answer', { decision: { required: false, projectId: null } });
    expect(runOn('untagged-loop', [loop('run_x', { target: tagged() }), inside, dynamic, request])).toEqual([]);
  });

  it('does not count an inherited id as a tag', () => {
    const inherited = { projectId: '__platform__', file: MAIN, line: 20 };
    const [finding] = runOn('untagged-loop', [loop('run_reaper', { line: 21, target: { inherited } })]);
    expect(finding!.message).toContain('only inherits what line 20 set');
  });

  it('names the reason when the coroutine is unknown, and is not fixable then', () => {
    const bare = site('job', 5, { targets: [], unresolved: '`job` is a parameter' });
    bare.shape.refusal = { code: 'dynamic', reason: 'unknown' };
    const [finding] = runOn('untagged-loop', [decision(bare)]);
    expect(finding!.message).toBe(
      '`job()` is spawned without a project id; what it starts is unknown: `job` is a parameter',
    );
    expect(finding!.fixable).toBe(false);
  });

  it('tells the coroutines of one site apart', () => {
    const two = site('f', 7, { targets: [target('run_a', tagged()), target('run_b')] });
    const found = runOn(
      'untagged-loop',
      two.targets.map((t) => decision(two, { target: t })),
    );
    expect(found.map((f) => f.identity)).toEqual([`${two.id}[run_b]`]);
  });
});

describe('wrong-project-id', () => {
  const call = 'asyncio.create_task(_run_with_context(run_x(), "awoooi"))';
  const id = { start: call.indexOf('"'), end: call.lastIndexOf('"') + 1 };
  const wrapping = { helper: '_run_with_context', call: { start: 20, end: 55 }, inner: { start: 38, end: 45 }, id };

  it('fires with a fix that replaces the literal', () => {
    const wrong = loop('run_x', {
      line: 1,
      target: { tag: tag('awoooi', { wrapping }) },
      decision: { projectId: '__platform__', class: 'A', marker: 'platform_internal' },
    });
    const [finding] = run('wrong-project-id', { reconciliation: reconciliation([wrong]), files: { [MAIN]: call } });
    expect(finding!.message).toBe(
      '`run_x` carries the project id `awoooi`, but it must carry `__platform__` (marker `platform_internal`)',
    );
    const [edit] = finding!.fix!.edits;
    expect(call.slice(0, edit!.start) + edit!.text + call.slice(edit!.end)).toBe(
      call.replace('awoooi', '__platform__'),
    );
  });

  it('offers no fix for a name', () => {
    const named = call.replace('"awoooi"', 'PROJECT1');
    const wrong = loop('run_x', {
      target: { tag: tag('awoooi', { wrapping }) },
      decision: { projectId: '__platform__' },
    });
    const [finding] = run('wrong-project-id', { reconciliation: reconciliation([wrong]), files: { [MAIN]: named } });
    expect(finding!.fix).toBeNull();
  });

  it('lets right, unknown, undecided and transitional ids pass', () => {
    const passing = [
      loop('right', { target: tagged() }),
      loop('unknown', { target: tagged(null) }),
      loop('undecided', { target: tagged('x'), decision: { projectId: null } }),
      loop('transitional', { target: tagged('legacy_awoooi_default') }),
    ];
    expect(runOn('wrong-project-id', passing)).toEqual([]);
  });
});

describe('ineffective-tag', () => {
  it('explains each way that does nothing', () => {
    const ways = ['gather', 'shield', 'context-run', 'set-after-spawn'] as const;
    const found = runOn(
      'ineffective-tag',
      ways.map((how, i) =>
        loop(`run_${i}`, { line: i + 1, shape: { ineffectiveTag: { how, projectId: 'awoooi', line: 3 } } }),
      ),
    );
    expect(found.map((f) => f.message.replace(/.*no effect: /, ''))).toEqual([
      expect.stringContaining('`gather`'),
      expect.stringContaining('`shield`'),
      expect.stringContaining('`Context.run`'),
      expect.stringContaining('after the spawn'),
    ]);
    expect(found.every((f) => f.severity === 'error' && f.related.length === 1)).toBe(true);
  });

  it('fires on a wrapper around a gather, and not on a gather that nobody tagged', () => {
    const shape = { ineffective: 'gather starts its tasks before' };
    expect(runOn('ineffective-tag', [loop('a', { shape, target: tagged() })])).toHaveLength(1);
    expect(runOn('ineffective-tag', [loop('a', { shape })])).toEqual([]);
    const inBody = { tag: tag('awoooi', { via: 'loop-body' }) };
    expect(runOn('ineffective-tag', [loop('a', { shape, target: inBody })])).toEqual([]);
  });
});

describe('context rules', () => {
  const context = (kind: 'copied' | 'shared' | 'empty' | 'unknown' | 'project') => ({
    contextArgument: { extent: { start: 0, end: 1 }, value: 'ctx', kind },
  });

  it('shared-context fires on a shared object only', () => {
    const kinds = ['copied', 'shared', 'empty', 'unknown', 'project'] as const;
    const found = runOn(
      'shared-context',
      kinds.map((kind, i) => loop(kind, { line: i + 1, shape: context(kind) })),
    );
    expect(found.map((f) => f.range.line)).toEqual([2]);
  });

  it('context-leak warns of an untagged loop in a request, and notes a tagged one', () => {
    const found = runOn('context-leak', [
      loop('run_flush', { line: 31, shape: { path: 'request' } }),
      loop('run_flush', { line: 40, shape: { path: 'request' }, target: tagged('__platform__') }),
    ]);
    expect(found.map((f) => [f.range.line, f.severity])).toEqual([
      [31, 'warning'],
      [40, 'note'],
    ]);
    expect(found[1]!.message).toContain('trace and user of the first caller stay');
  });

  it('context-leak lets start-up, one-shots and empty contexts pass', () => {
    const passing = [
      loop('a', { shape: { path: 'startup' } }),
      loop('b', { shape: { path: 'unknown' } }),
      loop('c', { shape: { path: 'request' }, facts: { lifecycle: 'one-shot' } }),
      loop('d', { shape: { path: 'request', ...context('empty') } }),
    ];
    expect(runOn('context-leak', passing)).toEqual([]);
  });
});

describe('dynamic-spawn', () => {
  const bare = site('job', 5, { targets: [], unresolved: '`job` is a parameter' });
  it('fires on a site without targets, unless a hint says what it is', () => {
    expect(lines(runOn('dynamic-spawn', [decision(bare)]))).toEqual([
      `${MAIN}:5 note what \`job()\` starts can't be told from the code: \`job\` is a parameter`,
    ]);
    expect(runOn('dynamic-spawn', [decision(bare, { matchedBy: 'hint' })])).toEqual([]);
  });
});

describe('duplicate-spawn', () => {
  const at = (line: number, shape = {}, over = {}) => loop('run_x', { line, shape, site: over });
  it('fires on the second spawn of one function', () => {
    const found = runOn('duplicate-spawn', [at(5), at(9)]);
    expect(found.map((f) => [f.range.line, f.related[0]!.range.line])).toEqual([[9, 5]]);
  });

  it('fires across two start-up functions of a module', () => {
    const other = at(9, { path: 'startup' }, { enclosing: 'on_startup' });
    expect(runOn('duplicate-spawn', [at(5, { path: 'startup' }), other])).toHaveLength(1);
    expect(runOn('duplicate-spawn', [at(5), at(9, { path: 'request' }, { enclosing: 'restart' })])).toEqual([]);
  });

  it('lets other arguments, other arms, other modules and one-shots pass', () => {
    expect(runOn('duplicate-spawn', [at(5), at(9, {}, { argument: 'run_x(2)' })])).toEqual([]);
    expect(runOn('duplicate-spawn', [at(5, { branches: ['40:0'] }), at(9, { branches: ['40:1'] })])).toEqual([]);
    expect(runOn('duplicate-spawn', [at(5, { branches: ['40:0'] }), at(9, { branches: ['80:1'] })])).toHaveLength(1);
    expect(runOn('duplicate-spawn', [at(5), at(9, {}, { module: 'src.worker' })])).toEqual([]);
    const once = (line: number) => loop('seed', { line, facts: { lifecycle: 'one-shot' } });
    expect(runOn('duplicate-spawn', [once(5), once(9)])).toEqual([]);
  });
});

describe('dropped-task', () => {
  it('warns of a loop, tagged or not, and notes a one-shot', () => {
    const found = runOn('dropped-task', [
      loop('run_watch', { line: 38 }),
      loop('run_watch', { line: 40, target: tagged() }),
      loop('seed', { line: 41, facts: { lifecycle: 'one-shot' } }),
    ]);
    expect(found.map((f) => [f.range.line, f.severity])).toEqual([
      [38, 'warning'],
      [40, 'warning'],
      [41, 'note'],
    ]);
  });

  it('lets kept tasks and owners pass', () => {
    const passing = [
      loop('a', { shape: { use: 'kept' } }),
      loop('b', { shape: { use: 'structured' }, site: { api: 'TaskGroup.create_task' } }),
      loop('c', { site: { api: 'anyio.TaskGroup.start_soon' } }),
      loop('d', { site: { api: 'wrapper:src.core.tasks.spawn' } }),
      loop('e', { shape: { refusal: { code: 'existing-task', reason: '' } } }),
    ];
    expect(runOn('dropped-task', passing)).toEqual([]);
  });

  it('does not advise keeping the task alone', async () => {
    const { default: check } = await import('../../rules/checks/dropped-task/index.ts');
    expect(check.remedy).toMatch(/read its outcome/);
  });
});
