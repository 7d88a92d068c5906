/** The words of a new catalogue. */
export interface InitWords {
  columns: string[];
  priorityColumns: string[];
  colon: string;
  title: string;
  version: string;
  date: string;
  source: string;
  purpose: string;
  overview: string;
  statistic: string;
  number: string;
  total: string;
  legacy: string;
  list: string;
  fromCode: string;
  strategy: string;
  priorities: string;
  acceptance: string;
  grep(file: string, hits: number): string;
  linesOf(file: string): string;
  planned(policy: string): string;
  loops(count: number): string;
  updated(date: string): string;
  /** In brackets, as the language writes them. */
  note(text: string): string;
}

export const WORDS: Record<'zh-TW' | 'en', InitWords> = {
  'zh-TW': {
    columns: ['#', '函數名', '行號', '頻率', '標記', '改造優先度', '備註'],
    priorityColumns: ['優先度', '說明', '對應 loop'],
    colon: '：',
    title: '背景 loop 目錄',
    version: '版本',
    date: '日期',
    source: '來源',
    purpose: '用途',
    overview: '概覽',
    statistic: '統計',
    number: '數量',
    total: '總 background loop',
    legacy: '過渡',
    list: '完整清單',
    fromCode: '「頻率」由程式碼讀出；讀不出者標為（需確認）',
    strategy: '改造策略',
    priorities: '改造優先度說明',
    acceptance: '驗收標準',
    grep: (file, hits) => `\`${file}\` grep asyncio.create_task（實測 ${hits} 個）`,
    linesOf: (file) => `行號來自 \`${file}\``,
    planned: (policy) => `${policy} 列名、程式碼中尚無：`,
    loops: (count) => `${count} 個`,
    updated: (date) => `最後更新：${date}`,
    note: (text) => `（${text}）`,
  },
  en: {
    columns: ['#', 'Function', 'Line', 'Frequency', 'Marker', 'Priority', 'Remark'],
    priorityColumns: ['Priority', 'Meaning', 'Loops'],
    colon: ': ',
    title: 'Background Loop Catalog',
    version: 'Version',
    date: 'Date',
    source: 'Source',
    purpose: 'Purpose',
    overview: 'Overview',
    statistic: 'Statistic',
    number: 'Count',
    total: 'Total background loops',
    legacy: 'transitional',
    list: 'All loops',
    fromCode: 'Frequencies were read in the code; TBD where that was not possible',
    strategy: 'Strategy',
    priorities: 'Priorities',
    acceptance: 'Acceptance',
    grep: (file, hits) => `\`${file}\`, grep asyncio.create_task (measured ${hits} lines)`,
    linesOf: (file) => `Lines of \`${file}\``,
    planned: (policy) => `Named by ${policy} and not in the code yet:`,
    loops: (count) => `${count} loops`,
    updated: (date) => `Last updated: ${date}`,
    note: (text) => ` (${text})`,
  },
};
