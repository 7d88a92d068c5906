/** Where the reports of `check` go. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Chalk } from 'chalk';
import type { CheckResult, SeveritySetting } from '../model/index.ts';
import type { ReportOptions } from '../report/format.ts';
import { formatNames, loadFormat } from '../report/load.ts';
import type { Run } from './define.ts';
import { Trouble, unwritable } from './trouble.ts';
import type { Analysed, Workspace } from './workspace.ts';

export const checkFormats = formatNames.filter((name) => name !== 'csv');

interface Output {
  format: string;
  path: string;
  shown: string;
}

/** Reads `FORMAT=FILE`. */
export function outputOf(text: string, formats: readonly string[]): Output {
  const at = text.indexOf('=');
  const format = text.slice(0, at);
  if (at < 1 || at === text.length - 1 || !formats.includes(format)) {
    throw new Trouble(`--output ${JSON.stringify(text)}: FORMAT=FILE is expected`, `formats: ${formats.join(', ')}`);
  }
  const shown = text.slice(at + 1);
  return { format, path: resolve(shown), shown };
}

/** Writes the reports: to their files, then the main one to standard output. Returns the format of that one. */
export async function emit(
  w: Workspace,
  analysed: Analysed,
  result: CheckResult,
  to: { format: string; outputs: Output[]; failOn: SeveritySetting },
  run: Run,
): Promise<string> {
  const main = to.format === 'auto' ? (process.env.GITHUB_ACTIONS === 'true' ? 'github' : 'text') : to.format;
  const options = (colours: boolean): ReportOptions => ({
    chalk: colours ? run.streams.chalk : new Chalk({ level: 0 }),
    width: run.streams.width,
    sourceOf: (file) => analysed.sourceOf(file)?.text ?? readText(w, file),
    tool: { name: 'looptag', version: run.version },
    failOn: to.failOn,
    verbose: run.verbose,
  });
  const render = async (format: string, colours: boolean): Promise<string> => {
    const text = (await loadFormat(format)).check!(result, options(colours));
    return text === '' || text.endsWith('\n') ? text : `${text}\n`;
  };
  for (const o of to.outputs) save(o.path, o.shown, await render(o.format, false));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (main === 'github' && summary) {
    const { stepSummary } = await import('../report/formats/markdown/check.ts');
    save(summary, '$GITHUB_STEP_SUMMARY', stepSummary(result), 'a');
  }
  run.streams.out(await render(main, main === 'text'));
  return main;
}

export function save(path: string, shown: string, text: string, flag: 'w' | 'a' = 'w'): void {
  try {
    writeFileSync(path, text, { flag });
  } catch (e) {
    throw unwritable(shown, e);
  }
}

/** Text of a file of the project that is no Python: the catalogue. */
function readText(w: Workspace, file: string): string | null {
  try {
    const bytes = w.fs.read(file);
    return bytes ? new TextDecoder().decode(bytes) : null;
  } catch {
    return null;
  }
}
