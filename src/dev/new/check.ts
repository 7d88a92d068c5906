import type { Context, Scaffold } from './index.ts';

/** Codes are never used again, not even those of rules that are gone: the changelog remembers them. */
function nextCode({ registry, read }: Context): string {
  const used = [
    ...Object.values(registry.checks).map(({ code }) => code),
    ...(read('CHANGELOG.md').match(/LT\d{3}/g) ?? []),
  ];
  return `LT${String(Math.max(...used.map((code) => Number(code.slice(2)))) + 1).padStart(3, '0')}`;
}

const spawned = (call: string): string => `import asyncio


async def run_poll():
    while True:
        try:
            await poll()
        except Exception:
            pass
        await asyncio.sleep(300)


async def poll():
    pass


async def main():
    ${call}
`;

export function newCheck(context: Context): Scaffold {
  const { name, read } = context;
  const code = nextCode(context);
  const folder = `rules/checks/${name}`;
  const changelog = read('CHANGELOG.md');
  const entry = `- Rule \`${name}\` (${code}).\n`;
  const noted = changelog.replace(/(## Unreleased\n\n)/, `$1${entry}`);
  if (noted === changelog) throw new Error('CHANGELOG.md has no section "## Unreleased"');
  return {
    files: {
      [`${folder}/index.ts`]: `import { defineCheck } from '../../../src/engine/contracts.ts';
import { aboutSpawn, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  unnamed: (name: string) => \`the task of \${name} has no name\`,
};

export default defineCheck({
  id: '${name}',
  code: '${code}',
  severity: 'note',
  summary: 'A task is started without a name.',
  fixable: false,
  remedy: 'give it one with \`name=\`',
  *run({ reconciliation }) {
    for (const decision of reconciliation.decisions) {
      if (decision.site.shape.nameArgument === null) yield aboutSpawn(decision, MESSAGES.unnamed(quoted(nameOf(decision))));
    }
  },
});
`,
      [`${folder}/README.md`]: `# ${name} (${code})

## What it reports

A task that is started without \`name=\`. (This is the scaffold's example: say here, in one paragraph, what yours reports.)

## Why

What goes wrong when nobody mends it.

## Bad

\`\`\`python
asyncio.create_task(run_poll())
\`\`\`

## Good

\`\`\`python
asyncio.create_task(run_poll(), name="poll")
\`\`\`

## How to fix

What to write instead, and which command does it.
`,
      [`${folder}/cases/bad.py`]: spawned(`asyncio.create_task(run_poll())  # expect: ${code}`),
      [`${folder}/cases/good.py`]: spawned('asyncio.create_task(run_poll(), name="poll")'),
      'CHANGELOG.md': noted,
    },
    next: [`write the check: ${folder}/index.ts`, 'npx vitest run test/checks test/meta'],
  };
}
