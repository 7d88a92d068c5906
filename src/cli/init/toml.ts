/** Edits of TOML that leave every byte alone but the one table. */

/** Lines `[start, end)` of a table, comments and blank lines before the next header not counted. */
interface TableSpan {
  start: number;
  end: number;
}

/** Where the table `[name]` itself stands; its sub-tables are tables of their own. null when there is no such header. */
export function findTable(lines: readonly string[], name: string): TableSpan | null {
  const headers = headerLines(lines);
  const wanted = name.split('.').join('\\s*\\.\\s*');
  const pattern = new RegExp(`^\\s*\\[\\s*${wanted}\\s*\\]`);
  const index = headers.findIndex((line) => pattern.test(lines[line]!));
  if (index < 0) return null;
  const start = headers[index]!;
  let end = headers[index + 1] ?? lines.length;
  while (end > start + 1 && /^\s*(#.*)?$/.test(lines[end - 1]!)) end--;
  return { start, end };
}

/** Numbers of the lines that open a table: not those inside of arrays and multi-line strings. */
function headerLines(lines: readonly string[]): number[] {
  const out: number[] = [];
  const state: Scan = { quote: null, depth: 0 };
  lines.forEach((line, i) => {
    if (state.quote === null && state.depth === 0 && /^\s*\[/.test(line)) out.push(i);
    else scan(line, state);
  });
  return out;
}

interface Scan {
  /** The open multi-line string's quotes. */
  quote: '"""' | "'''" | null;
  /** Open brackets of arrays and inline tables. */
  depth: number;
}

function scan(line: string, state: Scan): void {
  let at = 0;
  while (at < line.length) {
    if (state.quote !== null) {
      if (state.quote === '"""' && line[at] === '\\') at += 2;
      else if (line.startsWith(state.quote, at)) {
        at += 3;
        state.quote = null;
      } else at++;
      continue;
    }
    const three = line.slice(at, at + 3);
    if (three === '"""' || three === "'''") {
      state.quote = three;
      at += 3;
    } else if (line[at] === '"' || line[at] === "'") at = afterString(line, at);
    else if (line[at] === '#') return;
    else {
      if ('[{'.includes(line[at]!)) state.depth++;
      if (']}'.includes(line[at]!)) state.depth = Math.max(0, state.depth - 1);
      at++;
    }
  }
}

function afterString(line: string, at: number): number {
  const quote = line[at];
  for (let i = at + 1; i < line.length; i++) {
    if (quote === '"' && line[i] === '\\') i++;
    else if (line[i] === quote) return i + 1;
  }
  return line.length;
}

/** The text with the table put in the place of the old one, or at its end. */
export function withTable(text: string, name: string, body: readonly string[]): string {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const table = [`[${name}]`, ...body];
  const lines = text.split(/\r\n|\n/);
  const span = findTable(lines, name);
  if (!span) {
    const gap = text === '' || text === '\ufeff' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
    return `${text}${gap}${table.join(eol)}${eol}`;
  }
  // line ends are kept as they are, mixed ones too
  const ends = text.split(/(?<=\n)/);
  const last = ends[span.end - 1] ?? '';
  const tail = last.endsWith('\n') ? eol : '';
  return [...ends.slice(0, span.start), table.join(eol) + tail, ...ends.slice(span.end)].join('');
}

/** A basic string. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}

export function tomlArray(items: readonly string[]): string {
  return `[${items.map(tomlString).join(', ')}]`;
}
