/** Where a row says that its loop is started: a line, perhaps with its file, in one cell or in two. */
import type { Decision, Entry } from '../../model/index.ts';
import { fileOfRow, listsFile, samePath } from '../../model/listed-line.ts';
import { isOpen } from '../frequency.ts';
import { writeCode, writeText } from '../markdown/cells.ts';
import type { RowWork } from './rows.ts';

/** The cells of a new row: the number alone in the catalogue's own file, `file:line` elsewhere. */
export function placeCells(
  { catalogue }: Pick<RowWork, 'catalogue'>,
  { site: { range } }: Decision,
  manyFiles: boolean,
): { file: string; line: string } {
  const { file, line } = range;
  const columns = catalogue.entries.flatMap(({ cells }) => cells.file ?? []);
  if (columns.length)
    return {
      file: fileCell(
        file,
        columns.some(({ raw }) => raw.includes('`')),
      ),
      line: String(line),
    };
  const own = catalogue.sourceFile === null ? !manyFiles : samePath(file, catalogue.sourceFile);
  return { file: '', line: own ? String(line) : writeText(`${file}:${line}`) };
}

const fileCell = (file: string, coded: boolean): string => (coded ? writeCode(file) : writeText(file));

export function syncLine(work: RowWork, entry: Entry, decision: Decision, manyFiles: boolean): void {
  const { draft, catalogue } = work;
  const { line, file } = decision.site.range;
  const cell = entry.cells.line;
  const path = fileOfRow(entry);
  const keepsPath = path !== null && samePath(file, path);
  const right = entry.line === line && listsFile(entry, file, catalogue.sourceFile);
  if (!cell || (right && !/\d\s*\+/.test(entry.lineText))) return;
  const reason = `spawned at ${file}:${line}`;
  const fresh = placeCells(work, decision, manyFiles);
  const isNumber = fresh.line === String(line);
  const kept =
    keepsPath || (path === null && isNumber) || entry.cells.file ? otherLine(cell.raw, entry.line, line) : null;
  const inPath = () => cell.raw.replace(/([:#]\s*L?)\d+\+?/, (_m, before) => `${before}${line}`);
  const raw = kept ?? (keepsPath && !isNumber ? inPath() : fresh.line);
  draft.set(entry, 'line', raw, isOpen(cell.text) ? 'fill' : 'line', reason);
  if (!keepsPath) draft.set(entry, 'file', fresh.file, 'line', reason);
}

/** A cell with another line number, wherever it stands (`L84`, in a link); null where it says more than one line. */
function otherLine(raw: string, from: number | null, to: number): string | null {
  if (from === null || /\d\s*(?:\+|[-–—~〜,、]\s*\d)/.test(raw)) return null;
  // files, versions and commits have digits, too
  const number = new RegExp(`(?<=^|[^\\w./-]|(?<!\\w)(?:L|n|lines?-?))${from}(?![\\w/-]|\\.\\w)`, 'gi');
  return number.test(raw) ? raw.replace(number, String(to)) : null;
}
