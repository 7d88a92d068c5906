import { flag, list, number, type ObjectShape, object, oneOf, record, text } from './shape.ts';

const CLASSES = ['A', 'B', 'C'] as const;
const LIFECYCLES = ['loop', 'one-shot'] as const;

const zh = object(
  { title: text(), phase: text(), because: text(), description: text(), target: text() },
  { title: undefined, phase: undefined, because: undefined, description: undefined, target: undefined },
  'The same words in Traditional Chinese, for catalogues in that language.',
);
const translated = { 'zh-TW': zh };
const untranslated = { 'zh-TW': undefined };

const marker = object(
  {
    projectId: text({
      nullable: true,
      filled: true,
      doc: 'What a loop with this marker carries; null: no id is fixed.',
    }),
    class: oneOf(CLASSES, { nullable: true, doc: 'The class it implies; null leaves that to the suggestions.' }),
    legacy: flag('Transitional: the road to zero counts its loops.'),
    aliases: list(text(), 'Other spellings found in catalogues.'),
    description: text(),
    ...translated,
  },
  { class: null, legacy: false, aliases: [], description: '', ...untranslated },
);

const classRule = object(
  {
    title: text(),
    projectId: text({ nullable: true, filled: true }),
    marker: text({ doc: 'The marker that a new row of this class gets.' }),
    ...translated,
  },
  untranslated,
);

const suggestion = object(
  {
    when: object(
      {
        name: text({ regex: true, doc: "Regular expression on the function's name." }),
        module: text({ regex: true, doc: 'Regular expression on the dotted module.' }),
        lifecycle: oneOf(LIFECYCLES),
        minPeriodSeconds: number(),
        maxPeriodSeconds: number(),
        touches: list(text(), 'A name called in the coroutine contains one of these texts.'),
      },
      {
        name: undefined,
        module: undefined,
        lifecycle: undefined,
        minPeriodSeconds: undefined,
        maxPeriodSeconds: undefined,
        touches: undefined,
      },
      'All conditions given must hold; none given: always.',
    ),
    class: oneOf(CLASSES),
    marker: text(),
    priority: text(),
    because: text({ doc: 'Shown to people: why.' }),
    ...translated,
  },
  { class: undefined, marker: undefined, priority: undefined, ...untranslated },
);

const milestoneTest = {
  kind: 'variant',
  tag: 'kind',
  cases: {
    'class-tagged': { class: oneOf(CLASSES), projectId: text() },
    'legacy-zero': {},
    'class-empty': { class: oneOf(CLASSES) },
    'label-removed': {},
  },
} as const;

const acceptanceTest = {
  kind: 'variant',
  tag: 'kind',
  cases: {
    'undecided-resolved': {},
    'all-tagged': {},
    'marker-tagged': { marker: text(), projectId: text() },
    'trace-id': { name: text() },
    'project-and-trace': { name: text() },
    'legacy-zero': {},
    'heartbeat-all': {},
    'logs-show-project': {},
    'alert-tested': {},
  },
} as const;

const HEARTBEAT = {
  metric: 'background_loop_last_run_timestamp_seconds',
  variable: 'LOOP_LAST_RUN',
  labels: ['loop_name', 'project_id'],
  documentation: 'Unix timestamp of last successful loop execution',
};
const ALERTS = {
  factor: 3,
  floorSeconds: 300,
  documentedThresholdSeconds: null,
  severityByPriority: {},
  runbook: null,
};
const SESSION = { tenant: [], platform: '', module: null };
const LABEL = { variable: 'LOOP_PROJECT_ID', env: 'LOOP_PROJECT_ID', value: '' };

/** The whole of a policy file. */
export const POLICY: ObjectShape = object(
  {
    $schema: text({ doc: 'For editors.' }),
    name: text({ doc: 'Short id, as given to --policy.' }),
    title: text(),
    markers: record(marker, { doc: 'Markers that a catalogue may use, by name.' }),
    classes: object({ A: classRule, B: classRule, C: classRule }, {}, 'A: platform, B: one tenant, C: per tenant.'),
    named: list(
      object(
        {
          name: text(),
          class: oneOf(CLASSES),
          line: number({ nullable: true, min: 1, integer: true }),
          documentLine: number({ min: 1, integer: true }),
          phase: text({ nullable: true, doc: 'When a loop that does not exist yet is to come.' }),
          note: text(),
          priority: text(),
        },
        { line: null, documentLine: undefined, phase: null, note: '', priority: undefined },
      ),
      'Loops that the policy names itself.',
    ),
    suggestions: list(suggestion, 'First match wins, for class, marker and priority each by itself.'),
    priorities: list(
      object(
        { id: text(), title: text(), phase: text(), traceId: flag('A trace id is wanted too.'), ...translated },
        { phase: '', traceId: false, ...untranslated },
      ),
      'Most urgent first.',
    ),
    batches: record(
      object(
        { title: text(), priorities: list(text()), classes: list(oneOf(CLASSES)), ...translated },
        { priorities: undefined, classes: undefined, ...untranslated },
      ),
      { doc: 'What `migrate --batch` takes; without priorities and classes: everything.' },
    ),
    milestones: list(
      object(
        {
          id: text(),
          title: text(),
          target: text(),
          due: text({ nullable: true, doc: 'ISO date.' }),
          expected: number({ nullable: true, integer: true }),
          test: milestoneTest,
          match: text({ regex: true }),
          ...translated,
        },
        { target: '', due: null, expected: null, match: undefined, ...untranslated },
      ),
    ),
    acceptance: list(
      object(
        {
          id: text(),
          document: text(),
          title: text(),
          test: acceptanceTest,
          match: text({ regex: true }),
          ...translated,
        },
        { match: undefined, ...untranslated },
      ),
    ),
    contextVariable: text(),
    traceVariable: text(),
    traceGenerator: text(),
    helper: text(),
    platformSession: object(
      { tenant: list(text()), platform: text(), module: text({ nullable: true }) },
      { module: null },
      'Names of the session factories: for tenants, and the one with the platform role.',
    ),
    legacyLabel: object({ variable: text(), env: text(), value: text() }),
    heartbeat: object({ metric: text(), variable: text(), labels: list(text()), documentation: text() }, HEARTBEAT),
    alerts: object(
      {
        factor: number({ min: 1 }),
        floorSeconds: number(),
        documentedThresholdSeconds: number({ nullable: true }),
        severityByPriority: record(text()),
        runbook: text({ nullable: true }),
      },
      ALERTS,
    ),
  },
  {
    $schema: undefined,
    named: [],
    suggestions: [],
    batches: {},
    milestones: [],
    acceptance: [],
    contextVariable: 'project_id_ctx_var',
    traceVariable: 'trace_id_ctx_var',
    traceGenerator: 'generate_trace_id',
    helper: '_run_with_context',
    platformSession: SESSION,
    legacyLabel: LABEL,
    heartbeat: HEARTBEAT,
    alerts: ALERTS,
  },
  'A migration policy for background loops.',
);
