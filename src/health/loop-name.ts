/**
 * Value of the loop label for a function: its last name without leading `_` and `run_` (ADR-123 D5's example).
 * A name that is nothing else is kept.
 */
export function loopName(functionName: string): string {
  const last = functionName.slice(functionName.lastIndexOf('.') + 1);
  const bare = last.replace(/^_+/, '').replace(/^run_/, '');
  return bare === '' ? last : bare;
}
