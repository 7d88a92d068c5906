import { defineCheck } from '../../../src/engine/contracts.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  dynamic: (source: string, why: string) => `what ${source} starts can't be told from the code: ${why}`,
};

export default defineCheck({
  id: 'dynamic-spawn',
  code: 'LT015',
  severity: 'note',
  summary: 'A spawn starts something that the code does not name, so that no catalogue can hold it.',
  fixable: false,
  remedy: 'spawn a named coroutine, or say which row it is: `# looptag: id=17`',
  *run({ analysis, reconciliation }) {
    const hinted = new Set(reconciliation.decisions.filter((d) => d.matchedBy === 'hint').map((d) => d.site.id));
    for (const site of analysis.sites) {
      if (site.targets.length > 0 || hinted.has(site.id)) continue;
      const message = MESSAGES.dynamic(
        quoted(site.argument || site.api),
        site.unresolved ?? 'it has no coroutine argument',
      );
      yield { message, range: site.range, site: site.id };
    }
  },
});
