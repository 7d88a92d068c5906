import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFrequency, learnStyle, parseFrequency } from '../../src/policy/index.ts';

describe('parseFrequency', () => {
  test.each<[string, number | 'once' | 'unknown']>([
    ['每 30s', 30],
    ['每5分鐘', 300],
    ['每 5min', 300],
    ['每 1h', 3600],
    ['每小時', 3600],
    ['每半小時', 1800],
    ['每兩小時', 7200],
    ['每十五分鐘', 900],
    ['每隔 10 秒', 10],
    ['每日', 86_400],
    ['每天', 86_400],
    ['每日 02:00', 86_400],
    ['每週', 604_800],
    ['每 30 秒（估計）', 30],
    ['２４小時', 86_400],
    ['啟動一次', 'once'],
    ['啟動時', 'once'],
    ['啟動時執行一次', 'once'],
    ['啟動一次（背景）', 'once'],
    ['every 6 h', 21_600],
    ['every 5 minutes', 300],
    ['Every minute', 60],
    ['hourly', 3600],
    ['daily', 86_400],
    ['once a day', 86_400],
    ['once daily', 86_400],
    ['weekly', 604_800],
    ['half an hour', 1800],
    ['once', 'once'],
    ['on startup', 'once'],
    ['at start-up', 'once'],
    ['one-shot', 'once'],
    ['5m', 300],
    ['90s', 90],
    ['1.5h', 5400],
    ['1h30m', 5400],
    ['~5min', 300],
    ['3,600 s', 3600],
    ['500ms', 0.5],
    ['TBD', 'unknown'],
    ['（需確認）', 'unknown'],
    ['', 'unknown'],
    ['視情況', 'unknown'],
    ['每 5~10 min', 'unknown'],
    ['every 5 to 10 min', 'unknown'],
    ['5', 'unknown'],
    ['every 0 s', 'unknown'],
    ['5mins2', 'unknown'],
    ['constructor', 'unknown'],
  ])('%s', (text, expected) => {
    const read = parseFrequency(text);
    expect(read.text).toBe(text);
    expect(read.seconds ?? read.kind).toBe(expected);
    expect(read.kind).toBe(typeof expected === 'number' ? 'periodic' : expected);
  });
});

describe('formatFrequency', () => {
  test("in INV-8's words", () => {
    const style = learnStyle(['啟動一次', '每 30s', '每 5min', '每 1h', '每日', 'TBD'], 'zh-TW');
    const say = (seconds: number | 'once') => formatFrequency(seconds, 'zh-TW', style);
    expect([10, 600, 5400, 3600, 21_600, 86_400, 604_800].map(say)).toEqual([
      '每 10s',
      '每 10min',
      '每 90min',
      '每 1h',
      '每 6h',
      '每日',
      '每週',
    ]);
    expect(say('once')).toBe('啟動一次');
  });

  test('in the words of other documents', () => {
    const zh = learnStyle(['每5分鐘', '每小時', '每天'], 'zh-TW');
    expect([60, 3600, 86_400, 7200].map((s) => formatFrequency(s, 'zh-TW', zh))).toEqual([
      '每1分鐘',
      '每小時',
      '每天',
      '每2h',
    ]);
    const en = learnStyle(['every 5 minutes', 'hourly', 'at startup'], 'en');
    expect([600, 3600, 86_400, 172_800].map((s) => formatFrequency(s, 'en', en))).toEqual([
      'every 10 minutes',
      'hourly',
      'daily',
      'every 2 days',
    ]);
    expect(formatFrequency('once', 'en', en)).toBe('at startup');
    const many = learnStyle(['every 2 hrs', 'every 5 mins', 'every 30 secs', 'every 3 days'], 'en');
    expect([3600, 60, 1, 7200, 120].map((s) => formatFrequency(s, 'en', many))).toEqual([
      'every 1 hr',
      'every 1 min',
      'every 1 sec',
      'every 2 hrs',
      'every 2 mins',
    ]);
    const short = learnStyle(['5m', '90s'], 'en');
    expect([600, 30].map((s) => formatFrequency(s, 'en', short))).toEqual(['10m', '30s']);
  });

  test('reads back as the same period, in any style', () => {
    const styles = [
      [],
      ['每 30s', '每 5min'],
      ['every 5 minutes'],
      ['5m'],
      ['每5分鐘', '每小時', '每天'],
      ['每 30s（估計）'],
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 1, max: 5_000_000 }),
          fc.integer({ min: 1, max: 5000 }).map((n) => n * 60),
          fc.integer({ min: 1, max: 99_999 }).map((n) => n / 10),
        ),
        fc.constantFrom(...styles),
        fc.constantFrom('zh-TW' as const, 'en' as const),
        (seconds, texts, language) => {
          expect(parseFrequency(formatFrequency(seconds, language, learnStyle(texts, language))).seconds).toBe(seconds);
        },
      ),
    );
  });
});
