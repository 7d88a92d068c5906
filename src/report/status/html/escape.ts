import { printable } from '../../escape.ts';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text of an element. What would steer a terminal would also reorder a page: it is shown as an escape. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (c) => ENTITIES[c]!);
}

/** Value of a quoted attribute. */
export const attribute = escapeHtml;

/** JSON that can stand in a `<script>`: nothing in it ends the element or, in old engines, a line. */
export function embeddedJson(value: unknown): string {
  const text = JSON.stringify(value, (_, v: unknown) => (typeof v === 'string' ? printable(v) : v));
  return text.replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
