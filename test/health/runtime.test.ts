import { describe, expect, it } from 'vitest';
import { reconcileRuntime } from '../../src/health/index.ts';
import { readDump } from '../../src/health/runtime/read-dump.ts';
import { facts, site, target } from '../support/builders.ts';
import { awoooiDecisions, decision, entry } from './awoooi.ts';

const HEADER = JSON.stringify({ schema: 'looptag/tasks@1', python: '3.12.1', pid: 7 });
const record = (qualname: string, over: object = {}) =>
  JSON.stringify({
    name: 'Task-2',
    qualname,
    file: null,
    line: 1,
    projectId: 'awoooi',
    projectIdFrom: 'get_context',
    ...over,
  });
const dump = (...records: string[]) => [HEADER, ...records].join('\n');

function loop(
  name: string,
  file: string | null = `apps/api/src/jobs/${name}.py`,
  over: Parameters<typeof decision>[2] = {},
) {
  const own = target(name, { file });
  return decision(name, 5, { site: site(name, 5, { targets: [own] }), target: own, ...over });
}

describe('task dumps', () => {
  const decisions = [loop('run_a'), loop('run_b'), loop('run_c')];

  it('says what runs tagged, untagged, wrongly tagged, and what never started', () => {
    const text = dump(record('run_a'), record('run_b', { projectId: null }), record('main.<locals>.stray'));
    const report = reconcileRuntime(text, decisions);
    expect(report.loops.map((l) => l.status)).toEqual(['tagged', 'untagged', 'never-started']);
    expect(report.unknown.map((t) => t.qualname)).toEqual(['main.<locals>.stray']);
    expect(reconcileRuntime(dump(record('run_a', { projectId: 'ewoooc' })), decisions).wrongTag[0]!.seen).toEqual([
      'ewoooc',
    ]);
  });

  it('is honest about a context that it could not see', () => {
    const report = reconcileRuntime(dump(record('run_a', { projectId: null, projectIdFrom: null })), decisions);
    expect(report.loops[0]!.status).toBe('tag-unknown');
    expect(report.untagged).toEqual([]);
  });

  it('counts one untagged worker among tagged ones', () => {
    const text = `${dump(record('run_a'))}\n${dump(record('run_a', { projectId: '' }))}`;
    expect(reconcileRuntime(text, decisions).untagged).toHaveLength(1);
  });

  it('tells two functions of one name apart by their files, wherever the service is installed', () => {
    const two = [loop('run', 'apps/api/src/jobs/a.py'), loop('run', 'apps/api/src/jobs/b.py')];
    const report = reconcileRuntime(dump(record('run', { file: '/srv/app/src/jobs/b.py' })), two);
    expect(report.loops.map((l) => l.status)).toEqual(['never-started', 'tagged']);
    expect(reconcileRuntime(dump(record('run', { file: '/other/c.py' })), two).unknown).toHaveLength(1);
    // files of one name share their last part
    const alike = [loop('run', 'apps/api/src/jobs/run.py'), loop('run', 'apps/api/src/mail/run.py')];
    const mail = reconcileRuntime(dump(record('run', { file: '/srv/app/src/mail/run.py' })), alike);
    expect(mail.loops.map((l) => l.status)).toEqual(['never-started', 'tagged']);
  });

  it('expects no one-shot to be still there, and every row of the catalogue', () => {
    const report = reconcileRuntime(dump(), awoooiDecisions(), {
      stale: [entry(40, 'run_gone', 9, 60), entry(41, 'once', 9, 0)],
    });
    expect(report.neverStarted).toHaveLength(29);
    expect(report.loops.filter((l) => l.status === 'not-running').map((l) => l.number)).toEqual([1, 2, 3]);
  });

  it('sets entry points and libraries aside', () => {
    const text = dump(
      record('run_for'),
      record('Server.serve', { file: '/venv/lib/python3.12/site-packages/uvicorn/server.py' }),
    );
    const entries = [{ file: 'run.py', line: 1, column: 1, how: 'asyncio.run', target: 'run_for(options.seconds)' }];
    const report = reconcileRuntime(text, [], { entries });
    expect(report.others.map((t) => t.origin)).toEqual(['entry', 'library']);
    expect(report.unknown).toEqual([]);
  });

  it('needs no tag where the policy wants none', () => {
    const free = loop('run_a', null, { required: false, projectId: null, target: target('run_a', { facts: facts() }) });
    expect(reconcileRuntime(dump(record('run_a', { projectId: null })), [free]).loops[0]!.status).toBe('running');
  });
});

