import type { Context, Scaffold } from './index.ts';

const before = `import asyncio


async def run_poll():
    while True:
        await asyncio.sleep(300)


async def main():
    asyncio.create_task(run_poll())
`;

export function newCodemod({ name }: Context): Scaffold {
  const folder = `rules/codemods/${name}`;
  const reason = 'this codemod is not written yet';
  return {
    files: {
      [`${folder}/index.ts`]: `import { type CodemodInput, type CodemodResult, defineCodemod } from '../../../src/engine/contracts.ts';

export default defineCodemod({
  id: '${name}',
  summary: 'one line for tables: what it does to the code',
  safe: true,
  scope: 'site',
  carriesId: true,
  limits: ['What the rewritten code does otherwise than before.'],
  run,
});

/** Edits for one site (see \`src/edit/build.ts\`), or why there are none. */
function run({ site }: CodemodInput): CodemodResult {
  return { refusal: site.shape.refusal ?? { code: 'shape', reason: '${reason}' } };
}
`,
      [`${folder}/README.md`]: `# ${name}

What it is for, in one sentence.

\`\`\`python
asyncio.create_task(run_poll())   # before, and after
\`\`\`

What exactly changes, and what stays.

## Left alone

Sites that it refuses, and why.
`,
      [`${folder}/cases/first/before.py`]: before,
      [`${folder}/cases/first/after.py`]: before,
      [`${folder}/cases/first/left-alone.txt`]: `10: shape: ${reason}\n`,
      [`${folder}/cases/first/options.json`]: '{}\n',
    },
    next: [
      `write the rewrite: ${folder}/index.ts`,
      'UPDATE_CASES=1 npx vitest run test/codemods/cases.test.ts, then read the case',
    ],
  };
}
