/** Wording that the messages of all checks share. */

const LONGEST = 60;

/** A name or a piece of source in back-ticks, on one line and not longer than a message can bear. */
export function quoted(source: string): string {
  const line = source.replace(/\s+/g, ' ').trim();
  const points = [...line];
  const short = points.length > LONGEST ? `${points.slice(0, LONGEST - 1).join('')}…` : line;
  return `\`${short.replaceAll('`', "'")}\``;
}
