import type { Diagnostic } from '../model/index.ts';

/** What stops a run with exit code 2: said in one message with its remedy. */
export class Trouble extends Error {
  constructor(
    message: string,
    readonly remedy: string | null = null,
  ) {
    super(message);
    this.name = 'Trouble';
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? error);

export function unwritable(shown: string, error: unknown): Trouble {
  return new Trouble(
    `${shown}: cannot be written (${codeOf(error)})`,
    'give a place in a folder that is there and may be written to',
  );
}

export function unreadable(shown: string, error: unknown): Trouble {
  return new Trouble(`${shown}: cannot be read (${codeOf(error)})`, 'check its permissions');
}

/** Problems of an input file: all of them in one message. */
export function stopOn(problems: readonly Diagnostic[]): void {
  if (!problems.length) return;
  const place = (d: Diagnostic): string => (d.file ? `${d.file}:${d.line ?? 1}:${d.column ?? 1}: ` : '');
  throw new Trouble(problems.map((d) => `${place(d)}${d.message}${d.remedy ? `\n  ${d.remedy}` : ''}`).join('\n'));
}
