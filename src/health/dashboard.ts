import type { AlertPlan, LoopAlert } from './model.ts';
import { duration, number, regexEscape, selector } from './promql/write.ts';

interface Target {
  refId: string;
  expr: string;
  legendFormat: string;
  instant?: boolean;
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** A Grafana dashboard: how near each loop is to its own threshold, and one row a period with the ages. */
export function renderDashboard(plan: AlertPlan): string {
  const periods = byPeriod(plan.loops);
  const panels = [
    ...summaryPanels(plan, periods),
    ...[...periods].flatMap(([, loops], i) => periodPanels(plan, loops, i)),
  ];
  const dashboard = {
    uid: 'looptag-background-loops',
    title: 'Background loops',
    tags: ['looptag', plan.policy],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    templating: { list: variables(plan) },
    annotations: { list: [] },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function variables(plan: AlertPlan) {
  const source = { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' };
  if (plan.projectLabel === null) return [source];
  const query = `label_values(${selector(plan.metric, [])}, ${plan.projectLabel})`;
  const project = {
    name: 'project',
    label: 'Project',
    type: 'query',
    datasource: DATASOURCE,
    definition: query,
    query: { query, refId: 'project' },
    refresh: 2,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
  return [source, project];
}

function byPeriod(loops: readonly LoopAlert[]): Map<number, LoopAlert[]> {
  const groups = new Map<number, LoopAlert[]>();
  for (const loop of loops) groups.set(loop.periodSeconds, [...(groups.get(loop.periodSeconds) ?? []), loop]);
  return groups;
}

function age(plan: AlertPlan, loops: readonly LoopAlert[]): string {
  const labels = [plan.loopLabel, ...(plan.projectLabel === null ? [] : [plan.projectLabel])];
  return `time() - max by (${labels.join(', ')}) (${watched(plan, loops)} > 0)`;
}

function watched(plan: AlertPlan, loops: readonly LoopAlert[]): string {
  const names = loops.map((loop) => regexEscape(loop.loopName)).join('|');
  const project = plan.projectLabel === null ? [] : ([[plan.projectLabel, '=~', '$project']] as const);
  return selector(plan.metric, [[plan.loopLabel, '=~', names], ...project]);
}

/** Loops of one period share a threshold, unless the code delays some of them. */
function thresholdOf(loops: readonly LoopAlert[]): number {
  return Math.max(...loops.map((loop) => loop.thresholdSeconds));
}

function summaryPanels(plan: AlertPlan, periods: Map<number, LoopAlert[]>) {
  const legend = `{{${plan.loopLabel}}}`;
  const groups = [...periods.values()];
  const late = groups.map((loops) => `(${age(plan, loops)} > ${number(thresholdOf(loops))})`).join(' or ');
  const shares: Target[] = groups.map((loops, i) => ({
    refId: refId(i),
    expr: `(${age(plan, loops)}) / ${number(thresholdOf(loops))}`,
    legendFormat: legend,
    instant: true,
  }));
  const seen = groups.map((loops) => `count(max by (${plan.loopLabel}) (${watched(plan, loops)}))`);
  const present = seen.map((expr) => `(${expr} or vector(0))`).join(' + ') || 'vector(0)';
  const height = Math.max(8, Math.ceil(plan.loops.length * 0.8) + 2);
  return [
    stat('Loops past their threshold', 0, `count(${late || 'vector(0) > 1'}) or vector(0)`, [0, 1]),
    stat('Loops without a series', 6, `${plan.loops.length} - (${present})`, [0, 1]),
    catalogue(plan),
    {
      type: 'bargauge',
      title: 'Age as a share of the threshold (1 rings)',
      datasource: DATASOURCE,
      gridPos: { x: 0, y: 8, w: 24, h: height },
      targets: shares.map((target) => ({ datasource: DATASOURCE, ...target })),
      options: { orientation: 'horizontal', displayMode: 'lcd', reduceOptions: { calcs: ['lastNotNull'] } },
      fieldConfig: {
        defaults: { unit: 'percentunit', min: 0, max: 1.5, thresholds: steps([0, 0.7, 1]) },
        overrides: [],
      },
    },
  ];
}

function stat(title: string, x: number, expr: string, limits: number[]) {
  return {
    type: 'stat',
    title,
    datasource: DATASOURCE,
    gridPos: { x, y: 0, w: 6, h: 8 },
    targets: [{ datasource: DATASOURCE, refId: 'A', expr, instant: true, legendFormat: '' }],
    options: { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background' },
    fieldConfig: { defaults: { thresholds: steps([limits[0]!, null, limits[1]!]) }, overrides: [] },
  };
}

/** Green from the first value, yellow from the second, red from the third; null leaves one out. */
function steps(limits: (number | null)[]) {
  const colors = ['green', 'yellow', 'red'];
  const list = limits.flatMap((value, i) =>
    value === null ? [] : [{ color: colors[i], value: i === 0 ? null : value }],
  );
  return { mode: 'absolute', steps: list };
}

function catalogue(plan: AlertPlan) {
  const rows = plan.loops.map(
    (l) =>
      `| ${l.number ?? '–'} | ${cell(l.loopName)} | ${l.class ?? '–'} | ${cell(l.priority ?? '–')} | ${duration(l.periodSeconds)} | ${duration(l.thresholdSeconds)} |`,
  );
  const content = ['| # | loop | class | priority | period | threshold |', '|--|--|--|--|--|--|', ...rows].join('\n');
  return {
    type: 'text',
    title: 'Catalogue',
    gridPos: { x: 12, y: 0, w: 12, h: 8 },
    options: { mode: 'markdown', content },
  };
}

/** Grafana sanitises HTML in Markdown; what remains is the table's own syntax and dashboard variables. */
function cell(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~$]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/\s+/g, ' ');
}

function periodPanels(plan: AlertPlan, loops: LoopAlert[], index: number) {
  const threshold = thresholdOf(loops);
  const top = 8 + Math.max(8, Math.ceil(plan.loops.length * 0.8) + 2) + index * 9;
  const period = duration(loops[0]!.periodSeconds);
  return [
    { type: 'row', title: `Every ${period}`, collapsed: false, gridPos: { x: 0, y: top, w: 24, h: 1 }, panels: [] },
    {
      type: 'timeseries',
      title: `Age of the last good round (threshold ${duration(threshold)})`,
      datasource: DATASOURCE,
      gridPos: { x: 0, y: top + 1, w: 24, h: 8 },
      targets: [{ datasource: DATASOURCE, refId: 'A', expr: age(plan, loops), legendFormat: `{{${plan.loopLabel}}}` }],
      fieldConfig: {
        defaults: {
          unit: 's',
          min: 0,
          custom: { lineInterpolation: 'stepAfter', thresholdsStyle: { mode: 'line' } },
          thresholds: steps([0, null, threshold]),
        },
        overrides: [],
      },
    },
  ];
}

function refId(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : `A${index}`;
}
