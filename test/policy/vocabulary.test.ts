/** The words that documents use for columns, periods and what is still open. */
import { describe, expect, test } from 'vitest';
import { columnOf, columnsOf, isReferenceHeading } from '../../src/policy/catalogue/columns.ts';
import { isPlaceholder } from '../../src/policy/frequency.ts';
import { isOpen, parseFrequency } from '../../src/policy/index.ts';

describe('headings', () => {
  test.each<[string, string]>([
    ['number', '#|No|no.|Nr|Num|Number|ID|Index|編號|序號|項次|序|号|號|编号|序号'],
    [
      'function',
      '函數名|函數|函數名稱|函式|函式名|函式名稱|函数|函数名|函数名称|名稱|名称|Loop|Loop name|loop 名稱|loop 函數|Background loop|Function|Function name|func|Name|Coroutine|Task|Task name|Job|任務|任務名稱|背景任務|背景 loop|迴圈|協程|工作|背景工作|背景作業|作業名稱|后台任务|Background job',
    ],
    [
      'line',
      '行號|行号|行|行數|Line|Lines|Line no.|Line number|ln|位置|Location|main.py 行號|main.py line|main.py 行|檔案:行|檔案：行號|檔案/行號|程式位置|File:Line',
    ],
    [
      'frequency',
      '頻率|频率|週期|周期|間隔|间隔|執行頻率|執行週期|排程|Frequency|Freq|Period|Interval|Every|Schedule|Cadence',
    ],
    ['file', '檔案|檔名|路徑|程式檔|File|File name|Path|Source file'],
    ['marker', '標記|标记|標籤|标签|標識|身分|歸屬|Marker|Tag|Label|Identity|Identity marker|**標記**|`marker`'],
    [
      'priority',
      '改造優先度|優先度|優先級|優先序|優先權|优先级|优先度|遷移優先度|等級|Priority|Migration priority|Prio|P',
    ],
    ['remark', '備註|备注|備考|說明|说明|描述|註|注|Note|Notes|Remark|Remarks|Comment|Comments'],
    ['projectId', 'project_id|Project|Tenant|tenant-id|專案|項目|租戶|租户'],
    ['class', '分類|分类|類別|类别|Class|Category|分類（A/B/C）'],
  ])('of the %s', (column, headings) => {
    for (const heading of headings.split('|')) expect([heading, columnOf(heading)]).toEqual([heading, column]);
  });

  test('that name no column', () => {
    for (const heading of ['', 'Owner', 'online', '上線', 'pyline x']) expect(columnOf(heading)).toBeNull();
  });

  test('of one kind: the first of them', () => {
    expect(columnsOf(['#', 'Loop', 'No', 'Name', 'x', 'Line'])).toEqual([
      'number',
      'function',
      null,
      null,
      null,
      'line',
    ]);
  });

  test('over lists of rows', () => {
    for (const heading of ['對應 loop', '相關列', 'Loops', 'rows', '涵蓋項目', '包含編號', '迴圈', '对应 rows'])
      expect([heading, isReferenceHeading(heading)]).toEqual([heading, true]);
    for (const heading of ['Loop name', '標記', '', 'my rows']) expect(isReferenceHeading(heading)).toBe(false);
  });
});

describe('periods', () => {
  test.each<[number, string]>([
    [
      30,
      '每 30s|30 sec|30 secs|30 second|30 seconds|每30秒|三十秒|30 秒鐘|每 30 秒钟|every 30s|30000ms|30000 毫秒|~30s|about 30 s|@30s',
    ],
    [
      300,
      '5m|5 min|5 mins|5 minute|5 minutes|每五分|5 分鐘|5 分钟|每隔 5 分|約 5 分鐘|约5分钟|≈5 min|approx. 5 min|ca. 5 min|大約 5 分|5 個分鐘',
    ],
    [7200, '2h|2 hr|2 hrs|2 hour|2 hours|每兩小時|每两小时|2 時|兩個小時|两个小时|兩個鐘頭|每 2 钟头|each 2 h|per 2 h'],
    [172_800, '2d|2 day|2 days|每 2 日|兩天|every 2 days'],
    [604_800, '1w|1 week|every week|每週|每周|每星期|每禮拜|每礼拜|weekly|once weekly|a week|every 7 days'],
    [60, 'minutely|every minute|每分鐘|once per minute|one minute|a minute'],
    [3600, 'hourly|once hourly|every hour|an hour|每小時|1h'],
    [1800, 'half-hourly|half an hour|every half hour|半小時|每半個小時|30m'],
    [86_400, 'daily|nightly|每日|每天|每晚|每夜|once a day|once daily|every day|1d|（每日）|每日（02:00）|_daily_|24h'],
    [1_209_600, 'fortnightly|2 weeks|兩週'],
    [5400, '1h30m|1h 30min|90 min|1.5h|1 小時 30 分'],
    [660, '十一分鐘|11m'],
    [1200, '二十分鐘|20m'],
    [0.25, '250ms'],
  ])('of %s s', (seconds, texts) => {
    for (const text of texts.split('|'))
      expect([text, parseFrequency(text)]).toEqual([text, { text, seconds, kind: 'periodic' }]);
  });

  test('of what runs once', () => {
    const texts =
      '啟動一次|启动一次|啟動時|僅啟動時執行一次|只在啟動後跑1次|開機一次性|一次|一次性|單次|单次|once|run once|run only once|once at startup|only once on boot|on startup|at start-up once|startup|start-up only|one-shot|one shot|oneshot|啟動一次（背景）';
    for (const text of texts.split('|'))
      expect([text, parseFrequency(text)]).toEqual([text, { text, seconds: null, kind: 'once' }]);
  });

  test('that are none', () => {
    const texts =
      '5|5x|5 minx|s|min|每|every|一|5-10 min|5min~10min|5 min to 10 min|5 到 10 分|on demand|once upon a time|0 s|half|-|N/A|none';
    for (const text of texts.split('|'))
      expect([text, parseFrequency(text)]).toEqual([text, { text, seconds: null, kind: 'unknown' }]);
  });
});

describe('cells', () => {
  test('that wait for their content', () => {
    const texts =
      '|TBD|tba|TODO|?|???|…|...|unknown|未知|未定|待定|待補|待补|待查|需確認|（需確認）|待確認|尚未確認|未确认|to be confirmed|to be determined|unconfirmed|undecided|[tbd]|【待定】|「未知」| _TBD_ |ＴＢＤ';
    for (const text of texts.split('|')) expect([text, isOpen(text), isPlaceholder(text)]).toEqual([text, true, true]);
  });

  test('that say that there is nothing', () => {
    for (const text of ['N/A', 'na', '-', '--', '—', '–', 'none', '無', '无', '(n/a)'])
      expect([text, isOpen(text), isPlaceholder(text)]).toEqual([text, false, true]);
  });

  test('that say something', () => {
    for (const text of ['P0', 'x', 'tbd soon', '未知數', '(a) b', 'nonesuch']) {
      expect([text, isOpen(text), isPlaceholder(text)]).toEqual([text, false, false]);
    }
  });
});
