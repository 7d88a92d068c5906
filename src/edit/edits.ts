import type { Edit } from '../model/index.ts';

/** Two edits want the same text. */
export class EditOverlapError extends Error {
  constructor(
    readonly first: Edit,
    readonly second: Edit,
  ) {
    super(
      `edits overlap in ${first.file}: [${first.start}, ${first.end}) and [${second.start}, ${second.end}); apply them in separate runs`,
    );
    this.name = 'EditOverlapError';
  }
}

/** An edit with the place of its text in the result. */
export interface PlacedEdit extends Edit {
  newStart: number;
  newEnd: number;
}

const isInsertion = (edit: Edit) => edit.start === edit.end;

function compare(a: Edit, b: Edit): number {
  if (a.start !== b.start) return a.start - b.start;
  // An insertion stands before the text that a replacement at its offset takes away.
  if (isInsertion(a) !== isInsertion(b)) return isInsertion(a) ? -1 : 1;
  return (a.order ?? 0) - (b.order ?? 0);
}

/**
 * The edits of one file in the order of the text; insertions at one offset by `order`, then as given.
 * @throws EditOverlapError when two of them touch the same text.
 * @throws RangeError when one lies outside the text or speaks of another file.
 */
export function sortEdits(edits: readonly Edit[], length: number): Edit[] {
  const sorted = [...edits].sort(compare);
  let previous: Edit | null = null;
  for (const edit of sorted) {
    if (edit.start < 0 || edit.end < edit.start || edit.end > length)
      throw new RangeError(`edit [${edit.start}, ${edit.end}) lies outside of ${edit.file} (${length} units)`);
    if (previous && previous.file !== edit.file)
      throw new RangeError(`edits of two files in one list: ${previous.file}, ${edit.file}`);
    if (previous && edit.start < previous.end) throw new EditOverlapError(previous, edit);
    if (!previous || edit.end >= previous.end) previous = edit;
  }
  return sorted;
}

/** Apply edits of one file to its text; offsets are those of the text as given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const out: string[] = [];
  let at = 0;
  for (const edit of sortEdits(edits, text.length)) {
    out.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  out.push(text.slice(at));
  return out.join('');
}

/** Where each edit's text stands after all of them are applied. */
export function placeEdits(edits: readonly Edit[], length: number): PlacedEdit[] {
  let shift = 0;
  return sortEdits(edits, length).map((edit) => {
    const newStart = edit.start + shift;
    shift += edit.text.length - (edit.end - edit.start);
    return { ...edit, newStart, newEnd: newStart + edit.text.length };
  });
}

/** The edits that undo `edits`, in offsets of the changed text. */
export function invertEdits(text: string, edits: readonly Edit[]): Edit[] {
  return placeEdits(edits, text.length).map((edit, index) => ({
    file: edit.file,
    start: edit.newStart,
    end: edit.newEnd,
    text: text.slice(edit.start, edit.end),
    order: index,
  }));
}

/** The offset in the text before the edits that an offset after them stands for; inside inserted text: where that was put. */
export function mapBack(placed: readonly PlacedEdit[], offset: number): number {
  let shift = 0;
  for (const edit of placed) {
    if (edit.newStart > offset) break;
    if (offset < edit.newEnd) return edit.start;
    shift += edit.end - edit.start - edit.text.length;
  }
  return offset + shift;
}

/** The offset after the edits of an offset before them; what stands in a replaced stretch moves to its start. */
export function mapForward(placed: readonly PlacedEdit[], offset: number): number {
  let shift = 0;
  for (const edit of placed) {
    if (edit.start > offset) break;
    if (offset < edit.end) return edit.newStart;
    shift += edit.text.length - (edit.end - edit.start);
  }
  return offset + shift;
}
