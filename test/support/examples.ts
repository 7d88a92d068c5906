/**
 * Examples with their whole answers, kept as Markdown: a heading, the files of a small project as fenced blocks (the
 * language is followed by the file's name), and a fenced block `answer`. Whoever changes an answer says why in the commit;
 * `UPDATE_CASES=1` writes those that are given now.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

export interface Example {
  title: string;
  files: Record<string, string>;
  answer: string;
}

const FENCE = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

function read(text: string): { head: string; examples: (Example & { source: string })[] } {
  const [head, ...parts] = text.split(/^## /m);
  const examples = parts.map((source) => {
    const files: Record<string, string> = {};
    let answer = '';
    for (const [, language, name, body] of source.matchAll(FENCE)) {
      if (language === 'answer') answer = body!;
      else files[name ?? 'main.py'] = body!;
    }
    return { title: source.slice(0, source.indexOf('\n')), files, answer, source };
  });
  return { head: head!, examples };
}

/** The documents of a folder that hold examples. */
function documentsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
}

/** Every example of each document of a folder. */
export function examplesIn(folder: string): Example[] {
  return documentsIn(folder).flatMap((name) => read(readFileSync(join(folder, name), 'utf8')).examples);
}

/** One test for each example of each document of a folder. */
export function testExamples(folder: string, answerOf: (files: Record<string, string>) => string): void {
  describe.each(documentsIn(folder))('%s', (name) => {
    const path = join(folder, name);
    const { head, examples } = read(readFileSync(path, 'utf8'));
    const updated: string[] = [];
    it.each(examples.map((each) => [each.title, each] as const))('%s', (_title, { files, answer, source }) => {
      const given = `${answerOf(files)}\n`;
      if (!process.env.UPDATE_CASES) {
        expect(given).toBe(answer);
        return;
      }
      const asked = source.replace(/\n*```answer[\s\S]*$/, '').trimEnd();
      updated.push(`## ${asked}\n\n\`\`\`answer\n${given}\`\`\`\n`);
      if (updated.length === examples.length) writeFileSync(path, `${head}${updated.join('\n')}`);
    });
  });
}
