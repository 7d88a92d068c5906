import { type RawCell, readCell, splitRow } from './cells.ts';
import { type Line, splitLines } from './lines.ts';

export interface Row {
  line: Line;
  /** Where its content starts, after any `> `. */
  start: number;
  cells: RawCell[];
}

export interface Table {
  header: Row;
  delimiter: Line;
  rows: Row[];
}

/** A stretch of running text: a heading, a list item or a line of a paragraph. */
interface Prose {
  kind: 'heading' | 'item' | 'text';
  line: Line;
  /** Where its content starts (after `##`, `- `, `> `). */
  start: number;
}

/** `- [ ] text`. */
interface Task {
  line: Line;
  /** Offset of the character between the brackets. */
  mark: number;
  done: boolean;
  text: string;
}

/** What a catalogue document is made of, with fences, HTML and indented code left out. */
export interface Blocks {
  text: string;
  lines: Line[];
  tables: Table[];
  prose: Prose[];
  tasks: Task[];
}

interface Content {
  line: Line;
  start: number;
  /** Depth of block quotes. */
  depth: number;
  text: string;
}

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]+/;
const BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const DELIMITER = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const HTML = /^ {0,3}<(?:[A-Za-z/][^>]*>?|!--|[?!])/;

function contentOf(text: string, line: Line): Content {
  let start = line.start;
  let depth = 0;
  for (;;) {
    const quote = /^ {0,3}> ?/.exec(text.slice(start, line.end));
    if (!quote) break;
    start += quote[0].length;
    depth++;
  }
  return { line, start, depth, text: text.slice(start, line.end) };
}

/** Ends of HTML that holds blank lines; any other HTML ends at a blank line. */
function htmlEnd(text: string): RegExp | null {
  if (/^ {0,3}<!--/.test(text)) return /-->/;
  const raw = /^ {0,3}<(pre|script|style|textarea)\b/i.exec(text)?.[1];
  return raw ? new RegExp(`</${raw}>`, 'i') : null;
}

/** Index of the first line after a fence or HTML block that starts at `at`; `at` itself when none does. */
function skipOpaque(contents: Content[], at: number): number {
  const first = contents[at];
  if (!first) return at;
  const fence = FENCE.exec(first.text)?.[1];
  if (fence) {
    const close = new RegExp(`^ {0,3}\\${fence[0]}{${fence.length},}[ \\t]*$`);
    for (let i = at + 1; i < contents.length; i++) {
      const c = contents[i];
      if (!c || c.depth < first.depth) return i;
      if (close.test(c.text)) return i + 1;
    }
    return contents.length;
  }
  if (!HTML.test(first.text)) return at;
  const end = htmlEnd(first.text);
  for (let i = at; i < contents.length; i++) {
    const c = contents[i];
    if (!c || c.depth < first.depth) return i;
    if (end ? end.test(c.text) : c.text.trim() === '') return i + 1;
  }
  return contents.length;
}

function startsBlock(text: string): boolean {
  return (
    text.trim() === '' ||
    INDENTED.test(text) ||
    HEADING.test(text) ||
    ITEM.test(text) ||
    BREAK.test(text) ||
    FENCE.test(text) ||
    HTML.test(text)
  );
}

function tableAt(text: string, contents: Content[], at: number): { table: Table; next: number } | null {
  const head = contents[at];
  const rule = contents[at + 1];
  if (!head || !rule || head.depth !== rule.depth || !/[|:]/.test(rule.text)) return null;
  if (startsBlock(head.text) || head.text.trim() === '|' || !DELIMITER.test(rule.text)) return null;
  const row = (c: Content): Row => ({ line: c.line, start: c.start, cells: splitRow(text, c.start, c.line.end) });
  const header = row(head);
  if (header.cells.length !== row(rule).cells.length) return null;
  const rows: Row[] = [];
  let next = at + 2;
  for (; next < contents.length; next++) {
    const c = contents[next];
    if (!c || c.depth !== head.depth || startsBlock(c.text)) break;
    rows.push(row(c));
  }
  return { table: { header, delimiter: rule.line, rows }, next };
}

/** Reads the block structure of a document, as far as a catalogue needs it. */
export function readBlocks(text: string): Blocks {
  const lines = splitLines(text);
  const contents = lines.map((line) => contentOf(text, line));
  const blocks: Blocks = { text, lines, tables: [], prose: [], tasks: [] };
  for (let i = 0; i < contents.length; ) {
    const after = skipOpaque(contents, i);
    if (after > i) {
      i = after;
      continue;
    }
    const found = tableAt(text, contents, i);
    if (found) {
      blocks.tables.push(found.table);
      i = found.next;
      continue;
    }
    const content = contents[i];
    if (content) addProse(blocks, content);
    i++;
  }
  return blocks;
}

function addProse(blocks: Blocks, content: Content): void {
  const { line, text } = content;
  if (text.trim() === '' || BREAK.test(text)) return;
  const heading = HEADING.exec(text);
  const item = heading ? null : /^\s*(?:[-+*]|\d{1,9}[.)])[ \t]+/.exec(text);
  const start = content.start + (heading?.[0].length ?? item?.[0].length ?? 0);
  if (!item && INDENTED.test(text)) return;
  blocks.prose.push({ kind: heading ? 'heading' : item ? 'item' : 'text', line, start });
  const box = item ? /^\[([ xX])\][ \t]+/.exec(blocks.text.slice(start, line.end)) : null;
  if (!box) return;
  const body = blocks.text.slice(start + box[0].length, line.end);
  blocks.tasks.push({ line, mark: start + 1, done: box[1] !== ' ', text: readCell(body).text });
}
