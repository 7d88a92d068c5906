const UNITS: readonly [seconds: number, name: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** Seconds as people say them: `30 s`, `5 min`, `1 h`, `2 d`, by the largest unit that divides them. */
export function duration(seconds: number): string {
  for (const [size, name] of UNITS) {
    if (seconds >= size && seconds % size === 0) return `${seconds / size} ${name}`;
  }
  return `${Number(seconds.toFixed(3))} s`;
}
