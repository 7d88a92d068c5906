import type { Language } from '../model.ts';
import { attribute, escapeHtml } from './escape.ts';

/** The page's own words, English and Traditional Chinese. */
export const TEXTS = {
  heading: ['Background loops', '背景 loop 現況'],
  policy: ['Policy', '政策'],
  catalogue: ['Catalogue', '目錄'],
  asOf: ['As of', '資料時間'],
  incomplete: ['Some files could not be analysed: the counts are lower bounds.', '部分檔案無法分析，數字為下限。'],
  language: ['Language', '語言'],
  loops: ['Loops', 'Loop 數'],
  allLoops: ['All loops', '全部 loop'],
  tagged: ['tagged', '已標記'],
  untagged: ['untagged', '未標記'],
  wrong: ['wrong id', '標記錯誤'],
  dynamic: ['id not static', '無法靜態得知'],
  legacy: ['transitional', '過渡標記'],
  undecided: ['undecided', '待確認'],
  unlisted: ['not in catalogue', '未列入目錄'],
  vanished: ['gone from code', '程式碼中已消失'],
  traceId: ['trace id', 'trace id'],
  heartbeat: ['heartbeat', '心跳監控'],
  burndown: ['Burn-down', '清零進度'],
  noHistory: [
    'No history was read; `looptag status --history` walks the commits.',
    '未讀取歷史；`looptag status --history` 會走訪 commit。',
  ],
  forecast: ['Forecast', '預測'],
  noForecast: ['no end in sight at the present pace', '以目前速度看不到終點'],
  perWeek: ['loops a week', '個 loop／週'],
  total: ['total', '總數'],
  milestones: ['Milestones', '里程碑'],
  acceptance: ['Acceptance', '驗收標準'],
  document: ['Document', '文件'],
  item: ['Item', '項目'],
  target: ['Target', '目標'],
  progress: ['Done', '完成'],
  met: ['met', '達成'],
  notMet: ['not met', '未達成'],
  noSuchLoop: ['no such loop', '沒有這類 loop'],
  notMeasured: ['not measured', '無法量測'],
  missing: ['missing', '尚缺'],
  matrix: ['Tagged by class and priority', '分類 × 優先度（已標記／總數）'],
  matrixHint: ['A cell filters the table below.', '點選格子可篩選下表。'],
  class: ['Class', '分類'],
  priority: ['Priority', '優先度'],
  none: ['none', '無'],
  all: ['all', '全部'],
  state: ['State', '狀態'],
  search: ['Search', '搜尋'],
  reset: ['Reset', '清除'],
  shown: ['shown', '顯示'],
  nothing: ['No loop matches.', '沒有符合的 loop。'],
  number: ['#', '#'],
  name: ['Loop', 'Loop'],
  place: ['Place', '位置'],
  marker: ['Marker', '標記'],
  projectId: ['project_id', 'project_id'],
  period: ['Period', '週期'],
  once: ['once', '一次'],
  unknown: ['unknown', '未知'],
  evidence: ['Evidence', '證據'],
  details: ['Details', '詳細'],
  reasons: ['Why', '理由'],
  sites: ['Spawn sites', '啟動位置'],
  batch: ['Batch', '批次'],
  expected: ['Expected id', '應有 id'],
  actual: ['Actual id', '實際 id'],
  lacks: ['Still missing', '尚缺'],
  keys: [
    'Keys: / search, ↑ ↓ rows, Enter details, Esc clears the search.',
    '按鍵：/ 搜尋、↑ ↓ 移動、Enter 詳細、Esc 清除搜尋。',
  ],
} as const satisfies Record<string, readonly [string, string]>;

export type TextKey = keyof typeof TEXTS;

export function word(key: TextKey, language: Language): string {
  return TEXTS[key][language === 'en' ? 0 : 1];
}

/** Attributes that let the script change an element's language. */
function bilingual(en: string, zh: string): string {
  return `data-en="${attribute(en)}" data-zh="${attribute(zh)}"`;
}

/** An element with one of the page's own words. */
export function t(key: TextKey, language: Language, tag = 'span', more = ''): string {
  const [en, zh] = TEXTS[key];
  return `<${tag} ${bilingual(en, zh)}${more}>${escapeHtml(language === 'en' ? en : zh)}</${tag}>`;
}

/** A text that came in both languages, from a policy. */
export function translated(titles: { en: string; 'zh-TW': string }, language: Language): string {
  return `<span ${bilingual(titles.en, titles['zh-TW'])}>${escapeHtml(titles[language])}</span>`;
}
