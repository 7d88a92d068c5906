/** The day of the run; SOURCE_DATE_EPOCH pins it for reproducible output. */
export function today(): string {
  const pinned = process.env.SOURCE_DATE_EPOCH;
  const date = pinned && /^\d+$/.test(pinned) ? new Date(Number(pinned) * 1000) : new Date();
  return date.toISOString().slice(0, 10);
}
