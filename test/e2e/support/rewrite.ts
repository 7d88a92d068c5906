/** What a rewrite did to the lines that were there: inserted imports and helpers may be worded in many right ways. */
import { diffArrays } from 'diff';

/** The result without lines that were only inserted, bytes as Latin-1 so that each is seen. */
export function callSites(before: Uint8Array, after: Uint8Array): string {
  const kept: string[] = [];
  let removed = 0;
  for (const part of diffArrays(linesOf(before), linesOf(after))) {
    if (part.removed) removed = part.value.length;
    else {
      // An insertion that touches a changed line: its last lines are the changed ones.
      if (!part.added) kept.push(...part.value);
      else if (removed > 0) kept.push(...part.value.slice(-removed));
      removed = 0;
    }
  }
  return kept.join('');
}

function linesOf(bytes: Uint8Array): string[] {
  return (
    Buffer.from(bytes)
      .toString('latin1')
      .match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
  );
}
