/** Loads character widths: import lazily where nothing is written. */
import type { Analysis, Catalogue, Entry, Policy } from '../../model/index.ts';
import { samePath } from '../../model/listed-line.ts';
import { byText } from '../../model/order.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import { type InitWords, WORDS } from './init-words.ts';
import { readCatalogue } from './read.ts';
import { learnReferences, writeReferences } from './references.ts';
import { syncCatalogue } from './sync.ts';

export interface InitOptions {
  lang: 'zh-TW' | 'en';
  /** ISO date. */
  today: string;
}

interface Draft {
  words: InitWords;
  lang: Catalogue['language'];
  policy: Policy;
  sourceFile: string;
  measured: number;
  /** The table of loops, header included. */
  table: string[];
  entries: Entry[];
  today: string;
}

/** Writes a new catalogue from the code alone, with the sections of INV-8. `sync` finds nothing to change in it. */
export function initCatalogue(analysis: Analysis, policy: Policy, options: InitOptions): string {
  const words = WORDS[options.lang];
  const sourceFile = busiestFile(analysis, policy);
  const header = `| ${words.columns.join(' | ')} |`;
  const skeleton = `${words.linesOf(sourceFile)}\n\n${header}\n|${words.columns.map(() => '---|').join('')}\n`;
  const empty = readCatalogue(skeleton, 'catalogue.md', policy);
  const { text } = syncCatalogue(empty, reconcile(analysis, empty, policy), analysis, policy, {
    bareRemarks: true,
  });
  const entries = readCatalogue(text, 'catalogue.md', policy).entries;
  const hits = analysis.grepHits.filter((h) => samePath(h.file, sourceFile));
  const draft: Draft = {
    words,
    lang: options.lang,
    policy,
    sourceFile,
    measured: hits.length,
    table: text.trimEnd().split('\n').slice(2),
    entries,
    today: options.today,
  };
  const sections = [head(draft), overview(draft), list(draft), strategy(draft), priorities(draft), acceptance(draft)];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n---\n\n')}\n\n*${words.updated(draft.today)}*\n`;
}

/** The file that starts most loops: the one whose lines the catalogue gives. */
function busiestFile(analysis: Analysis, policy: Policy): string {
  const counts = new Map<string, number>();
  for (const { required, site } of reconcile(analysis, null, policy).decisions) {
    if (required) counts.set(site.range.file, (counts.get(site.range.file) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || byText(a, b));
  return sorted[0]?.[0] ?? analysis.files[0] ?? 'main.py';
}

function head({ words, policy, sourceFile, measured, today }: Draft): string[] {
  const id = policy.acceptance.map((a) => a.document).find((d) => /^[A-Z]+-\d+$/.test(d));
  return [
    `# ${id ? `${id}${words.colon}` : ''}${words.title}`,
    '',
    `**${words.version}**${words.colon}v1.0`,
    `**${words.date}**${words.colon}${today}`,
    `**${words.source}**${words.colon}${words.grep(sourceFile, measured)}`,
    `**${words.purpose}**${words.colon}${policy.title}`,
  ];
}

function references(draft: Draft, holds: (entry: Entry) => boolean): string {
  const numbers = draft.entries.filter(holds).flatMap((e) => (e.number === null ? [] : [e.number]));
  return writeReferences(numbers, learnReferences([], draft.lang));
}

function marked(draft: Draft, marker: string): Entry[] {
  return draft.entries.filter((e) => e.marker === marker);
}

function overview(draft: Draft): string[] {
  const { words, policy, entries } = draft;
  const rows = Object.entries(policy.markers).map(([marker, rule]) => {
    const count = marked(draft, marker).length;
    const list = !rule.legacy && count > 0 ? words.note(references(draft, (e) => e.marker === marker)) : '';
    return `| ${marker}${rule.legacy ? words.note(words.legacy) : ''} | ${count}${list} |`;
  });
  return [
    `## ${words.overview}`,
    '',
    `| ${words.statistic} | ${words.number} |`,
    '|------|------|',
    `| ${words.total} | ${entries.length} |`,
    ...rows,
  ];
}

function list(draft: Draft): string[] {
  const { words, policy, sourceFile, table, entries } = draft;
  const known = new Set(entries.map((e) => e.name));
  const missing = policy.named.filter((n) => !known.has(n.name));
  const planned = missing.map((n) => `- \`${n.name}\`${n.phase ? words.note(n.phase) : ''}`);
  return [
    `## ${words.list}`,
    '',
    `> ${words.linesOf(sourceFile)}`,
    `> ${words.fromCode}`,
    '',
    ...table,
    ...(planned.length > 0 ? ['', words.planned(policy.name), '', ...planned] : []),
  ];
}

function strategy(draft: Draft): string[] {
  const { words, policy } = draft;
  const helper = [
    '```python',
    `async def ${policy.helper}(coro, project_id: str):`,
    `    token = ${policy.contextVariable}.set(project_id)`,
    '    try:',
    '        return await coro',
    '    finally:',
    `        ${policy.contextVariable}.reset(token)`,
    '```',
  ];
  const markers = Object.entries(policy.markers).flatMap(([marker, rule]) => {
    const rows = marked(draft, marker);
    // a method's name says nothing of the object that it is called on
    const first = (rows.find(({ name }) => !name?.includes('.')) ?? rows[0])?.name;
    const count =
      rows.length > 0 && !rule.legacy ? references(draft, (e) => e.marker === marker) : words.loops(rows.length);
    const description = (draft.lang === 'zh-TW' ? rule['zh-TW']?.description : undefined) ?? rule.description;
    const example = [
      '',
      '```python',
      `asyncio.create_task(${policy.helper}(${first}(), ${JSON.stringify(rule.projectId)}))`,
      '```',
    ];
    return [
      '',
      `### ${marker}${words.note(count)}`,
      ...(description ? ['', description] : []),
      ...(first && rule.projectId !== null ? example : []),
    ];
  });
  return [`## ${words.strategy}`, '', ...helper, ...markers];
}

function priorities(draft: Draft): string[] {
  const { words, policy, lang } = draft;
  const rows = policy.priorities.map((p) => {
    const zh = lang === 'zh-TW' ? p['zh-TW'] : undefined;
    const phase = zh?.phase ?? p.phase;
    const loops = references(draft, (e) => e.priority === p.id) || '—';
    return `| ${p.id}${phase ? words.note(phase) : ''} | ${zh?.title ?? p.title} | ${loops} |`;
  });
  return [
    `## ${words.priorities}`,
    '',
    `| ${words.priorityColumns.join(' | ')} |`,
    '|--------|------|-----------|',
    ...rows,
  ];
}

function acceptance({ words, policy, lang }: Draft): string[] {
  const document = policy.acceptance[0]?.document;
  const items = policy.acceptance.filter((a) => a.document === document);
  return [
    `## ${words.acceptance}`,
    '',
    ...items.map((a) => `- [ ] ${(lang === 'zh-TW' ? a['zh-TW']?.title : undefined) ?? a.title}`),
  ];
}
