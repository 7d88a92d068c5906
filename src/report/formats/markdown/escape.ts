import { printable } from '../../escape.ts';

/** Text in a table cell: nothing in it is mark-up, a link, a mention or an end of the cell. Back-ticks of messages stay code. */
export function cell(message: string): string {
  return printable(message.replace(/\r\n|\r|\n/g, ' '))
    .split(/(`[^`]*`)/)
    .map((part, i) => (i % 2 === 1 ? code(part.slice(1, -1)) : plain(part)))
    .join('');
}

/** A code span; a pipe ends the cell even inside of one. */
export function code(source: string): string {
  const text = printable(source).replaceAll('|', '\\|');
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') || text === '' ? ' ' : '';
  return fence + pad + text + pad + fence;
}

/** Entities, not back-slashes, for what the web page would take for a tag or a mention. */
function plain(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('@', '&#64;')
    .replace(/#(?=\d)/g, '&#35;')
    .replaceAll('://', '&#58;//');
}
