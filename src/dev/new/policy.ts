import type { Context, Scaffold } from './index.ts';

const MODEL = 'rules/policies/tenant-basic.yaml';

export function newPolicy({ name, read }: Context): Scaffold {
  const [, ...rest] = read(MODEL).split('\n');
  const text = ['# What this policy is for, and the document that it follows.', ...rest].join('\n');
  const file = `rules/policies/${name}.yaml`;
  return {
    files: { [file]: text.replace(/^name: .*$/m, `name: ${name}`).replace(/^title: .*$/m, `title: ${name}`) },
    next: [
      `write the policy: ${file} (docs/policy.md explains each key)`,
      'a first case: test/meta/policies.test.ts reads it and checks it against the schema',
    ],
  };
}
