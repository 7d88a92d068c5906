import type { Column } from '../../model/index.ts';

const HEADINGS: Record<Column, string[]> = {
  number: ['#', 'no', 'nr', 'num', 'number', 'id', 'index', '編號', '序號', '項次', '序', '号', '號', '编号', '序号'],
  function: [
    ...['函數名', '函數', '函數名稱', '函式', '函式名', '函式名稱', '函数', '函数名', '函数名称', '名稱', '名称'],
    ...['loop', 'loopname', 'loop名稱', 'loop函數', 'backgroundloop', 'function', 'functionname', 'func', 'name'],
    ...['coroutine', 'task', 'taskname', 'backgroundtask', 'job', 'jobname', 'backgroundjob'],
    ...['任務', '任務名稱', '背景任務', '背景loop', '背景迴圈', '迴圈', '協程', '任务', '任务名称', '后台任务', '协程'],
    ...['工作', '工作名稱', '背景工作', '背景作業', '作業', '作業名稱'],
  ],
  file: [
    ...['檔案', '檔名', '檔案路徑', '檔案名稱', '路徑', '程式檔', '來源檔', '文件', '文件名', '文件路径'],
    ...['file', 'filename', 'filepath', 'sourcefile', 'path'],
  ],
  line: [
    ...['行號', '行号', '行', '行數', '位置', '程式位置', '檔案行號', '檔案行', '文件行号', '代码位置'],
    ...['line', 'lines', 'lineno', 'linenumber', 'ln', 'location', 'fileline', 'filelineno', 'sourceline'],
  ],
  frequency: [
    ...['頻率', '频率', '週期', '周期', '間隔', '间隔', '執行頻率', '執行週期', '執行間隔', '执行频率', '排程'],
    ...['frequency', 'freq', 'period', 'interval', 'every', 'schedule', 'cadence'],
  ],
  marker: [
    ...['標記', '标记', '標籤', '标签', '標識', '身分', '身份', '歸屬', '归属'],
    ...['marker', 'tag', 'label', 'identity', 'identitymarker'],
  ],
  priority: [
    ...['改造優先度', '優先度', '優先級', '優先序', '優先權', '优先级', '优先度', '遷移優先度', '等級', '等级'],
    ...['priority', 'migrationpriority', 'prio', 'p'],
  ],
  remark: [
    ...['備註', '备注', '備考', '說明', '说明', '描述', '註', '注'],
    ...['note', 'notes', 'remark', 'remarks', 'comment', 'comments', 'description'],
  ],
  projectId: ['projectid', 'project', 'tenant', 'tenantid', '專案', '項目', '租戶', '租户'],
  class: ['分類', '分类', '類別', '类别', 'class', 'category'],
};

const BY_HEADING = new Map(
  Object.entries(HEADINGS).flatMap(([column, names]) => names.map((name) => [name, column as Column] as const)),
);

function fold(heading: string): string {
  return heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\(.*?\)/g, '')
    .replace(/[\s_.:：/*`-]/g, '');
}

/** The column a heading names in either language, or null. */
export function columnOf(heading: string): Column | null {
  const key = fold(heading);
  const exact = BY_HEADING.get(key);
  if (exact) return exact;
  // `main.py 行`, `main.py line`: the file whose lines are meant stands before the word.
  return /py(?:行號?|line)$/.test(key) ? 'line' : null;
}

/** A heading over lists such as `#5~16、#18`. */
export function isReferenceHeading(heading: string): boolean {
  return /^(?:對應|对应|相關|涵蓋|包含)?(?:loops?|rows?|列|項目|編號|迴圈)$/.test(fold(heading));
}

/** Each column once, by position; a second heading of one kind is left alone. */
export function columnsOf(headings: string[]): (Column | null)[] {
  const seen = new Set<Column>();
  return headings.map((heading) => {
    const column = columnOf(heading);
    if (column === null || seen.has(column)) return null;
    seen.add(column);
    return column;
  });
}
