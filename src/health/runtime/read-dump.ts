import type { Diagnostic } from '../../model/index.ts';
import { warning } from './diagnostic.ts';
import type { RuntimeTask, TaskDump } from './model.ts';
import { readPs } from './read-ps.ts';

/** Longer than any real record; a line beyond it is no dump but an accident. */
const MAX_LINE = 100_000;

/** Reads the probe's JSON lines or the text of `python -m asyncio ps`. What is broken is reported, the rest is used. */
export function readDump(input: string | readonly string[]): TaskDump {
  const lines = (typeof input === 'string' ? input.replace(/^\uFEFF/, '').split(/\r?\n/) : [...input]).map((l) =>
    l.trimEnd(),
  );
  const first = lines.find((line) => line.trim() !== '');
  if (first === undefined) {
    return {
      kind: 'empty',
      tasks: [],
      diagnostics: [warning('the dump is empty', 1, 'run `looptag emit probe` again')],
    };
  }
  return looksLikePs(lines) ? readPs(lines) : readJsonLines(lines);
}

function looksLikePs(lines: readonly string[]): boolean {
  return lines.some((line) => /^tid[\s,]+task id/.test(line) || /^\d+[\s,]+0x[0-9a-f]+[\s,]/.test(line));
}

function readJsonLines(lines: readonly string[]): TaskDump {
  const dump: TaskDump = { kind: 'probe', tasks: [], diagnostics: [] };
  let pid: number | null = null;
  let announced: { count: number; line: number; seen: number } | null = null;
  const close = () => {
    if (announced && announced.seen !== announced.count) {
      const text = `the header announces ${announced.count} tasks, ${announced.seen} were read`;
      dump.diagnostics.push(warning(text, announced.line, 'the dump may be cut off; take it again'));
    }
  };
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const record = parseRecord(line, index + 1, dump.diagnostics);
    if (record === null) return;
    if ('schema' in record) {
      close();
      pid = typeof record.pid === 'number' ? record.pid : null;
      announced = typeof record.tasks === 'number' ? { count: record.tasks, line: index + 1, seen: 0 } : null;
      return;
    }
    const task = taskOf(record, index + 1, pid);
    if (task === null) dump.diagnostics.push(warning('a task without `qualname`', index + 1, 'left out'));
    else {
      dump.tasks.push(task);
      if (announced) announced.seen += 1;
    }
  });
  close();
  return dump;
}

function parseRecord(line: string, number: number, diagnostics: Diagnostic[]): Record<string, unknown> | null {
  if (line.length > MAX_LINE) {
    diagnostics.push(warning(`a line of ${line.length} characters`, number, 'left out'));
    return null;
  }
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    diagnostics.push(warning('not a JSON object', number, 'left out'));
  } catch {
    diagnostics.push(warning('not JSON', number, 'left out; other output may have got into the dump'));
  }
  return null;
}

function taskOf(record: Record<string, unknown>, dumpLine: number, pid: number | null): RuntimeTask | null {
  const text = (key: string) => (typeof record[key] === 'string' ? (record[key] as string) : null);
  const qualname = text('qualname');
  if (qualname === null) return null;
  const wrappers = Array.isArray(record.wrappers) ? record.wrappers.filter((w) => typeof w === 'string') : [];
  return {
    name: text('name'),
    qualname,
    stack: [],
    file: text('file'),
    line: typeof record.line === 'number' ? record.line : null,
    projectId: text('projectId') || null,
    projectKnown: text('projectIdFrom') !== null,
    wrappers,
    pid,
    dumpLine,
  };
}
