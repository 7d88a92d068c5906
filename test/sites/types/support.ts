/** What is spawned in a small project: the definitions that run, each with its period. */
import { analysisOf } from '../facts/support.ts';

/** `Class.method PERIOD` of everything that `boot` spawns, `-` where nothing is known. */
export function spawned(
  boot: string,
  before: string,
  files: Record<string, string> = {},
  head = 'async def boot(x, *rest):',
) {
  const body = boot
    .trim()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  const text = `import asyncio, typing, contextlib\n${before}\n${head}\n${body}\n`;
  const { sites } = analysisOf({ ...files, 'main.py': text });
  return sites
    .filter((s) => s.enclosing === 'boot' && s.range.file === 'main.py')
    .flatMap((s) => {
      const found = s.targets.map((t) =>
        t.line === null ? '-' : `${t.qualifiedName!.replace(/^\w+\./, '')} ${t.facts.periodSeconds}`,
      );
      return found.length ? found : ['-'];
    });
}

/** The same for one expression that is spawned. */
export function target(expression: string, before: string, files: Record<string, string> = {}) {
  return spawned(`asyncio.create_task(${expression})`, before, files);
}
