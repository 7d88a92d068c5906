import { describe, expect, test } from 'vitest';
import type { Mention, SpawnSite } from '../../src/model/index.ts';
import { type Hint, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analysis, target } from '../support/builders.ts';
import { awoooi, CHANNEL_POLLER, INV8, loop, MAIN, request, service, tenantBasic, thirty } from './support.ts';

const catalogue = readCatalogue(INV8, 'docs/INV-8.md', awoooi);
const small = (...rows: string[]) =>
  readCatalogue(
    [
      'Lines of `apps/api/src/main.py`',
      '',
      '| # | Loop | Line | Frequency | Marker | Priority | Note |',
      '|-|-|-|-|-|-|-|',
      ...rows,
      '',
    ].join('\n'),
    'c.md',
  );
const row = (n: number, name: string, line: number | string, marker = 'legacy_awoooi_default', priority = 'P2') =>
  `| ${n} | ${name} | ${line} | TBD | ${marker} | ${priority} | |`;
const rowsOf = (sites: SpawnSite[], rows: string[]) =>
  reconcile(analysis(sites), small(...rows), awoooi).decisions.map(
    (d) => `${d.target?.name}@${d.site.range.line} ${d.entry?.number ?? '-'} ${d.matchedBy}`,
  );

describe('the bundled service', () => {
  const r = reconcile(service(), catalogue, awoooi);

  test('each spawn has its row, the 31st fills row 31', () => {
    expect(r.decisions).toHaveLength(31);
    expect(r.decisions.slice(0, 30).map((d) => d.entry?.number)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(new Set(r.decisions.slice(0, 30).map((d) => d.matchedBy))).toEqual(new Set(['name']));
    expect(r.stale).toEqual([]);
    expect(r.undecided.map((u) => [u.entry.number, u.decision?.target?.name])).toEqual([[31, CHANNEL_POLLER]]);
    expect(r.unlisted.map((d) => d.target?.name)).toEqual([CHANNEL_POLLER]);
  });

  test('class, marker, priority, id and batch', () => {
    const of = (name: string) => {
      const d = r.decisions.find((x) => x.target?.name === name)!;
      return [d.class, d.marker, d.priority, d.projectId, d.batch, d.required];
    };
    expect(of('run_ai_slo_watchdog_loop')).toEqual(['A', 'platform_internal', null, '__platform__', 'PR-10', true]);
    expect(of('_run_model_version_tracker_loop')).toEqual([
      'A',
      'platform_internal',
      null,
      '__platform__',
      'PR-10',
      true,
    ]);
    expect(of('run_approval_timeout_resolver')).toEqual(['B', 'legacy_awoooi_default', 'P0', 'awoooi', 'P0', true]);
    expect(of('run_aol_writeback_loop')).toEqual(['B', 'legacy_awoooi_default', 'P1', 'awoooi', 'P1', true]);
    expect(of('seed_playbooks_from_rules')).toEqual(['B', 'legacy_awoooi_default', 'P3', 'awoooi', 'PR-10', true]);
    expect(of(CHANNEL_POLLER)).toEqual(['C', 'legacy_awoooi_default', 'P2', 'awoooi', 'PR-10', true]);
    expect(r.decisions.filter((d) => d.class === 'A')).toHaveLength(2);
    expect(r.decisions.at(-1)?.reasons.join('\n')).toContain('poller');
  });
});

describe('the verdict on the 31st', () => {
  const mention = (line: number, kind: Mention['kind']): Mention => ({
    file: MAIN,
    line,
    column: 7,
    kind,
    text: 'asyncio.create_task(run_old())',
  });
  const hits = (...lines: number[]) =>
    [...thirty().map((s) => s.range.line), ...lines].map((line) => ({ file: MAIN, line }));
  const verdict = (extra: SpawnSite[], mentions: Mention[] = [], lines: number[] = extra.map((s) => s.range.line)) => {
    const grepHits = hits(...lines);
    const a = service(extra, { mentions, grepHits, grepLines: grepHits.length });
    return reconcile(a, catalogue, awoooi);
  };

  test('a loop', () => {
    expect(verdict([loop(CHANNEL_POLLER, 712, 10)]).verdict).toBe(
      `The 31st loop is \`${CHANNEL_POLLER}\` at ${MAIN}:712 (a loop, every 10 s).`,
    );
  });

  test.each([
    ['comment', 'a comment'],
    ['docstring', 'inside a docstring'],
  ] as const)('a %s', (kind, words) => {
    const r = verdict([], [mention(705, kind)], [705]);
    expect(r.undecided).toMatchObject([{ decision: null }]);
    expect(r.verdict).toBe(`There is no 31st loop: grep counts 31 lines because line 705 is ${words}.`);
  });

  test('a one-shot on a request', () => {
    const r = verdict([request('send_mail', 760)]);
    expect(r.decisions.at(-1)).toMatchObject({ required: false, projectId: null, batch: null });
    expect(r.verdict).toBe(
      'There is no 31st loop: grep counts 31 lines because line 760 is the start of `send_mail`, a one-shot of a single request and no background loop.',
    );
  });

  test('a project wrapper', () => {
    const r = verdict([loop('run_x', 720, 60, { api: 'wrapper:src.main.spawn' })], [mention(45, 'wrapper-body')], [45]);
    expect(r.verdict).toBe(
      `The 31st loop is \`run_x\` at ${MAIN}:720 (a loop, every 1 min; a plain grep misses it: it is started through the wrapper \`src.main.spawn\`); grep also counts line 45 (the body of a wrapper, whose callers are the spawns).`,
    );
  });

  test('an aliased import', () => {
    expect(verdict([loop('run_x', 720, null)], [], []).verdict).toBe(
      `The 31st loop is \`run_x\` at ${MAIN}:720 (a loop; a plain grep misses it: its call is spelled differently (an alias, a from-import or several lines)).`,
    );
  });

  test('a for over two pollers', () => {
    const two = loop('run_a_poller', 712, 10);
    two.targets.push(target('run_b_poller'));
    const r = verdict([two]);
    expect(r.verdict).toBe(
      `The 31st loop is \`run_a_poller\` at ${MAIN}:712 (a loop, every 10 s), and 1 more without a row: \`run_b_poller\` at ${MAIN}:712.`,
    );
  });

  test('more loops than rows, and none left over', () => {
    const c = small(row(1, '`run_a`', 10));
    expect(reconcile(analysis([loop('run_a', 10), loop('run_b', 20)]), c, awoooi).verdict).toBe(
      `There are more: one loop has no row yet, \`run_b\` at ${MAIN}:20.`,
    );
    expect(reconcile(analysis([loop('run_a', 11)]), c, awoooi).verdict).toBe(
      'All 1 loops of the catalogue are in the code; grep counts 1 line.',
    );
  });
});

describe('the verdict in words', () => {
  const rows = (count: number) =>
    small(...Array.from({ length: count }, (_, i) => row(i + 1, `\`run_${i + 1}\``, 10 * (i + 1))));
  const loops = (...numbers: number[]) => numbers.map((n) => loop(`run_${n}`, 10 * n, 60));
  const say = (sites: SpawnSite[], catalogue: ReturnType<typeof small> | null, over = {}) =>
    reconcile(analysis(sites, over), catalogue, awoooi).verdict;

  test('without a catalogue', () => {
    expect(say(loops(1, 2), null)).toBe(
      'The code starts 2 background tasks; grep hits 2 lines; no catalogue was given.',
    );
    expect(say([loop('run_1', 10), request('send', 20)], null)).toBe(
      'The code starts 1 background tasks; grep hits 2 lines; no catalogue was given.',
    );
  });

  test('all there', () => {
    expect(say(loops(1, 2), rows(2))).toBe('All 2 loops of the catalogue are in the code; grep counts 2 lines.');
  });

  test('some not there', () => {
    expect(say(loops(1), rows(2))).toBe(
      '1 of the 2 loops of the catalogue are in the code; grep counts 1 line; not found in the code: `run_2`.',
    );
    expect(say(loops(1), rows(10))).toBe(
      '1 of the 10 loops of the catalogue are in the code; grep counts 1 line; not found in the code: `run_2`, `run_3`, `run_4`, `run_5`, `run_6`, `run_7`, `run_8` and 2 more.',
    );
    expect(say(loops(1), rows(9))).toContain('`run_8` and `run_9`.');
  });

  test('there, and more', () => {
    expect(say(loops(1, 2, 3), rows(1))).toBe(
      `There are more: 2 loops have no row yet, \`run_2\` at ${MAIN}:20 and \`run_3\` at ${MAIN}:30.`,
    );
    expect(say(loops(1, 3), rows(2))).toBe(
      `There are more: one loop has no row yet, \`run_3\` at ${MAIN}:30; not found in the code: \`run_2\`.`,
    );
  });

  test('what grep counts besides, and what it misses', () => {
    const over = {
      grepHits: [10, 15].map((line) => ({ file: MAIN, line })),
      mentions: [{ file: MAIN, line: 15, column: 1, kind: 'comment' as const, text: '' }],
    };
    expect(say(loops(1, 2), rows(2), over)).toBe(
      `All 2 loops of the catalogue are in the code; grep counts 2 lines, among them line 15 (a comment); grep misses \`run_2\` at ${MAIN}:20 (its call is spelled differently (an alias, a from-import or several lines)).`,
    );
    const other = loops(1).concat(loop('run_2', 20, 60, { api: 'asyncio.ensure_future' }));
    expect(say(other, rows(2), over)).toContain('(it is started with `asyncio.ensure_future`)');
  });

  test('what grep counts in several files', () => {
    const aside = 'apps/api/src/jobs/util.py';
    const said = reconcile(
      analysis(loops(1), {
        grepHits: [MAIN, aside].map((file, i) => ({ file, line: 10 - i })),
        mentions: [{ file: aside, line: 9, column: 1, kind: 'wrapper-body', text: '' }],
      }),
      readCatalogue('| # | Loop | Line |\n|-|-|-|\n| 1 | `run_1` | 10 |\n', 'c.md'),
      awoooi,
    ).verdict;
    expect(said).toContain(`2 lines, among them ${aside}:9 (the body of a wrapper`);
  });

  test('a second start is no further loop', () => {
    const twice = small(row(1, '`run_1`', 10), row(2, '（需確認）', '15', 'TBD', 'TBD'));
    expect(say([...loops(1), loop('run_1', 20, 60)], twice)).toBe(
      'There is no 2nd loop: grep counts 2 lines because line 20 is a second start of `run_1`.',
    );
  });

  test.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [10, '10th'],
    [11, '11th'],
    [12, '12th'],
    [13, '13th'],
    [21, '21st'],
    [111, '111th'],
    [122, '122nd'],
  ])('%d is the %s', (number, ordinal) => {
    expect(say([], small(row(number, '（需確認）', '15', 'TBD', 'TBD')))).toContain(`There is no ${ordinal} loop`);
  });
});

