import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutRow, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  moved: (name: string, listed: number, file: string, line: number) =>
    `${name} is listed at line ${listed}, but it is spawned at ${file}:${line}`,
  spawn: 'spawned here',
};

export default defineCheck({
  id: 'line-drift',
  code: 'LT006',
  severity: 'note',
  summary: 'The line number in the catalogue is no longer the line of the spawn.',
  fixable: true,
  remedy: 'run `looptag catalog sync`',
  *run({ catalogue, reconciliation }) {
    if (!catalogue) return;
    for (const decision of reconciliation.decisions) {
      const { entry, site } = decision;
      const { file, line } = site.range;
      // `701+` is no claim about one line.
      if (!entry || entry.line === null || entry.line === line || entry.lineText.includes('+')) continue;
      if (!speaksOf(catalogue.sourceFile, file)) continue;
      const message = MESSAGES.moved(quoted(nameOf(decision)), entry.line, file, line);
      yield aboutRow(catalogue, entry, 'line', message, { related: [{ message: MESSAGES.spawn, range: site.range }] });
    }
  },
});

/** Line numbers of the catalogue speak of the file it names; without one, of whatever file spawns the loop. */
function speaksOf(sourceFile: string | null, file: string): boolean {
  return (
    sourceFile === null || file === sourceFile || file.endsWith(`/${sourceFile}`) || sourceFile.endsWith(`/${file}`)
  );
}
