/** What is spawned, by name, at each site of `main.py` in order: `bees|cats`; `?` where nothing is known. */
import { analysisOf } from '../facts/support.ts';

const HEAD = `import asyncio, contextlib
from asyncio import create_task as go
async def ants(): ...
async def bees(): ...
async def cats(): ...
`;

function indent(text: string): string {
  return text.trim().replaceAll('\n', '\n    ');
}

/** Sites of `main.py`; the names above are there. */
export function spawned(main: string, files: Record<string, string> = {}): string[] {
  return analysisOf({ ...files, 'main.py': `${HEAD}${main}\n` })
    .sites.filter((s) => s.range.file === 'main.py')
    .map((s) => {
      const names = s.targets.map((t) => (t.file ? (t.qualifiedName ?? '').replace(/^main\./, '') : '?'));
      return names.length ? names.sort().join('|') : '?';
    });
}

/** The same for the body of a function `boot(x, y)`. */
export function spawnedIn(body: string): string[] {
  return spawned(`def boot(x, y):\n    ${indent(body)}`);
}
