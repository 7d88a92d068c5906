/** Writing PromQL and Prometheus' own small notations. Names come from analysed code: everything is quoted. */

/** A PromQL string literal. Half surrogates have no spelling in PromQL and become U+FFFD. */
export function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** `metric{label="value"}`, in the quoted form where the metric's name needs it. */
export function selector(metric: string, matchers: readonly (readonly [label: string, op: string, value: string])[]) {
  const parts = matchers.map(([label, op, value]) => `${label}${op}${quote(value)}`);
  if (/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(metric)) return parts.length ? `${metric}{${parts.join(', ')}}` : metric;
  return `{${[`__name__=${quote(metric)}`, ...parts].join(', ')}}`;
}

/** Escapes RE2's special characters. */
export function regexEscape(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

const UNITS: readonly [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

/** Prometheus' notation of a duration: `1h30m`, `5m`, `1s500ms`. Rounded up to the millisecond. */
export function duration(seconds: number): string {
  let rest = Math.ceil(Math.round(seconds * 1e6) / 1e3);
  if (!(rest > 0)) return '0s';
  let text = '';
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * size;
  }
  return text;
}

/** A number as PromQL reads it, without exponent for the sizes that occur here. */
export function number(value: number): string {
  return String(Number(value.toFixed(3)));
}

/** Text that Go's template engine shows as it is: labels and annotations are templates. */
export function templateText(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}');
}
