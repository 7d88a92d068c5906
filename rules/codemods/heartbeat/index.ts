import { pythonString, remove, statements } from '../../../src/edit/build.ts';
import {
  type CodemodInput,
  type CodemodResult,
  defineCodemod,
  type HelperNames,
} from '../../../src/engine/contracts.ts';
import type { Refusal } from '../../../src/model/index.ts';
import { gaugeLabels } from '../../../src/model/loop-label.ts';
import { bodyTarget, literal } from '../body.ts';

/** Lines longer than this are broken as in ADR-123's template. */
const WIDTH = 100;

/** ADR-123 D5: a gauge that says when each loop last finished a round. */
export default defineCodemod({
  id: 'heartbeat',
  summary: 'update a Prometheus gauge at the end of every good round of a loop',
  safe: true,
  scope: 'target',
  carriesId: false,
  limits: [
    'The gauge is set once before the loop starts, so that its series exists: a loop that fails from its first round on looks fresh for one threshold.',
  ],
  helper: {
    name: (policy) => policy.heartbeat.variable,
    kind: 'assignment',
    usesContext: false,
    imports: [{ module: 'prometheus_client', name: 'Gauge' }],
    moduleDoc: 'When each background loop last finished a round.',
    render,
    accepts: (text, policy) => text.includes(policy.heartbeat.metric) && text.includes('Gauge('),
  },
  run,
  undo,
});

function render({ helper, imports, policy }: HelperNames): string {
  const { metric, documentation, labels } = policy.heartbeat;
  const names = labels.map(literal).join(', ');
  return `${helper} = ${imports[0]}(\n    ${literal(metric)},\n    ${literal(documentation)},\n    labelnames=[${names}],\n)`;
}

const refuse = (code: Refusal['code'], reason: string) => ({ refusal: { code, reason } });

function run(input: CodemodInput): CodemodResult {
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  const { loop, layout } = body;
  if (!loop.loop)
    return refuse('shape', `${loop.name} holds no loop itself: the function that it hands over to needs the heartbeat`);
  if (loop.loop.refusal) return refuse('shape', `no safe place for a heartbeat in ${loop.name}: ${loop.loop.refusal}`);
  const gauge = input.helper(loop.file, loop.extent.start);
  if ('refusal' in gauge) return gauge;
  if (loop.calls.some(({ name }) => name === `${gauge.name}.labels`)) return { edits: [], needs: [] };
  const lines = (indent: string) => update(gauge.name, labels(input), indent, layout.indent);
  const places = [loop.loop.before, ...loop.loop.successEnds];
  // Order 1: after a `project_id_ctx_var.set(…)` that another codemod puts at the same offset.
  const edits = places.map((place) => statements(loop.file, place, lines(place.indent ?? ''), layout.eol, 1));
  return { edits, needs: gauge.needs };
}

/** Take every update of the gauge out of the function. */
function undo(input: CodemodInput): CodemodResult {
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  const { loop } = body;
  const ours = loop.heartbeats.filter(({ text }) => text.startsWith(`${input.policy.heartbeat.variable}.labels(`));
  if (ours.length === 0) return refuse('shape', `${loop.name} updates no ${input.policy.heartbeat.variable} itself`);
  const shared = ours.find(({ lines }) => lines === null);
  if (shared)
    return refuse('shape', `a heartbeat of ${loop.name} shares its line with another statement: take it out by hand`);
  return { edits: ours.map(({ lines }) => remove(loop.file, lines!)), needs: [] };
}

/** Values of the policy's labels: of the one that names the loop, and of the one that names the project. */
function labels({ policy, projectIds, loopName }: CodemodInput): string[] {
  const { loopLabel, projectLabel } = gaugeLabels(policy);
  const values = new Map<string | null, string>([
    [loopLabel, loopName],
    [projectLabel, projectIds[0]!],
  ]);
  return policy.heartbeat.labels.map((label) => `${label}=${pythonString(values.get(label) ?? '')}`);
}

function update(gauge: string, values: string[], indent: string, unit: string): string[] {
  const line = `${gauge}.labels(${values.join(', ')}).set_to_current_time()`;
  if (indent.length + line.length <= WIDTH) return [line];
  return [`${gauge}.labels(`, ...values.map((value) => `${unit}${value},`), ').set_to_current_time()'];
}