describe('matching', () => {
  test('by name, wherever it moved', () => {
    expect(rowsOf([loop('run_b', 10), loop('run_a', 20)], [row(1, '`run_a`', 10), row(2, '`run_b`', 20)])).toEqual([
      'run_b@10 2 name',
      'run_a@20 1 name',
    ]);
  });

  test('exact names before names up to an underscore', () => {
    expect(rowsOf([loop('run_x', 10), loop('_run_x', 20)], [row(1, '`_run_x`', 10)])).toEqual([
      'run_x@10 - null',
      '_run_x@20 1 name',
    ]);
    expect(rowsOf([loop('run_x', 10)], [row(1, '`_run_x`', 10)])).toEqual(['run_x@10 1 name']);
    expect(rowsOf([loop('run_x', 10), loop('_run_x', 20)], [row(1, '`_run_x`', 10), row(2, '`run_x`', 20)])).toEqual([
      'run_x@10 2 name',
      '_run_x@20 1 name',
    ]);
  });

  test('an alias at the site by its definition, a method by its last part', () => {
    const alias = loop('ra', 10, 60, { targets: [target('ra', { qualifiedName: 'src.jobs.run_a' })] });
    expect(rowsOf([alias], [row(1, '`run_a`', 99)])).toEqual(['ra@10 1 name']);
    const method = loop('worker.run', 10, 60, {
      targets: [target('worker.run', { qualifiedName: 'src.w.Worker.run' })],
    });
    expect(rowsOf([method, loop('run', 30)], [row(1, '`run`', 10), row(2, '`Worker.run`', 10)])).toEqual([
      'worker.run@10 2 name',
      'run@30 1 name',
    ]);
  });

  test('several spawns of one loop share its row', () => {
    expect(rowsOf([loop('run_a', 10), loop('run_a', 50)], [row(1, '`run_a`', 48)])).toEqual([
      'run_a@10 1 name',
      'run_a@50 1 name',
    ]);
  });

  test('by the function that holds the spawn', () => {
    const inside = loop('work', 33, 60, { enclosing: 'App.start_worker' });
    expect(rowsOf([inside, loop('other', 12)], [row(1, '`start_worker`', 12)])).toEqual([
      'work@33 1 enclosing',
      'other@12 - null',
    ]);
  });

  test('never by line alone; a similar name nearby is a rename', () => {
    expect(rowsOf([loop('run_mailer', 10)], [row(1, '`run_evolver_loop`', 10)])).toEqual(['run_mailer@10 - null']);
    expect(rowsOf([loop('run_playbook_evolver_loop', 12)], [row(1, '`run_evolver_loop`', 10)])).toEqual([
      'run_playbook_evolver_loop@12 1 rename',
    ]);
    expect(rowsOf([loop('run_playbook_evolver_loop', 300)], [row(1, '`run_evolver_loop`', 10)])).toEqual([
      'run_playbook_evolver_loop@300 - null',
    ]);
    // at forty lines still nearby, below as above
    const near = (line: number) =>
      rowsOf([loop('run_playbook_evolver_loop', line)], [row(1, '`run_evolver_loop`', 60)])[0];
    expect([19, 20, 100, 101].map(near)).toEqual([
      'run_playbook_evolver_loop@19 - null',
      'run_playbook_evolver_loop@20 1 rename',
      'run_playbook_evolver_loop@100 1 rename',
      'run_playbook_evolver_loop@101 - null',
    ]);
    // 290 lines were inserted above both.
    expect(
      rowsOf(
        [loop('run_a', 298), loop('run_playbook_evolver_loop', 300)],
        [row(1, '`run_a`', 8), row(2, '`run_evolver_loop`', 10)],
      )[1],
    ).toBe('run_playbook_evolver_loop@300 2 rename');
  });

  test('by a hint, which also sets class and id', () => {
    const site = loop('make', 10);
    const hints = new Map<string, Hint>([[`${MAIN}:10`, { number: 7, class: 'A', projectId: 'other' }]]);
    const r = reconcile(analysis([site]), small(row(7, '`run_z`', 400)), awoooi, hints);
    expect(r.decisions[0]).toMatchObject({ matchedBy: 'hint', class: 'A', projectId: 'other', entry: { number: 7 } });
  });

  test('rows are stale only when their file was read whole', () => {
    const c = small(row(1, '`run_gone`', 10));
    const stale = (over: object) => reconcile(analysis([loop('run_a', 500)], over), c, awoooi).stale.length;
    expect(stale({})).toBe(1);
    expect(stale({ files: ['apps/api/src/other.py'] })).toBe(0);
    expect(stale({ errors: [{ file: MAIN, line: 1, column: 1, message: '', kind: 'syntax' }] })).toBe(0);
    expect(
      stale({
        scheduled: [
          { file: MAIN, line: 3, column: 1, how: 'APScheduler.add_job', target: 'run_gone', periodSeconds: 60 },
        ],
      }),
    ).toBe(0);
  });

  test('undecided rows: the loop below the line first, then a one-shot, then what stands above', () => {
    const fill = (sites: SpawnSite[]) =>
      reconcile(analysis(sites), small(row(1, '（需確認）', '701+', 'TBD', 'TBD')), awoooi).undecided[0]?.decision
        ?.target?.name;
    const [above, once, below] = [loop('run_above', 50), loop('warm_up', 702, 'once'), loop('run_below', 800)];
    expect(fill([above, once, below])).toBe('run_below');
    expect(fill([above, once])).toBe('warm_up');
    expect(fill([above])).toBe('run_above');
    expect(fill([request('send', 800)])).toBeUndefined();
    const elsewhere = loop('run_else', 800);
    expect(fill([{ ...elsewhere, range: { ...elsewhere.range, file: 'apps/worker/main2.py' } }])).toBeUndefined();
  });
});

