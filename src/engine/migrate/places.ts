/** Where sites are, before the edits of a plan and after them. */
import { type PlacedEdit, placeEdits } from '../../edit/index.ts';
import type { SpawnSite } from '../../model/index.ts';
import { firstWhere } from '../../model/order.ts';
import type { FilePlan, LeftAlone, MigrateInput } from './types.ts';

type Place = Pick<SpawnSite['range'], 'file' | 'start'>;

/** The key of a place in {@link MigrateInput.leave}. */
export const placeKey = ({ file, start }: Place): string => `${file}\0${start}`;

/** How far the edits of a plan move an offset of a file. */
export function shiftsOf(files: readonly FilePlan[]): (file: string, offset: number) => number {
  const byFile = new Map(files.map((file) => [file.file, stepsOf(placeEdits(file.edits, file.text.length))]));
  return (file, offset) => {
    const steps = byFile.get(file) ?? [];
    return steps[firstWhere(steps, ({ end }) => end > offset) - 1]?.sum ?? 0;
  };
}

function stepsOf(placed: readonly PlacedEdit[]): { end: number; sum: number }[] {
  let sum = 0;
  return placed.map((edit) => {
    sum += edit.text.length - (edit.end - edit.start);
    return { end: edit.end, sum };
  });
}

/** Sites that are left alone, as the text after a plan has them. */
export function leaveAfter(leave: MigrateInput['leave'], files: readonly FilePlan[]): MigrateInput['leave'] {
  if (!leave?.size) return leave;
  const shiftOf = shiftsOf(files);
  return new Map(
    [...leave].map(([key, why]): [string, LeftAlone | null] => {
      const [file, start] = key.split('\0') as [string, string];
      return [placeKey({ file, start: Number(start) + shiftOf(file, Number(start)) }), why];
    }),
  );
}

/** From the places of sites after a plan back to those before it. */
export function originsOf(sites: readonly SpawnSite[], files: readonly FilePlan[]): Map<string, string> {
  const shiftOf = shiftsOf(files);
  return new Map(
    sites.map(({ range: { file, start } }) => [
      placeKey({ file, start: start + shiftOf(file, start) }),
      placeKey({ file, start }),
    ]),
  );
}
