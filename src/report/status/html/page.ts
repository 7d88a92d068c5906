import { createHash } from 'node:crypto';
import type { Language, StatusReport } from '../model.ts';
import { burnDown } from './chart.ts';
import { embeddedJson, escapeHtml } from './escape.ts';
import { loopData, loopTable } from './loops.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';
import { acceptance, matrix, milestones, totals } from './summary.ts';
import { TEXTS, type TextKey, t, word } from './texts.ts';

interface StatusHtmlOptions {
  /** The language that the page opens in; the reader can switch. */
  language?: Language;
}

/** Words that the script itself puts on the page. */
const SCRIPT_TEXTS = [
  'heading',
  'expected',
  'actual',
  'marker',
  'batch',
  'lacks',
  'reasons',
  'sites',
  'evidence',
] as const;

/** One self-contained page: nothing is loaded from anywhere, and nothing from the repository is ever read as mark-up. */
export function statusHtml(report: StatusReport, options: StatusHtmlOptions = {}): string {
  const language = options.language ?? 'en';
  const { status } = report;
  const texts = Object.fromEntries(SCRIPT_TEXTS.map((key: TextKey) => [key, TEXTS[key]]));
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${escapeHtml(word('heading', language))}</title>
<style>${STYLE}</style>
</head>
<body>
${header(report, language)}
<main>
${totals(status, language)}
<section id="burndown">${t('burndown', language, 'h2')}${burnDown(report, language)}</section>
${milestones(status, language)}
${acceptance(status, language)}
${matrix(status, language)}
${loopTable(report, language)}
</main>
<script type="application/json" id="data">${embeddedJson({ loops: loopData(report), texts })}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** By hash: even mark-up that slipped in somewhere could neither run nor load anything. */
function policy(): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

function header({ status, asOf }: StatusReport, language: Language): string {
  const facts = [
    `${t('policy', language)}: ${escapeHtml(status.policy.title)}`,
    ...(status.catalogue === null ? [] : [`${t('catalogue', language)}: <code>${escapeHtml(status.catalogue)}</code>`]),
    ...(asOf === undefined ? [] : [`${t('asOf', language)}: ${escapeHtml(asOf.date)}${commit(asOf.commit)}`]),
  ];
  const warning = status.complete ? '' : t('incomplete', language, 'p', ' class="bad" role="alert"');
  const buttons = `<button type="button" data-lang="zh-TW" lang="zh-TW">中文</button> <button type="button" data-lang="en" lang="en">English</button>`;
  return `<header>${t('heading', language, 'h1')}<div class="dim">${facts.join(' · ')}</div><nav class="noprint" aria-label="Language / 語言">${buttons}</nav>${warning}</header>`;
}

function commit(id: string | null): string {
  return id === null ? '' : ` <code>${escapeHtml(id.slice(0, 12))}</code>`;
}
