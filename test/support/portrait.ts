/**
 * Plain data as text that a person can read and a test can compare whole: nothing is left out but what says nothing
 * (`null`, `false`, an empty list), and each place in a file is shown with the text that stands there.
 */

export interface Sources {
  /** The text that offsets speak of, when nothing nearer names a file. */
  main: string;
  textOf(file: string): string | undefined;
}

const OFFSETS = new Set(['lastArgumentEnd', 'offset', 'headerEnd', 'blockStart', 'start', 'end']);

type Plain = Record<string, unknown>;

export function portrait(value: unknown, sources: Sources, names: readonly string[]): string {
  return lines(value, { sources, text: sources.main }, new Set(names)).join('\n');
}

interface Context {
  sources: Sources;
  text: string;
}

function lines(value: unknown, context: Context, hidden: ReadonlySet<string>): string[] {
  const out: string[] = [];
  const of = value as Plain;
  const file = ((of.range ?? of.at) as Plain | undefined)?.file ?? of.file;
  const text = (typeof file === 'string' && context.sources.textOf(file)) || context.text;
  for (const [key, each] of Object.entries(of)) {
    if (saysNothing(each) || hidden.has(key)) continue;
    const short = inline(key, each, { ...context, text });
    if (short !== null) out.push(short === '' ? key : `${key}: ${short}`);
    else if (Array.isArray(each)) {
      out.push(`${key}:`);
      for (const item of each) out.push(...listed(item, { ...context, text }, hidden));
    } else out.push(`${key}:`, ...lines(each, { ...context, text }, hidden).map((line) => `  ${line}`));
  }
  return out;
}

function listed(item: unknown, context: Context, hidden: ReadonlySet<string>): string[] {
  const short = inline('', item, context);
  if (short !== null) return [`- ${short}`];
  const [first, ...rest] = lines(item, context, hidden);
  return [`- ${first ?? '{}'}`, ...rest.map((line) => `  ${line}`)];
}

const saysNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === false || (Array.isArray(value) && value.length === 0);

/** The value on one line; null when it takes more. */
function inline(key: string, value: unknown, { text }: Context): string | null {
  if (value === true) return '';
  if (typeof value === 'number') return OFFSETS.has(key) ? place(text, value) : String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const of = value as Plain;
  const keys = Object.keys(of).sort().join();
  if (keys === 'end,start') return `${place(text, of.start as number)} ${slice(text, of)}`;
  if ('endColumn' in of) return `${of.file}:${of.line}:${of.column}-${of.endLine}:${of.endColumn}`;
  if (keys === 'fact,file,line,text') return `${of.fact} ${of.file}:${of.line} ${quoted(of.text as string)}`;
  if (keys === 'file,line') return `${of.file}:${of.line}`;
  if (keys === 'column,file,line,name,qualifiedName')
    return `${of.name}${of.qualifiedName ? ` (${of.qualifiedName})` : ''} at ${of.file}:${of.line}:${of.column}`;
  if (keys === 'indent,offset' || keys === 'afterText,indent,offset' || keys === 'afterText,indent,offset,what')
    return [
      place(text, of.offset as number),
      JSON.stringify(of.indent),
      of.afterText ? 'after text' : '',
      of.what ? `(${of.what})` : '',
    ]
      .filter(Boolean)
      .join(' ');
  if (Array.isArray(value))
    return value.every((each) => typeof each !== 'object' || each === null)
      ? `[${value.map((each) => (typeof each === 'string' ? quoted(each) : String(each))).join(', ')}]`
      : null;
  if (Object.values(of).every((each) => typeof each !== 'object' || each === null))
    return `{${Object.entries(of)
      .filter(([, each]) => !saysNothing(each))
      .map(([name, each]) =>
        each === true ? name : `${name}: ${typeof each === 'string' ? quoted(each) : String(each)}`,
      )
      .join(', ')}}`;
  return null;
}

/** As it is when that is plain, in quotes when it is not. */
function quoted(text: string): string {
  return /^[^\s"{}[\],]([^\n\r\t]*\S)?$/.test(text) ? text : JSON.stringify(text);
}

function slice(text: string, { start, end }: Plain): string {
  const whole = text.slice(start as number, end as number);
  return JSON.stringify(whole.length > 60 ? `${whole.slice(0, 28)}…${whole.slice(-28)}` : whole);
}

/** Line and column, from 1. */
function place(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}
