import { defineCheck } from '../../../src/engine/contracts.ts';
import type { FileError } from '../../../src/model/index.ts';
import { lineRange } from '../about.ts';

const MESSAGES = {
  syntax: (message: string) => `${message}: nothing in this file was checked`,
  encoding: (message: string) => `the file can't be decoded (${message}): nothing in it was checked`,
  unreadable: (message: string) => `the file can't be read (${message}): nothing in it was checked`,
} satisfies Record<FileError['kind'], (message: string) => string>;

export default defineCheck({
  id: 'syntax-error',
  code: 'LT023',
  severity: 'error',
  summary: 'A file can not be read as Python, so that its spawns are unknown.',
  fixable: false,
  remedy: 'mend the file, or leave it out by `exclude` in the configuration',
  *run(input) {
    for (const { file, line, column, message, kind } of input.analysis.errors) {
      const whole = lineRange(input, file, line);
      const endColumn = Math.max(column, whole.endColumn);
      yield {
        message: MESSAGES[kind](message),
        range: {
          ...whole,
          column,
          endColumn,
          start: Math.min(whole.end, whole.start + Math.max(0, column - whole.column)),
        },
        site: null,
        identity: file,
      };
    }
  },
});
