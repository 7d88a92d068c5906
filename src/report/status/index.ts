/** The formats of `looptag status`: pure functions from a report to text. */
export { statusHtml } from './html/page.ts';
export { statusJson } from './json.ts';
export type { Forecast, HistoryPoint, Language, StatusReport } from './model.ts';
export { statusText } from './text.ts';
