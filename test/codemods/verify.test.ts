import { describe, expect, it } from 'vitest';
import { codemods } from '../../rules/codemods/index.ts';
import { insert } from '../../src/edit/index.ts';
import { filePlan } from '../../src/engine/migrate/assemble.ts';
import { planMigration } from '../../src/engine/migrate/plan.ts';
import { verifyPlan } from '../../src/engine/migrate/verify.ts';
import type { Edit, SpawnSite } from '../../src/model/index.ts';
import { CONTEXT, project } from './support/project.ts';

const MAIN = 'import asyncio\n\n\nasync def main():\n    asyncio.create_task(run_a(1), name="x")\n    print("a")\n';
const files = { 'src/core/context.py': CONTEXT, 'src/main.py': MAIN };
const options = { codemods, paths: ['src/main.py'] };

/** The plan with further edits in its file, as if a codemod had gone wrong. */
function spoiled(...more: Edit[]) {
  const input = project(files, options);
  const plan = planMigration(input);
  const source = input.sources.get('src/main.py')!;
  return { input, plan: { ...plan, files: [filePlan(source, [...plan.files[0]!.edits, ...more], [])] } };
}

const withoutTags = (site: SpawnSite): SpawnSite => ({
  ...site,
  tag: null,
  targets: site.targets.map((target) => ({ ...target, tag: null })),
});

const at = (text: string) => ({ start: MAIN.indexOf(text), end: MAIN.indexOf(text) + text.length });
const F = 'src/main.py';

describe('the proof before a write', () => {
  it('passes a good plan', () => {
    const { input, plan } = spoiled();
    expect(verifyPlan(plan, input)).toEqual([]);
  });

  it('sees a result that does not parse', () => {
    const { input, plan } = spoiled(insert(F, at('print').start, 'if '));
    expect(verifyPlan(plan, input)).toMatchObject([
      { file: F, line: expect.any(Number), message: expect.stringMatching(/does not parse/) },
    ]);
  });

  it.each([
    ['an operator around an expression', [insert(F, at('"a"').start, 'not ')]],
    ['a changed number', [insert(F, at('1)').start, '2')]],
  ] as [string, Edit[]][])('sees %s', (_, edits) => {
    const { input, plan } = spoiled(...edits);
    const problems = verifyPlan(plan, input);
    expect(problems[0]?.message).toMatch(/the tree differs where nothing was to change/);
  });

  it('sees bytes that are not those of the text, and bytes outside of the edits', () => {
    const { input, plan } = spoiled();
    const [file] = plan.files;
    const other = { ...plan, files: [{ ...file!, newBytes: Buffer.concat([file!.newBytes, Buffer.from('\n')]) }] };
    expect(verifyPlan(other, input)[0]?.message).toMatch(/do not decode to the text that was checked/);
    const text = file!.newText.replace('print("a")', 'print("b")');
    const changed = { ...plan, files: [{ ...file!, newText: text, newBytes: Buffer.from(text) }] };
    expect(verifyPlan(changed, input)[0]?.message).toMatch(/tree differs|cannot be undone/);
    const comment = file!.newText.replace('\n\n\nasync', '\n\n# hidden\nasync');
    const commented = { ...plan, files: [{ ...file!, newText: comment, newBytes: Buffer.from(comment) }] };
    expect(verifyPlan(commented, input)).not.toEqual([]);
  });

  it('asks the given Python, and stops at what it says', () => {
    const { input, plan } = spoiled();
    const compile = () => [{ file: F, line: 3, message: 'SyntaxError' }];
    expect(verifyPlan(plan, input, { compile })).toMatchObject(compile());
  });

  it('sees a second pass that would change more, and a tag that the new analysis does not find', () => {
    const { input, plan } = spoiled();
    const blind = (overlay: ReadonlyMap<string, Uint8Array>) =>
      project({ ...files, ...Object.fromEntries(overlay) }, { ...options, change: withoutTags });
    const problems = verifyPlan(plan, input, { reanalyse: blind });
    expect(problems.map(({ message }) => message).join('\n')).toMatch(/second pass would change[\s\S]*sees no tag/);
  });
});
