/** The table of `docs/corpus.md`: what the last accepted run over each tree found. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const COLUMNS = {
  files: 'files',
  errors: 'do not parse',
  sites: 'sites',
  direct: 'direct, by the reference',
  missed: 'missed',
  extra: 'extra',
  mentions: 'mentions',
  migrated: 'sites rewritten',
  rewritten: 'files rewritten',
};
const NUMBERS = Object.keys(COLUMNS);
const BEGIN = '<!-- corpus: written by `npm run corpus -- --update` -->';
const END = '<!-- /corpus -->';

const counts = (object) =>
  Object.entries(object)
    .map(([name, n]) => `${name} ${n}`)
    .join(', ') || '–';

function parseCounts(text) {
  if (text === '–') return {};
  return Object.fromEntries(
    text.split(', ').map((part) => {
      const [name, n] = part.split(' ');
      return [name, Number(n)];
    }),
  );
}

const cells = (line) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Rows by the name of the tree. */
export function readTable(document) {
  const rows = new Map();
  if (!existsSync(document)) return rows;
  const lines = readFileSync(document, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d/.test(line));
  for (const [tree, ...rest] of lines.map(cells)) {
    if (!rows.has(tree)) {
      const [digest, ...numbers] = rest;
      rows.set(tree, { tree, digest, ...Object.fromEntries(NUMBERS.map((key, i) => [key, Number(numbers[i])])) });
    } else {
      const [refused, findings] = rest.map(parseCounts);
      Object.assign(rows.get(tree), { refused, findings });
    }
  }
  return rows;
}

/** Rewrites the tables; rows of trees that were not run stay. */
export function writeTable(document, known, rows) {
  for (const row of rows) known.set(row.tree, row);
  const all = [...known.values()].sort((a, b) => a.tree.localeCompare(b.tree, 'en', { numeric: true }));
  const text = [
    BEGIN,
    '',
    `| tree | digest | ${Object.values(COLUMNS).join(' | ')} |`,
    `|---|---|${NUMBERS.map(() => '--:|').join('')}`,
    ...all.map((r) => `| ${[r.tree, r.digest, ...NUMBERS.map((key) => r[key])].join(' | ')} |`),
    '',
    '| tree | left alone, by reason | findings, by rule |',
    '|---|---|---|',
    ...all.map((r) => `| ${r.tree} | ${counts(r.refused)} | ${counts(r.findings)} |`),
    '',
    END,
  ].join('\n');
  const old = existsSync(document) ? readFileSync(document, 'utf8') : `${BEGIN}\n${END}\n`;
  const [head] = old.split(BEGIN);
  const [, tail = '\n'] = old.split(END);
  writeFileSync(document, `${head}${text}${tail}`);
}
