/** `looptag rules` */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checks } from '../../../rules/checks/index.ts';
import { codemods } from '../../../rules/codemods/index.ts';
import { selectChecks } from '../../engine/check.ts';
import type { SeveritySetting } from '../../model/index.ts';
import { byText } from '../../model/order.ts';
import { jsonText } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { Trouble } from '../trouble.ts';
import { type CommonOptions, openWorkspace } from '../workspace.ts';

export interface RulesOptions extends CommonOptions {
  format: 'text' | 'json' | 'markdown';
}

interface Row {
  code: string;
  id: string;
  /** What it is here, by the configuration. */
  severity: SeveritySetting;
  /** What it is without one. */
  default: SeveritySetting;
  fixable: boolean;
  summary: string;
}

export async function rules(_: string[], options: RulesOptions, run: Run): Promise<number> {
  const { config } = await openWorkspace(options, run.dist);
  const { active, problems } = selectChecks(checks, {
    select: config.select,
    ignore: config.ignore,
    severities: config.severity,
  });
  const [problem] = problems;
  if (problem) throw new Trouble(problem.message, problem.remedy ?? null);
  const inForce = new Map(active.map(({ check, severity }) => [check.id, severity]));
  const rows = checks
    .map(({ code, id, severity, fixable, summary }): Row => {
      return { code, id, severity: inForce.get(id) ?? 'off', default: severity, fixable, summary };
    })
    .sort((a, b) => byText(a.code, b.code));
  run.streams.out(RENDER[options.format](rows, run));
  return 0;
}

const methods = Object.values(codemods).map(({ id, safe, summary }) => ({ id, safe, summary }));

const RENDER = {
  json: (rows) => jsonText({ schema: 'looptag/rules@1', rules: rows, codemods: methods }),
  markdown: (rows) =>
    [
      '| code | rule | severity | fixable | what it reports |',
      '|---|---|---|---|---|',
      ...rows.map(
        (r) =>
          `| ${r.code} | \`${r.id}\` | ${r.severity} | ${r.fixable ? 'yes' : ''} | ${r.summary.replaceAll('|', '\\|')} |`,
      ),
      '',
    ].join('\n'),
  text: (rows, { streams: { chalk } }) => {
    const width = Math.max(...rows.map((r) => r.id.length), ...methods.map((m) => m.id.length));
    const paint = { error: chalk.red, warning: chalk.yellow, note: chalk.cyan, off: chalk.dim };
    return [
      chalk.bold('Rules of `looptag check` (* can be mended by `migrate` or `catalog sync`)'),
      ...rows.map(
        (r) =>
          `${r.code} ${r.fixable ? '*' : ' '} ${r.id.padEnd(width)} ${paint[r.severity](r.severity.padEnd(7))} ${r.summary}`,
      ),
      '',
      chalk.bold('Rewrites of `looptag migrate --method`'),
      ...methods.map((m) => `${' '.repeat(8)}${m.id.padEnd(width)} ${''.padEnd(7)} ${m.summary}`),
      '',
    ].join('\n');
  },
} satisfies Record<RulesOptions['format'], (rows: Row[], run: Run) => string>;

const HOW = 'clone the repository of looptag, then: npm run new -- check';

export async function newRule([name = '']: string[], options: CommonOptions): Promise<number> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Trouble(
      `${JSON.stringify(name)} is no name for a rule`,
      'small letters, digits and single hyphens, for example late-spawn',
    );
  }
  if (checks.some((c) => c.id === name))
    throw new Trouble(`there is a rule ${name} already`, `\`looptag explain ${name}\` shows it`);
  const checkout = findCheckout(options.root ?? process.cwd());
  if (!checkout)
    throw new Trouble(
      "rules are part of looptag's own repository, and this is none of its checkouts",
      `${HOW} ${name}`,
    );
  if (existsSync(join(checkout, 'rules/checks', name)))
    throw new Trouble(`rules/checks/${name} is there already`, 'choose another name, or remove that folder');
  // the scaffolds are tools of that repository and not part of what is installed
  const script = join(checkout, 'scripts/dev.mjs');
  if (!existsSync(script)) throw new Trouble('this checkout has no scripts/dev.mjs', `${HOW} ${name}`);
  const { status } = spawnSync(process.execPath, [script, 'new', 'check', name], { cwd: checkout, stdio: 'inherit' });
  return status === 0 ? 0 : 2;
}

/** The nearest folder upward that is looptag's repository. */
function findCheckout(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'rules/checks/index.ts')) && packageName(folder) === 'looptag') return folder;
    if (dirname(folder) === folder) return null;
  }
}

function packageName(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name;
  } catch {
    return null;
  }
}
