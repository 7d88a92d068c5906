import { camel } from '../registry.ts';
import type { Context, Scaffold } from './index.ts';

export function newFormat({ name }: Context): Scaffold {
  const folder = `src/report/formats/${name}`;
  return {
    files: {
      [`${folder}/index.ts`]: `import { printable } from '../../escape.ts';
import { defineFormat } from '../../format.ts';

export default defineFormat({
  name: '${name}',
  summary: 'one line a finding',
  check(result) {
    const lines = [
      ...result.errors.map(({ file, line, column, message }) => [file, line, column, message]),
      ...result.findings.map(({ range, code, message }) => [range.file, range.line, range.column, \`\${code} \${message}\`]),
    ];
    return lines.map((line) => \`\${printable(line.join(':'))}\\n\`).join('') || '\\n';
  },
});
`,
      [`${folder}/README.md`]: `# ${name}

Who reads this format, and where its specification is. Every string from the user's project goes through \`printable\` or the format's own escaping.
`,
      [`test/report/${name}.test.ts`]: `import { expect, it } from 'vitest';
import ${camel(name)} from '../../src/report/formats/${name}/index.ts';
import { finding, result } from './samples.ts';

it('has a line for each finding', () => {
  const text = ${camel(name)}.check!(result([finding({ message: 'first' }), finding({ message: 'second' })]));
  expect(text.split('\\n').filter(Boolean)).toHaveLength(2);
});
`,
    },
    next: [
      `write the format: ${folder}/index.ts`,
      'offer it: the choices of --format in src/cli/register/check.ts, and the names in test/report/contract.test.ts',
    ],
  };
}