describe('classes without a catalogue', () => {
  const one = (site: SpawnSite, policy = awoooi) => {
    const d = reconcile(analysis([site]), null, policy).decisions[0]!;
    return [d.class, d.marker, d.priority, d.projectId, d.required];
  };

  test('named, by tag, by rule', () => {
    expect(one(loop('run_contract_outbox_relay', 9, 5))).toEqual([
      'A',
      'platform_internal',
      null,
      '__platform__',
      true,
    ]);
    expect(one(loop('run_tidy', 9, 30_000))).toEqual(['B', 'legacy_awoooi_default', 'P3', 'awoooi', true]);
    expect(one(loop('run_k8s_heartbeat', 9, 30))).toEqual(['C', 'legacy_awoooi_default', 'P2', 'awoooi', true]);
    const tagged = loop('run_tidy', 9);
    tagged.targets[0]!.tag = { projectId: '__platform__', via: 'wrapper', file: MAIN, line: 9 };
    expect(one(tagged)).toEqual(['A', 'platform_internal', null, '__platform__', true]);
    expect(one(request('send', 9))).toEqual(['B', 'legacy_awoooi_default', 'P3', null, false]);
  });

  test('by another policy', () => {
    expect(one(loop('run_metrics', 9), tenantBasic)).toEqual(['A', 'platform', 'P2', 'platform', true]);
    expect(one(loop('constructor', 9), tenantBasic)).toEqual(['B', 'default_tenant', 'P1', 'default', true]);
  });
});
