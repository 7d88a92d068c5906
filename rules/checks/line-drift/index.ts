import { defineCheck } from '../../../src/engine/contracts.ts';
import { fileOfRow, listsFile } from '../../../src/model/listed-line.ts';
import { aboutRow, nameOf } from '../about.ts';
import { listedSpawns } from '../rows.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  moved: (name: string, listed: string, file: string, line: number) =>
    `${name} is listed at ${listed}, but it is spawned at ${file}:${line}`,
  spawn: 'spawned here',
};

export default defineCheck({
  id: 'line-drift',
  code: 'LT006',
  severity: 'note',
  summary: 'The line number in the catalogue is no longer the line of the spawn.',
  fixable: true,
  remedy: 'run `looptag catalog sync`',
  *run(input) {
    const { catalogue } = input;
    if (!catalogue) return;
    for (const { entry, decision } of listedSpawns(input)) {
      const { range } = decision.site;
      // `701+` is no claim about one line.
      if (entry.line === null || entry.lineText.includes('+')) continue;
      const named = fileOfRow(entry);
      const there = listsFile(entry, range.file, catalogue.sourceFile);
      if (there ? entry.line === range.line : named === null) continue;
      const listed = named === null ? `line ${entry.line}` : `${named}:${entry.line}`;
      const message = MESSAGES.moved(quoted(nameOf(decision)), listed, range.file, range.line);
      yield aboutRow(catalogue, entry, 'line', message, { related: [{ message: MESSAGES.spawn, range }] });
    }
  },
});
