/** The formats of `looptag status`: pure functions from a report to text. */
export { type StatusHtmlOptions, statusHtml } from './html/page.ts';
export { statusJson } from './json.ts';
export type { Forecast, HistoryPoint, Language, StatusReport } from './model.ts';
export { type StatusTextOptions, statusText } from './text.ts';
