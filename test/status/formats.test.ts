import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { statusHtml, statusJson, statusText } from '../../src/report/status/index.ts';
import { hostileReport, loop, report, statusOf } from './samples.ts';

const plain = { chalk: new Chalk({ level: 0 }), width: 100, verbose: false };

describe('text', () => {
  it('says how far it is and what is missing', () => {
    const text = statusText(report(), plain);
    expect(text).toContain('2 of 6 loops tagged (ADR-123, docs/INV-8.md)');
    expect(text).toContain('[ ]     2/6  every class B loop runs as awoooi (end of Phase 2, 2026-12-31)');
    expect(text).toContain('… and 1 more (--verbose)');
    expect(text).toMatch(/class +P0 +P1 +P2|class +P0 +P1 +P3/);
    expect(text).toContain('[?]       –  the alert was seen');
    expect(text).toContain('Forecast: 4.3 loops a week, nothing left by 2026-07-01.');
  });

  it('says that there is no such loop, and ticks nothing off', () => {
    const status = statusOf([]);
    Object.assign(status.milestones[0]!, { met: true, applies: false });
    Object.assign(status.acceptance[0]!, { applies: false, done: 0, total: 0 });
    const text = statusText({ status }, plain);
    expect(text).toMatch(/^\[-\] {7}– {2}every class B loop runs as awoooi \(.*\)$/m);
    expect(text).toMatch(/^\[-\] {7}– {2}all listed\n {13}there is no such loop, so nothing to do$/m);
    expect(text).not.toContain('[x]');
    const html = statusHtml({ status });
    expect(html).not.toContain('✓');
    expect(html.match(/<td class="none">/g)).toHaveLength(2);
    expect(html).toContain('data-zh="沒有這類 loop"');
  });

  it('speaks the policy’s Chinese', () => {
    expect(statusText(report(), { ...plain, language: 'zh-TW' })).toContain('分類 B 全部標記 awoooi');
  });

  it('names everything when verbose, and colours without changing the words', () => {
    const verbose = statusText(report(), { ...plain, verbose: true });
    expect(verbose).not.toContain('--verbose');
    const coloured = statusText(report(), { ...plain, chalk: new Chalk({ level: 1 }) });
    expect(coloured).toContain('\u001b[');
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(statusText(report(), plain));
  });

  it('does without history, milestones and loops', () => {
    const empty = statusOf([], { milestones: [], acceptance: [], catalogue: null, complete: false });
    expect(statusText({ status: empty }, plain)).toContain('counts are lower bounds');
  });

  it('prints nothing that a terminal acts upon', () => {
    const unsafe = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\u202e]/u;
    expect(statusText(hostileReport(), plain)).not.toMatch(unsafe);
    expect(statusJson(hostileReport())).not.toMatch(unsafe);
  });
});

describe('json', () => {
  it('is the status, with evidence at its loop', () => {
    const value = JSON.parse(statusJson(report()));
    expect(value.schema).toBe('looptag/status@1');
    expect(value.loops[2].evidence).toHaveLength(1);
    expect(value.history).toHaveLength(3);
    expect(value.totals).toMatchObject({ loops: 6, tagged: 2 });
  });

  it('leaves out what was not asked for', () => {
    const value = JSON.parse(statusJson({ status: statusOf([]) }));
    expect(Object.keys(value)).not.toContain('history');
    expect(Object.keys(value)).not.toContain('asOf');
  });
});

describe('html', () => {
  const page = statusHtml(report());

  it('is one page that loads nothing', () => {
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(?:src|href)="(?!data:)/);
    expect(page).not.toMatch(/@import|url\(/);
    expect(page).not.toMatch(/ style="| on[a-z]+="/);
  });

  it('has every loop, milestone and point without a script', () => {
    expect(page.match(/<tr class="loop"/g)).toHaveLength(6);
    expect(page.match(/<circle /g)).toHaveLength(9);
    expect(page).toContain('<b>2026-07-01</b>');
    expect(page).toContain('data-zh="分類 B 全部標記 awoooi"');
  });

  it('opens in the language asked for', () => {
    const chinese = statusHtml(report(), { language: 'zh-TW' });
    expect(chinese).toContain('<html lang="zh-TW">');
    expect(chinese).toContain('<title>背景 loop 現況</title>');
    expect(chinese).toContain('>里程碑</h2>');
  });

  it('lets nothing out of its place', () => {
    const hostile = statusHtml(hostileReport());
    expect(hostile.match(/<script/g)).toHaveLength(2);
    expect(hostile.match(/<\/script>/g)).toHaveLength(2);
    expect(hostile).not.toContain('<img');
    expect(hostile).not.toMatch(/[\u2028\u2029\u202e\0]/);
    const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(hostile)![1]!;
    expect(JSON.parse(data).loops[0].name).toContain('</script><script>');
  });

  it('draws a history of one day, of thousands of commits, and of unreadable dates', () => {
    const point = { commit: 'a', date: '2026-05-03', untagged: 0, legacy: 0, total: 0 };
    expect(statusHtml(report({ history: [point], forecast: null }))).not.toContain('NaN');
    const many = Array.from({ length: 3000 }, (_, i) => ({
      ...point,
      date: new Date(i * 3_600_000).toISOString(),
      total: 3000 - i,
    }));
    expect(statusHtml(report({ history: many, forecast: { date: null, perWeek: null } }))).not.toContain('<circle');
    const odd = statusHtml(
      report({ history: [{ ...point, date: 'yesterday' }], forecast: { date: 'soon', perWeek: 1 } }),
    );
    expect(odd).toContain('No history was read');
  });

  it('is the same text for the same report', () => {
    expect(statusHtml(report())).toBe(page);
    expect(
      statusHtml({ status: statusOf(Array.from({ length: 1000 }, (_, i) => loop(i, `run_${i}`))) }).length,
    ).toBeLessThan(3e6);
  });
});
