/** `looptag alerts` */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AlertPlan,
  agreementJson,
  agreementText,
  buildAlerts,
  checkRulesFile,
  renderDashboard,
  renderPrometheusRule,
  renderPromtoolTests,
  renderRules,
} from '../../health/index.ts';
import { plural } from '../../model/plural.ts';
import { printable } from '../../report/escape.ts';
import type { Run } from '../define.ts';
import { readInput } from '../input.ts';
import { openProject } from '../project.ts';
import { reportErrors } from '../report-errors.ts';
import { Trouble, unwritable } from '../trouble.ts';
import type { CommonOptions } from '../workspace.ts';

type Format = 'rules' | 'crd' | 'dashboard' | 'tests';

export interface AlertsOptions extends CommonOptions {
  format?: Format | 'text' | 'json';
  outputDir?: string;
  check?: string;
  name?: string;
  namespace?: string;
  label?: string[];
}

interface Output {
  file: string;
  text: string;
}

const RULES_FILE = 'looptag-rules.yaml';

export async function alerts(paths: string[], options: AlertsOptions, run: Run): Promise<number> {
  const formats = formatsOf(options);
  const labels = labelsOf(options.label ?? []);
  if (!formats.includes('crd') && (options.name ?? options.namespace ?? options.label) !== undefined)
    throw new Trouble(
      '--name, --namespace and --label are of the PrometheusRule resource',
      'print that with --format crd, or leave them out',
    );
  const { analysed, reconciliation, w } = await openProject(paths, options, run);
  const failed = reportErrors(analysed.analysis, run);
  const plan = buildAlerts(reconciliation.decisions, w.policy, { stale: reconciliation.stale });
  if (options.check !== undefined) return Math.max(failed, compare(options.check, plan, options, run));
  reportNotes(plan, run);
  if (plan.loops.length === 0)
    throw new Trouble('no loop has a known period: there is nothing to watch', reasons(plan));
  const outputs = formats.flatMap((format) => render(format, plan, options, labels));
  if (options.outputDir !== undefined) writeOutputs(options.outputDir, outputs, run);
  else if (outputs.length === 1) run.streams.out(outputs[0]!.text);
  else throw new Trouble(`the tests are ${outputs.length} files`, 'name a folder with --output-dir');
  return failed;
}

function formatsOf({ format, check, outputDir }: AlertsOptions): Format[] {
  const forCheck = format === 'text' || format === 'json';
  if (check !== undefined && format !== undefined && !forCheck)
    throw new Trouble(`--check prints text or json, not ${format}`, 'leave --check or --format out');
  if (check !== undefined && outputDir !== undefined)
    throw new Trouble('--check writes nothing', 'leave --check or --output-dir out');
  if (check === undefined && forCheck)
    throw new Trouble(`--format ${format} goes with --check FILE`, 'formats: rules, crd, dashboard, tests');
  if (format !== undefined && !forCheck) return [format as Format];
  return outputDir === undefined ? ['rules'] : ['rules', 'crd', 'tests', 'dashboard'];
}

function labelsOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const at = text.indexOf('=');
      if (at < 1)
        throw new Trouble(`--label ${JSON.stringify(text)}: KEY=VALUE is expected`, 'for example team=platform');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
}

function render(format: Format, plan: AlertPlan, options: AlertsOptions, labels: Record<string, string>): Output[] {
  switch (format) {
    case 'rules':
      return [{ file: RULES_FILE, text: renderRules(plan) }];
    case 'crd': {
      const { name, namespace } = options;
      return [{ file: 'looptag-prometheusrule.yaml', text: renderPrometheusRule(plan, { name, namespace, labels }) }];
    }
    case 'dashboard':
      return [{ file: 'looptag-dashboard.json', text: renderDashboard(plan) }];
    case 'tests':
      return renderPromtoolTests(plan, { rulesFile: RULES_FILE });
  }
}

function writeOutputs(folder: string, outputs: readonly Output[], run: Run): void {
  let path = folder;
  try {
    mkdirSync(folder, { recursive: true });
    for (const { file, text } of outputs) {
      path = join(folder, file);
      writeFileSync(path, text);
      run.streams.err(`wrote ${path}\n`);
    }
  } catch (e) {
    throw unwritable(path, e);
  }
}

/** Each note by itself, but one line for what is said of every loop that has no gauge yet. */
function reportNotes(plan: AlertPlan, run: Run): void {
  const place = (n: AlertPlan['notes'][number]) => (n.file === null ? '' : `${n.file}:${n.line ?? 1}: `);
  const bare = plan.notes.filter((n) => n.code === 'no-heartbeat');
  for (const n of plan.notes) {
    if (n.code === 'no-heartbeat' && bare.length > 1 && !run.verbose) continue;
    const write = n.severity === 'error' ? run.streams.trouble : run.streams.err;
    write(`${printable(`${place(n)}${n.severity}: ${n.message}`)}\n`);
  }
  if (bare.length > 1) {
    const remedy = 'run `looptag migrate --heartbeat`, or the absent rules ring';
    // one that is started twice has two notes
    const loops = new Set(bare.map((n) => n.loopName)).size;
    run.streams.err(`${loops} of ${plan.loops.length} loops update no gauge yet: ${remedy}\n`);
  }
  const skipped = plan.skipped.length;
  if (skipped) run.streams.err(`${plural(skipped, 'spawn gets', 'spawns get')} no alert; the file's head says why\n`);
}

function reasons(plan: AlertPlan): string | null {
  const [first] = plan.skipped;
  return first ? printable(`${first.functionName}: ${first.reason}`) : null;
}

function compare(file: string, plan: AlertPlan, options: AlertsOptions, run: Run): number {
  const { text, shown } = readInput(file, 'rules file', '`looptag alerts` prints one');
  const problems = checkRulesFile(text, plan);
  run.streams.out(options.format === 'json' ? agreementJson(problems, shown) : agreementText(problems, shown));
  if (problems.some((p) => p.code === 'yaml-error' || p.code === 'no-rules')) return 2;
  return problems.some((p) => p.severity !== 'note') ? 1 : 0;
}
