import { warning } from './diagnostic.ts';
import type { RuntimeTask, TaskDump } from './model.ts';

/** Widths that Python 3.14 pads its columns to; longer values push the rest to the right. */
const NAME_WIDTH = 20;

/** Reads `python -m asyncio ps PID` (3.14), as a table or as CSV. A task that several others await has several rows. */
export function readPs(lines: readonly string[]): TaskDump {
  const dump: TaskDump = { kind: 'asyncio-ps', tasks: [], diagnostics: [] };
  const seen = new Set<string>();
  lines.forEach((line, index) => {
    if (line.trim() === '' || /^tid[\s,]/.test(line) || /^-{20,}$/.test(line)) return;
    const row = tableRow(line) ?? csvRow(line);
    if (row === null) {
      dump.diagnostics.push(warning('not a row of `python -m asyncio ps`', index + 1, 'left out'));
      return;
    }
    if (seen.has(row.id)) return;
    seen.add(row.id);
    if (row.frames.length === 0)
      dump.diagnostics.push(warning('a task without a coroutine stack', index + 1, 'left out'));
    else dump.tasks.push(taskOf(row, index + 1));
  });
  return dump;
}

interface Row {
  id: string;
  name: string;
  /** Innermost first, as printed. */
  frames: string[];
}

function tableRow(line: string): Row | null {
  const head = /^(\d+)\s+(0x[0-9a-f]+)\s+/.exec(line);
  if (head === null) return null;
  const rest = line.slice(head[0].length);
  const end = rest[NAME_WIDTH] === ' ' || rest.length <= NAME_WIDTH ? NAME_WIDTH : rest.indexOf(' ', NAME_WIDTH);
  const name = (end < 0 ? rest : rest.slice(0, end)).trim();
  const stack = end < 0 ? '' : (/^ *(\S+(?: -> \S+)*)?/.exec(rest.slice(end))![1] ?? '');
  // Without a stack the next thing in the row is the awaiter's id.
  return { id: `${head[1]} ${head[2]}`, name, frames: /^0x[0-9a-f]+$/.test(stack) ? [] : split(stack) };
}

function csvRow(line: string): Row | null {
  const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    (m) => m[1]?.replaceAll('""', '"') ?? m[2]!,
  );
  if (cells.length < 4 || !/^\d+$/.test(cells[0]!) || !/^0x[0-9a-f]+$/.test(cells[1]!)) return null;
  return { id: `${cells[0]} ${cells[1]}`, name: cells[2]!, frames: split(cells[3]!) };
}

function split(stack: string): string[] {
  return stack.split(' -> ').filter((frame) => frame !== '');
}

function taskOf(row: Row, dumpLine: number): RuntimeTask {
  const stack = [...row.frames].reverse();
  return {
    name: row.name,
    qualname: stack[0]!,
    stack,
    file: null,
    line: null,
    projectId: null,
    projectKnown: false,
    wrappers: [],
    pid: null,
    dumpLine,
  };
}