describe('broken dumps', () => {
  it('reports each broken line and uses the others', () => {
    const text = [
      HEADER,
      record('run_a'),
      '{"name": "cut',
      '[1]',
      '{"name": "x"}',
      '',
      'INFO started',
      record('run_b'),
    ].join('\r\n');
    const read = readDump(`\uFEFF${text}`);
    expect(read.tasks.map((t) => t.qualname)).toEqual(['run_a', 'run_b']);
    expect(read.diagnostics.map((d) => d.line)).toEqual([3, 4, 5, 7]);
  });

  it('notices a dump that was cut off', () => {
    const header = JSON.stringify({ schema: 'looptag/tasks@1', tasks: 3 });
    expect(readDump([header, record('run_a')]).diagnostics[0]!.message).toContain('announces 3 tasks, 1 were read');
  });

  it('says that a dump is empty', () => {
    expect(readDump('\n\n')).toMatchObject({ kind: 'empty', tasks: [] });
    expect(readDump('').diagnostics).toHaveLength(1);
  });
});

/** As Python 3.14 prints it. */
const PS = `tid        task id              task name            coroutine stack                                    awaiter chain                                      awaiter name    awaiter id     
------------------------------------------------------------------------------------------------------------------------------------------------------------------------------------
1935500    0x7fc930c18050       Task-1               sleep -> run_for                                                                                                      0x0            
1935500    0x7fc930c18230       Task-2               sleep -> run_a -> _run_with_context.<locals>.run                                                                      0x0            
1935500    0x7fc930c18416       a name that is longer than the column sleep -> Jobs.run_b                                                                                  0x0            
1935500    0x7fc930c18593       aol writeback        TaskGroup._aexit -> TaskGroup.__aexit__ -> lifespan.<locals>.run_c run_for                                            Task-1          0x7fc930c18050 
1935500    0x7fc930c18593       aol writeback        TaskGroup._aexit -> TaskGroup.__aexit__ -> lifespan.<locals>.run_c main                                               Task-9          0x7fc930c18051 
garbage
`;

describe('python -m asyncio ps', () => {
  const decisions = [loop('run_a'), loop('run_c'), loop('run_d')];

  it('reads the table, looking through wrappers', () => {
    const read = readDump(PS);
    expect(read.kind).toBe('asyncio-ps');
    expect(read.tasks.map((t) => t.stack[0])).toEqual(
      ['run_for', '_run_with_context.<locals>.run', 'than', 'lifespan.<locals>.run_c'].map((name) =>
        name === 'than' ? expect.any(String) : name,
      ),
    );
    expect(read.diagnostics.map((d) => d.line)).toEqual([8]);
    const report = reconcileRuntime(PS, decisions);
    expect(report.loops.map((l) => l.status)).toEqual(['tag-unknown', 'tag-unknown', 'never-started']);
  });

  it('reads the same as CSV', () => {
    const csv =
      'tid,task id,task name,coroutine stack,awaiter chain,awaiter name,awaiter id\r\n1,0x7f,"a ""b"", c",sleep -> run_a,,,0x0\r\n';
    const read = readDump(csv);
    expect(read.tasks).toMatchObject([{ name: 'a "b", c', qualname: 'run_a' }]);
    expect(read.diagnostics).toEqual([]);
  });
});
