import { type CheckInput, defineCheck } from '../../../src/engine/contracts.ts';
import type { Heartbeat, Severity } from '../../../src/model/index.ts';
import { aboutDefinition, aboutLine, mendsAt, nameOf, requiredLoops } from '../about.ts';
import { quoted } from '../wording.ts';

const MESSAGES = {
  none: (name: string) => `${name} updates no heartbeat, so that nothing notices when it stops`,
  outside: (name: string) =>
    `${name} sets its heartbeat before the loop only: it looks alive after the first round died`,
  always: (name: string) =>
    `${name} updates its heartbeat also when a round fails: a loop that only fails looks healthy`,
  sometimes: (name: string) =>
    `${name} has rounds that end well without a heartbeat: when it has nothing to do it looks as if it had stopped`,
  names: (variable: string, wanted: string, given: string) =>
    `${variable} has the labels ${wanted || 'none'}, and is given ${given || 'none'}: prometheus_client raises here`,
  mixed: (variable: string) =>
    `${variable} is given labels by position and by name at once: prometheus_client raises here`,
  coarse: (variable: string, lacking: string) =>
    `${variable} has no label ${lacking}: its alerts cannot tell the loops apart that share the others`,
  unlabelled: (variable: string, labels: string) =>
    `${variable} has the labels ${labels}, and is set without \`.labels(…)\`: prometheus_client raises here`,
  multiprocess: (variable: string) =>
    `${variable} has no \`multiprocess_mode\` though the service runs several processes: each process exports a series of its own`,
};

export default defineCheck({
  id: 'missing-heartbeat',
  code: 'LT009',
  severity: 'note',
  summary: 'A loop has no heartbeat gauge that proves each of its rounds.',
  fixable: true,
  remedy: 'run `looptag migrate --heartbeat`, or set the gauge at the end of each round that succeeded',
  *run(input) {
    const told = new Set<string>();
    for (const { decision, target } of requiredLoops(input)) {
      const name = quoted(nameOf(decision));
      const { heartbeat } = target.facts;
      const found = heartbeat
        ? [...faults(input, name, heartbeat)].map(({ place, message, severity }) =>
            aboutLine(input, decision, place, message, { severity, fixable: false }),
          )
        : [
            aboutDefinition(input, decision, target, MESSAGES.none(name), {
              fixable: mendsAt(input, decision).heartbeat === true,
            }),
          ];
      for (const finding of found) {
        // One coroutine may be spawned in several places: it lacks one heartbeat.
        const key = `${finding.range.file}:${finding.range.line} ${finding.message}`;
        if (!told.has(key)) yield finding;
        told.add(key);
      }
    }
  },
});

interface Fault {
  place: { file: string; line: number };
  message: string;
  severity: Severity;
}

function* faults({ analysis, policy }: CheckInput, name: string, heartbeat: Heartbeat): Generator<Fault> {
  const { definition, labelNames } = heartbeat;
  const variable = quoted(heartbeat.variable);
  if (!heartbeat.inLoop) yield { place: heartbeat, message: MESSAGES.outside(name), severity: 'note' };
  else if (!heartbeat.onSuccess) yield { place: heartbeat, message: MESSAGES.always(name), severity: 'note' };
  else if (heartbeat.everyRound === false)
    yield { place: heartbeat, message: MESSAGES.sometimes(name), severity: 'note' };
  const raises = labelFault(heartbeat, variable, labelNames);
  if (raises) yield { place: heartbeat, message: raises, severity: 'error' };
  const lacking = labelNames ? policy.heartbeat.labels.filter((label) => !labelNames.includes(label)) : [];
  if (lacking.length > 0 && definition)
    yield { place: definition, message: MESSAGES.coarse(variable, lacking.join(', ')), severity: 'note' };
  if (analysis.multiprocessMetrics && definition && definition.multiprocessMode === null) {
    yield { place: definition, message: MESSAGES.multiprocess(variable), severity: 'warning' };
  }
}

/** What makes prometheus_client raise, and so ends the loop at its first heartbeat. */
function labelFault({ labels, mixedLabels }: Heartbeat, variable: string, labelNames: string[] | null): string | null {
  if (!labelNames) return null;
  if (labels === null) return labelNames.length > 0 ? MESSAGES.unlabelled(variable, labelNames.join(', ')) : null;
  if (mixedLabels) return MESSAGES.mixed(variable);
  const given = Object.keys(labels);
  if (given.length === labelNames.length && given.every((label) => labelNames.includes(label))) return null;
  return MESSAGES.names(variable, labelNames.join(', '), given.join(', '));
}
