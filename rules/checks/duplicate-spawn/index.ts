import { defineCheck } from '../../../src/engine/contracts.ts';
import type { Decision } from '../../../src/model/index.ts';
import { aboutSpawn, nameOf } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  again: (name: string) => `${name} is already started by another spawn: two of it will run`,
  first: 'the first spawn',
};

export default defineCheck({
  id: 'duplicate-spawn',
  code: 'LT016',
  severity: 'warning',
  summary: 'The same loop is started twice with the same arguments.',
  fixable: false,
  remedy: 'remove one of the spawns; if both are meant, give each its own argument',
  *run({ reconciliation }) {
    const seen: Decision[] = [];
    for (const decision of reconciliation.decisions) {
      if (decision.target?.facts.lifecycle !== 'loop' || decision.target.qualifiedName === null) continue;
      const first = seen.find((earlier) => doubles(earlier, decision));
      if (first) {
        yield aboutSpawn(decision, MESSAGES.again(quoted(nameOf(decision))), {
          related: [{ message: MESSAGES.first, range: first.site.range }],
        });
      }
      seen.push(decision);
    }
  },
});

/** Other arguments make other work (a pool of workers); other modules may be other programs. */
function doubles(a: Decision, b: Decision): boolean {
  if (a.site === b.site || a.site.module !== b.site.module) return false;
  if (a.target?.qualifiedName !== b.target?.qualifiedName || started(a) !== started(b)) return false;
  return sameRun(a, b) && !excluded(a, b);
}

/** What is spawned, with its arguments. */
function started({ site }: Decision): string {
  return site.argument + (site.shape.passed ?? '');
}

/** Both are reached when the program starts: in one function, or each in a place that runs at start-up. */
function sameRun({ site: a }: Decision, { site: b }: Decision): boolean {
  if (a.enclosing === b.enclosing) return true;
  const early = (path: string) => path === 'startup' || path === 'module';
  return early(a.shape.path) && early(b.shape.path);
}

/** One statement holds both, in arms of which only one runs. */
function excluded({ site: a }: Decision, { site: b }: Decision): boolean {
  const arms = new Map((a.shape.branches ?? []).map((branch) => branch.split(':') as [string, string]));
  return (b.shape.branches ?? []).some((branch) => {
    const [statement, arm] = branch.split(':') as [string, string];
    return arms.has(statement) && arms.get(statement) !== arm;
  });
}
