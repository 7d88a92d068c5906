import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutRow, nameOf } from '../about.ts';
import { listedSpawns, speaksOf } from '../rows.ts';
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
  *run(input) {
    const { catalogue } = input;
    if (!catalogue) return;
    for (const { entry, decision } of listedSpawns(input)) {
      const { range } = decision.site;
      // `701+` is no claim about one line.
      if (entry.line === null || entry.line === range.line || entry.lineText.includes('+')) continue;
      if (!speaksOf(catalogue.sourceFile, range.file)) continue;
      const message = MESSAGES.moved(quoted(nameOf(decision)), entry.line, range.file, range.line);
      yield aboutRow(catalogue, entry, 'line', message, { related: [{ message: MESSAGES.spawn, range }] });
    }
  },
});
