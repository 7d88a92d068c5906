import { describe, expect, test } from 'vitest';
import type { Analysis } from '../../src/model/index.ts';
import { type SyncOptions, syncCatalogue } from '../../src/policy/catalogue/sync.ts';
import { lintCatalogue, readCatalogue, reconcile } from '../../src/policy/index.ts';
import { analysis, facts, target } from '../support/builders.ts';
import { awoooi, CHANNEL_POLLER, file, INV8, loop, MAIN, request, service, thirty } from './support.ts';

function sync(text: string, a: Analysis, options: SyncOptions = {}) {
  const catalogue = readCatalogue(text, 'docs/INV-8.md', awoooi);
  return syncCatalogue(catalogue, reconcile(a, catalogue, awoooi), a, awoooi, options);
}

/** Lines that differ, `- old` and `+ new`; also proves that a second run changes nothing. */
function diff(text: string, a: Analysis, options: SyncOptions = {}): string[] {
  const once = sync(text, a, options);
  const again = sync(once.text, a, options);
  expect(again.text).toBe(once.text);
  expect(again.changes).toEqual([]);
  expect(readCatalogue(once.text, 'docs/INV-8.md', awoooi).problems).toEqual([]);
  expect(once.text === text).toBe(once.changes.length === 0);
  const [before, after] = [text.split('\n'), once.text.split('\n')];
  const [gone, fresh] = [before.filter((l) => !after.includes(l)), after.filter((l) => !before.includes(l))];
  return [...gone.map((l) => `- ${l}`), ...fresh.map((l) => `+ ${l}`)];
}

const ROW31 = '| 31 | （需確認）| 701+ | TBD | TBD | TBD | grep 數到 31，還差一個沒有對上名字 |';

test('the fixture has the row that all of this is about', () => {
  expect(
    INV8.split('\n')
      .filter((l) => l.startsWith('| 31 |'))
      .map((l) => l.replaceAll(' ', '')),
  ).toEqual([ROW31.replaceAll(' ', '')]);
});

