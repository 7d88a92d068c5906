import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StatusReport, statusHtml } from '../../src/report/status/index.ts';
import { openBrowser, type Page } from './browser.ts';
import { hostileReport, loop, report, statusOf } from './samples.ts';

const browser = await openBrowser();
if (typeof browser === 'string')
  process.stderr.write(`SKIPPED: the status page was not tested in a browser: ${browser}\n`);

const folder = mkdtempSync(join(tmpdir(), 'looptag-page-'));
afterAll(async () => {
  if (typeof browser !== 'string') await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  page: Page;
  /** Console errors, exceptions, and requests for anything but the page itself. */
  trouble: string[];
}

async function open(value: StatusReport, language: 'en' | 'zh-TW' = 'en'): Promise<Opened> {
  if (typeof browser === 'string') throw new Error(browser);
  const file = join(folder, `${Math.random().toString(36).slice(2)}.html`);
  writeFileSync(file, statusHtml(value, { language }));
  const page = await browser.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type!())) trouble.push(message.text!());
  });
  page.on('pageerror', (error) => trouble.push(String(error)));
  const own = pathToFileURL(file).href;
  page.on('request', (request) => {
    const url = request.url!();
    if (url !== own && !url.startsWith('data:')) trouble.push(url);
  });
  await page.goto(own);
  return { page, trouble };
}

const shown = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('tr.loop')].filter((r) => r.offsetParent !== null).map((r) => r.querySelector('th code').textContent)`,
  );
const text = (page: Page, selector: string) =>
  page.evaluate<string>(`document.querySelector('${selector}').textContent`);
const focused = (page: Page) =>
  page.evaluate<string>(
    `document.activeElement.closest('tr')?.querySelector('th code').textContent ?? document.activeElement.id`,
  );

describe.skipIf(typeof browser === 'string')('the status page in Chromium', () => {
  let opened: Opened;
  let page: Page;
  beforeAll(async () => {
    opened = await open(report());
    page = opened.page;
  });

  it('filters by text, class, priority and state', async () => {
    expect(await shown(page)).toHaveLength(6);
    await page.fill('#search', 'APPROVAL');
    expect(await shown(page)).toEqual(['run_approval_timeout_resolver']);
    await page.fill('#search', '#4');
    expect(await shown(page)).toEqual(['resend_stale_ready_tokens']);
    await page.fill('#search', '');
    await page.selectOption('#by-priority', 'P3');
    expect(await shown(page)).toEqual(['run_daily_report_loop', 'seed_playbooks_from_rules']);
    await page.selectOption('#by-state', 'tagged');
    expect(await text(page, '#count b')).toBe('0');
    expect(await page.evaluate<boolean>(`document.querySelector('#nothing').hidden`)).toBe(false);
    await page.click('#clear');
    expect(await shown(page)).toHaveLength(6);
    await page.selectOption('#by-class', '-');
    expect(await shown(page)).toEqual(['run_unlisted']);
    await page.click('#clear');
  });

  it('filters by a cell of the matrix, and lets go of it again', async () => {
    await page.click('.cell[data-class="B"][data-priority="P0"]');
    expect(await shown(page)).toEqual(['run_approval_timeout_resolver']);
    await page.click('.cell[data-class="B"][data-priority="P0"]');
    expect(await shown(page)).toHaveLength(6);
  });

  it('sorts both ways, numbers as numbers, what is unknown last', async () => {
    const by = (key: string) => page.click(`th[data-sort="${key}"] button`);
    await by('period');
    expect((await shown(page))[0]).toBe('seed_playbooks_from_rules');
    expect((await shown(page)).at(-1)).toBe('run_unlisted');
    await by('period');
    expect((await shown(page))[0]).toBe('run_daily_report_loop');
    expect((await shown(page)).at(-1)).toBe('run_unlisted');
    expect(
      await page.evaluate<string>(`document.querySelector('th[data-sort=period]').getAttribute('aria-sort')`),
    ).toBe('descending');
    await by('number');
    expect(await shown(page)).toEqual([
      'seed_playbooks_from_rules',
      'resend_stale_ready_tokens',
      'run_daily_report_loop',
      'run_approval_timeout_resolver',
      'run_ai_slo_watchdog_loop',
      'run_unlisted',
    ]);
  });

  it('unfolds the evidence of a loop, which follows its row', async () => {
    await page.fill('#search', 'approval');
    await page.click('tr.loop:not([hidden]) .toggle');
    const detail = await text(page, '.detail:not([hidden])');
    expect(detail).toContain(
      'tag apps/api/src/main.py:470 _run_with_context(run_approval_timeout_resolver(), "awoooi")',
    );
    await page.fill('#search', 'daily');
    expect(await page.evaluate<number>(`document.querySelectorAll('.detail:not([hidden])').length`)).toBe(0);
    await page.fill('#search', '');
    await page.click('th[data-sort="name"] button');
    const before = await page.evaluate<string>(
      `document.querySelector('.detail').previousElementSibling.querySelector('th code').textContent`,
    );
    expect(before).toBe('run_approval_timeout_resolver');
  });

  it('works from the keyboard alone', async () => {
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('/');
    await page.keyboard.type('run_');
    expect(await shown(page)).toHaveLength(4);
    await page.keyboard.press('ArrowDown');
    const first = await focused(page);
    expect(first).toBe((await shown(page))[0]);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe((await shown(page)).at(-1));
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await page.evaluate<string>(`document.activeElement.getAttribute('aria-expanded')`)).toBe('true');
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    expect(await shown(page)).toHaveLength(6);
    // Every control can be reached with Tab alone.
    const stray = `[...document.querySelectorAll('button, input, select, summary')].filter((e) => e.tabIndex < 0).length`;
    expect(await page.evaluate<number>(stray)).toBe(0);
  });

  it('switches the language, details included', async () => {
    await page.click('[data-lang="zh-TW"]');
    expect(await text(page, 'h1')).toBe('背景 loop 現況');
    expect(await text(page, '#milestones tbody td:nth-child(2) span')).toBe('分類 B 全部標記 awoooi');
    expect(await text(page, '.detail dt')).toBe('應有 id');
    expect(await page.evaluate<string>('document.documentElement.lang + document.title')).toBe('zh-TW背景 loop 現況');
    await page.click('[data-lang="en"]');
    expect(await text(page, 'h1')).toBe('Background loops');
  });

  it('has its own colours at night, and shows no controls on paper', async () => {
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await background()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background()).toBe('rgb(20, 23, 26)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await background()).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate<string>(`getComputedStyle(document.querySelector('#filters')).display`)).toBe('none');
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  it('names what it shows', async () => {
    const unnamed = `[...document.querySelectorAll('button, input, select')].filter((e) => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length`;
    expect(await page.evaluate<number>(unnamed)).toBe(0);
  });

  it('made no error and no request', () => expect(opened.trouble).toEqual([]));
});

describe.skipIf(typeof browser === 'string')('odd reports in Chromium', () => {
  it('shows hostile names as text, and runs none of them', async () => {
    const { page, trouble } = await open(hostileReport());
    await page.click('.toggle');
    await page.click('[data-lang="zh-TW"]');
    expect(await page.evaluate<unknown>('window.pwned ?? null')).toBeNull();
    expect((await shown(page))[0]).toContain('</script><script>window.pwned=1</script><img src=x');
    expect(await page.evaluate<number>(`document.querySelectorAll('img, script:not([type])').length`)).toBe(1);
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('stays quick with 1,000 loops', async () => {
    const loops = Array.from({ length: 1000 }, (_, i) =>
      loop(i + 1, `run_loop_${i}`, { priority: `P${i % 4}`, periodSeconds: i + 1 }),
    );
    const { page, trouble } = await open({ status: statusOf(loops) });
    expect(await shown(page)).toHaveLength(1000);
    const begin = performance.now();
    await page.click('th[data-sort="period"] button');
    await page.click('th[data-sort="period"] button');
    await page.fill('#search', 'loop_99');
    expect((await shown(page))[0]).toBe('run_loop_999');
    await page.click('tr.loop:not([hidden]) .toggle');
    await page.click('#clear');
    expect(await shown(page)).toHaveLength(1000);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('opens in Chinese, with nothing to show', async () => {
    const { page, trouble } = await open({ status: statusOf([], { milestones: [], acceptance: [] }) }, 'zh-TW');
    expect(await text(page, '#burndown h2')).toBe('清零進度');
    expect(await page.evaluate<boolean>(`document.querySelector('#nothing').hidden`)).toBe(false);
    expect(trouble).toEqual([]);
    await page.close();
  });
});