describe('INV-8 and the bundled service', () => {
  test('row 31 is filled, the list of P2 corrected, nothing else', () => {
    expect(diff(INV8, service())).toEqual([
      `- ${INV8.split('\n').find((l) => l.startsWith('| 31 |'))}`,
      '- | P2（Phase 6 前）| 牽涉租戶之間的資料區隔 | #5~16、#18~20、#25、#28~29 |',
      `+ | 31 | \`${CHANNEL_POLLER}()\` | 712 | 每 10s | \`legacy_awoooi_default\` | P2 | grep 數到 31，還差一個沒有對上名字 |`,
      '+ | P2（Phase 6 前）| 牽涉租戶之間的資料區隔 | #5~10、#13~14、#18~21、#25、#28~29、#31 |',
    ]);
  });

  test.each([
    ['numbers that follow each other are written together, though they were not', '#5、#18~20'],
    ['what is noted of several is not noted of one', '#5~16（舊）、#18~20'],
  ])('%s', (_, list) => {
    const text = INV8.replace('#5~16、#18~20', list);
    expect(text).not.toBe(INV8);
    expect(diff(text, service()).at(-1)).toBe(
      '+ | P2（Phase 6 前）| 牽涉租戶之間的資料區隔 | #5~10、#13~14、#18~21、#25、#28~29、#31 |',
    );
  });

  test('a new row stands as far in as the others, and is spaced as the header is', () => {
    const more = service([loop(CHANNEL_POLLER, 712, 10), loop('run_new_loop', 720, 60)]);
    const row = /^ *\| 32 \| `run_new_loop\(\)` *\|/;
    const added = (text: string) => diff(text, more).filter((l) => l.startsWith('+') && l.includes('run_new_loop'));
    const [plain] = added(INV8);
    expect(plain!.slice(2)).toMatch(row);
    expect(added(INV8.replace(/^\|/gm, '  |'))).toEqual([plain!.replace('+ |', '+   |')]);
    const squeezed = INV8.replace(/^\| 31 \|.*$/m, (line) => line.replaceAll(' ', ''));
    expect(added(squeezed)[0]!.replace(/ +/g, ' ')).toBe(plain!.replace(/ +/g, ' '));
  });

  test('a note of one number stays with it', () => {
    const text = INV8.replace('#5~16、#18~20', '#5~16、#18（舊）、#19~20');
    expect(diff(text, service()).at(-1)).toContain('| #5~10、#13~14、#18（舊）、#19~21、#25、#28~29、#31 |');
  });

  test('what no column of the rows shows is not recounted', () => {
    const header = '| # | 函數名 | 行號 | 頻率 | 標記 | 改造優先度 | 備註 |';
    expect(INV8).toContain(header);
    for (const [title, untouched] of [
      ['標記', [/^\| (platform_internal|legacy_awoooi_default)/, /^### (platform_internal|legacy_awoooi_default)/]],
      ['改造優先度', [/^\| P\d（/]],
    ] as const) {
      const text = INV8.replace(header, header.replace(` ${title} `, ' 其他 '));
      for (const line of diff(text, service()))
        for (const pattern of untouched) expect(line.slice(2)).not.toMatch(pattern);
      const catalogue = readCatalogue(text, 'docs/INV-8.md', awoooi);
      const told = lintCatalogue(catalogue, awoooi, reconcile(service(), catalogue, awoooi));
      const lines = text.split('\n');
      for (const p of told.filter((p) => ['count', 'priority-list'].includes(p.code)))
        for (const pattern of untouched) expect(lines[p.line - 1]).not.toMatch(pattern);
    }
  });

  test('every byte outside of the changed cells stays, with CRLF and BOM', () => {
    const lf = sync(INV8, service()).text;
    const crlf = `\ufeff${INV8.replaceAll('\n', '\r\n')}`;
    expect(sync(crlf, service()).text).toBe(`\ufeff${lf.replaceAll('\n', '\r\n')}`);
    diff(crlf, service());
  });

  test.each([
    ['[499](../apps/api/src/main.py#L499)', '[1204](../apps/api/src/main.py#L1204)'],
    ['[main.py:499](../apps/api/src/main.py#L499)', '[main.py:1204](../apps/api/src/main.py#L1204)'],
    ['L499', 'L1204'],
    ['`499`', '`1204`'],
    ['499 (lifespan)', '1204 (lifespan)'],
    ['第499行', '第1204行'],
    ['L499 of v499', 'L1204 of v499'],
    [
      '[L499](https://git.example/blob/9f499ab/main.py#L499)',
      '[L1204](https://git.example/blob/9f499ab/main.py#L1204)',
    ],
    ['[L499](https://git.example/499/main.py#lines-499)', '[L1204](https://git.example/499/main.py#lines-1204)'],
    ['v499/main.py:3', '1204'],
    ['499–500', '1204'],
    ['499+', '1204'],
    ['4990', '1204'],
  ])('what stands around a line number stays: %s', (before, after) => {
    const moved = service().sites.map((s) => (s.range.line === 499 ? loop('run_evolver_loop', 1204, 3600) : s));
    const document = INV8.replace('`run_evolver_loop()` | 499 |', `\`run_evolver_loop()\` | ${before} |`);
    expect(sync(document, analysis(moved)).text).toContain(`\`run_evolver_loop()\` | ${after} |`);
  });

  test('moved lines; the row keeps what a person wrote', () => {
    const moved = service().sites.map((s) => (s.range.line === 499 ? loop('run_evolver_loop', 1204, 3600) : s));
    const changed = diff(sync(INV8, service()).text, analysis(moved));
    expect(changed).toEqual([
      '- | 18 | `run_evolver_loop()` | 499 | 每 1h | `legacy_awoooi_default` | P2 | 讓 playbook 一代代變好（飛輪的核心）|',
      '+ | 18 | `run_evolver_loop()` | 1204 | 每 1h | `legacy_awoooi_default` | P2 | 讓 playbook 一代代變好（飛輪的核心）|',
    ]);
  });

  test('another period, written in the words of the document', () => {
    const sites = service().sites.map((s) => {
      if (s.range.line === 490) return loop('run_approval_timeout_resolver', 490, 5400);
      if (s.range.line === 331) return loop('seed_playbooks_from_rules', 331, 604_800);
      return s.range.line === 481 ? loop('run_daily_report_loop', 481, 'once') : s;
    });
    const fresh = diff(sync(INV8, service()).text, analysis(sites)).filter((l) => l.startsWith('+'));
    expect(fresh.map((l) => l.split(' | ').slice(2, 5).join(' | '))).toEqual([
      '`seed_playbooks_from_rules()` | 331 | 每週',
      '`run_daily_report_loop()` | 481 | 啟動一次',
      '`run_approval_timeout_resolver()` | 490 | 每 90min',
    ]);
  });

  test('a period within the jitter, a schedule, and one that is not known are no drift', () => {
    const sites = service().sites.map((s) => {
      if (s.range.line === 490) return loop('run_approval_timeout_resolver', 490, null);
      const own = {
        373: { periodSeconds: 290, periodRange: { min: 280, max: 320 } },
        481: { periodSeconds: null, nominalPeriodSeconds: 86_400 },
      }[s.range.line];
      const name = s.targets[0]!.name;
      return own ? { ...s, targets: [target(name, { facts: facts(own) })] } : s;
    });
    expect(diff(sync(INV8, service()).text, analysis(sites))).toEqual([]);
  });

  test('uncatalogued loops get rows, and the counts follow', () => {
    const outbox = loop('run_contract_outbox_relay', 730, 5);
    const poller = loop(CHANNEL_POLLER, 712, 10);
    poller.targets.push(target('run_mail_receiver_loop', { facts: facts({ periodSeconds: 7200 }) }));
    const changed = diff(INV8, service([poller, outbox]));
    expect(changed.filter((l) => l.startsWith('+'))).toEqual([
      '+ **來源**：對 `apps/api/src/main.py` 執行 grep asyncio.create_task（實際數到 32 個）',
      '+ | 總 background loop | 33 |',
      '+ | platform_internal | 3（#27、#30、#33）|',
      '+ | legacy_awoooi_default（過渡）| 30 |',
      `+ | 31 | \`${CHANNEL_POLLER}()\` | 712 | 每 10s | \`legacy_awoooi_default\` | P2 | grep 數到 31，還差一個沒有對上名字 |`,
      '+ | 32 | `run_mail_receiver_loop()` | 712 | 每 2h | `legacy_awoooi_default` | P2 | looptag 補列：poller / receiver 類，未來每 tenant 一個 worker（ADR-123 D1 分類 C） |',
      '+ | 33 | `run_contract_outbox_relay()` | 730 | 每 5s | **`platform_internal`** | N/A | looptag 補列：ADR-123 Background Loop Migration Strategy 已列名 |',
      '+ ### platform_internal（#27、#30、#33）',
      '+ ### legacy_awoooi_default（其餘 30 個）',
      '+ | P2（Phase 6 前）| 牽涉租戶之間的資料區隔 | #5~10、#13~14、#18~21、#25、#28~29、#31~32 |',
      '+ - [ ] main.py 裡 33 個 loop 全數具備 logging context（看得到 project_id）',
    ]);
  });

  test('the number that grep was said to count follows grep', () => {
    const extra = [loop(CHANNEL_POLLER, 712, 10), loop('run_b', 720, 10)];
    expect(diff(INV8, service(extra)).find((l) => l.startsWith('+ **來源'))).toContain('（實際數到 32 個）');
  });

  test('no 31st: the row is struck out, the counts follow, prune removes it', () => {
    const a = service([request('send_mail', 760)]);
    const struck = diff(INV8, a).filter((l) => l.startsWith('+'));
    expect(struck[0]).toBe('+ | 總 background loop | 30 |');
    expect(struck[1]).toBe('+ | legacy_awoooi_default（過渡）| 28 |');
    expect(struck[2]).toContain('| 31 | ~~（需確認）~~');
    expect(diff(INV8, a, { prune: true }).filter((l) => l.includes('| 31 |'))).toHaveLength(2);
    expect(sync(sync(INV8, a).text, a, { prune: true }).text).toBe(sync(INV8, a, { prune: true }).text);
  });

  test('vanished loops are struck out, come back, or are pruned', () => {
    const full = sync(INV8, service()).text;
    const without = analysis(service().sites.filter((s) => s.range.line !== 614));
    const changed = diff(full, without);
    expect(changed).toContain(
      '+ | 26 | ~~`run_offline_replay_loop()`~~ | 614 | 每 15min | `legacy_awoooi_default` | P3 | 離線重跑已結案的 incident |',
    );
    expect(changed).toContain('+ | P3（Phase 8 前）| 跑得少、出事機會也小 | #1~3、#11~12、#15~16、#23~24 |');
    expect(changed).toContain('+ | 總 background loop | 30 |');
    const struck = sync(full, without).text;
    expect(sync(struck, service()).text).toBe(full);
    expect(sync(struck, without, { prune: true }).text).toBe(sync(full, without, { prune: true }).text);
    expect(sync(full, without, { prune: true }).text.split('\n')).toHaveLength(full.split('\n').length - 1);
    expect(
      sync(full, { ...without, errors: [{ file: MAIN, line: 1, column: 1, message: '', kind: 'syntax' }] }).changes,
    ).toEqual([]);
  });

  test('a rename is followed, and said to be one', () => {
    const full = sync(INV8, service()).text;
    const renamed = analysis(
      service().sites.map((s) => (s.range.line === 499 ? loop('run_playbook_evolver_loop', 503, 3600) : s)),
    );
    expect(diff(full, renamed)[1]).toBe(
      '+ | 18 | `run_playbook_evolver_loop()` | 503 | 每 1h | `legacy_awoooi_default` | P2 | 讓 playbook 一代代變好（飛輪的核心）|',
    );
    expect(sync(full, renamed).changes[0]).toMatchObject({
      kind: 'rename',
      row: 18,
      reason: expect.stringContaining('similar name stands near'),
    });
  });

  test('boxes are ticked only with `tick`, and only where the check holds', () => {
    const full = sync(INV8, service()).text;
    const acceptance = awoooi.acceptance.map((a) => ({
      id: a.id,
      met: a.id === 'inv8-listed' || a.id === 'inv8-trace' ? true : a.id === 'inv8-logging' ? null : false,
    }));
    expect(diff(full, service(), { acceptance })).toEqual([]);
    expect(diff(full, service(), { acceptance, tick: true }).filter((l) => l.startsWith('+'))).toEqual([
      '+ - [x] 查明第 31 個 loop 並補進清單',
      '+ - [x] loop #17（approval_timeout_resolver）補上 trace_id（隨 PR-10 併入）',
    ]);
  });
});

describe('other tables', () => {
  test('069 padding by display width', () => {
    const folder = 'test/policy/cases/069-cjk-column-width';
    const sites = [loop('run_a', 12), loop('run_bcd', 31), loop('run_e', 45)];
    expect(sync(file(`${folder}/input.md`), analysis(sites)).text).toBe(file(`${folder}/expected.md`));
  });

  test('a column of files: the line stays a number, and a loop that moved changes both cells', () => {
    const text = [
      '| Loop | File | Line |',
      '|-|-|-|',
      '| `run_a` | `main.py` | L12 |',
      '| `run_b` | `jobs/old.py` | 40+ |',
      '',
    ].join('\n');
    const moved = loop('run_b', 41);
    moved.range.file = 'jobs/new.py';
    const added = loop('run_c', 7);
    expect(
      sync(text, analysis([loop('run_a', 9), moved, added]))
        .text.split('\n')
        .slice(2),
    ).toEqual([
      '| `run_a` | `main.py` | L9 |',
      '| `run_b` | `jobs/new.py` | 41 |',
      `| \`run_c\` | \`${added.range.file}\` | 7 |`,
      '',
    ]);
  });

  test('a link names the file of its line; a new row without outer pipes has none', () => {
    const text = 'Loop | Line\n-|-\n`run_a` | [12](../jobs/a.py#L12)\n';
    const linked = loop('run_a', 9);
    linked.range.file = 'jobs/a.py';
    expect(
      sync(text, analysis([linked, loop('run_c', 7)]))
        .text.split('\n')
        .slice(2),
    ).toEqual(['`run_a` | [9](../jobs/a.py#L9)', expect.stringMatching(/^`run_c` \| .*:7$/), '']);
  });

  test('an aligned table: new rows take its widths, a cell that outgrows its column moves only its own pipes', () => {
    const text = [
      '| Loop      | 說明     | Line |',
      '| --------- | -------- | ---- |',
      '| `run_a()` | 背景任務 |   12 |',
      '| `run_b()` | poll     |   99 |',
      '',
    ].join('\n');
    const sites = [loop('run_a', 9), loop('run_b', 123_456), loop('run_c', 400)];
    expect(sync(text, analysis(sites)).text.split('\n').slice(2)).toEqual([
      '| `run_a()` | 背景任務 |    9 |',
      '| `run_b()` | poll     | 123456 |',
      '| `run_c()` | added by looptag: it serves the AWOOOI tenant like the other loops (ADR-123 D1, class B) | 400  |'.replace(
        'added by looptag: it serves the AWOOOI tenant like the other loops (ADR-123 D1, class B)',
        'looptag 補列：實質上只服務 AWOOOI tenant（ADR-123 D1 分類 B）',
      ),
      '',
    ]);
  });

  test.each(['\n', ''])('without outer pipes, in English, at the end of the file (%j)', (end) => {
    const text = [
      'Lines of `apps/api/src/main.py`, all 1 background loops',
      '',
      'No. | Function | Line | Frequency | Tenant | Class | Note',
      '--- | --- | --- | --- | --- | --- | ---',
      `1 | run_a | 10 | every 5 minutes | awoooi | B | x${end}`,
    ].join('\n');
    const far = loop('work', 7, 90);
    const sites = [loop('run_a', 10), { ...far, range: { ...far.range, file: 'apps/worker/main2.py' } }];
    expect(diff(text, analysis(sites)).slice(1)).toEqual([
      '+ Lines of `apps/api/src/main.py`, all 2 background loops',
      '+ 2 | work | apps/worker/main2.py:7 | every 90 s | `awoooi` | B | added by looptag: it serves the AWOOOI tenant like the other loops (ADR-123 D1, class B)',
    ]);
    const gone = analysis([loop('run_z', 400)]);
    expect(sync(text, gone, { prune: true }).text).toBe(
      text
        .replace(
          /1 \| run_a.*/,
          '2 | run_z | 400 | every 5 minutes | `awoooi` | B | added by looptag: it serves the AWOOOI tenant like the other loops (ADR-123 D1, class B)',
        )
        .replace('all 1', 'all 1'),
    );
  });

  test('loops written alike get names that tell them apart', () => {
    const text = '| # | Loop | Line |\n|---|---|---|\n';
    const of = (module: string, line: number) =>
      loop('run', line, 60, { targets: [target('run', { qualifiedName: `src.${module}.run` })] });
    const rows = sync(text, analysis([of('a', 10), of('b', 20)]))
      .text.split('\n')
      .slice(2);
    expect(rows).toEqual(['| 1 | `a.run()` | 10 |', '| 2 | `b.run()` | 20 |', '']);
    diff(text, analysis([of('a', 10), of('b', 20)]));
    diff(text, analysis([loop('todo', 10), loop('__init__', 20)]));
  });
});

test('thirty rows stay thirty when nothing changed', () => {
  const pruned = sync(INV8, analysis(thirty()), { prune: true }).text;
  expect(diff(pruned, analysis(thirty()))).toEqual([]);
});

test('loops that are started by their own objects get a row each, whenever they come', () => {
  const method = (name: string, line: number, written = 'self.run') => {
    const own = target(written, { qualifiedName: `src.main.${name}.run`, file: MAIN, line: line + 100 });
    return loop(written, line, 300, { targets: [own] });
  };
  const empty = [
    `Lines of \`${MAIN}\``,
    '',
    '| # | Loop | Line | Frequency | Marker | Priority | Note |',
    '|-|-|-|-|-|-|-|',
    '| 1 | `run_a()` | 5 | every 5 min | `legacy_awoooi_default` | P2 | |',
    '',
  ].join('\n');
  const names = (text: string) => text.match(/(?<=`)[\w.]+(?=\(\)`)/g);
  const first = sync(empty, analysis([loop('run_a', 5), method('Mailer', 10)])).text;
  expect(names(first)).toEqual(['run_a', 'Mailer.run']);
  const both = analysis([loop('run_a', 5), method('Mailer', 10), method('Cleaner', 20), method('Pinger', 30, 'p.run')]);
  expect(names(sync(first, both).text)).toEqual(['run_a', 'Mailer.run', 'Cleaner.run', 'Pinger.run']);
});
