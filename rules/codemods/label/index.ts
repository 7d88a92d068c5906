import { type CodemodInput, type CodemodResult, defineCodemod } from '../../../src/engine/contracts.ts';
import { bodyTarget, literal, setAtTop, undoAtTop } from '../body.ts';

/** ADR-123 way 3: the transitional label, read from the environment once a module. */
export default defineCodemod({
  id: 'label',
  summary: 'mark loops that are not migrated yet with LOOP_PROJECT_ID',
  safe: true,
  scope: 'target',
  carriesId: true,
  limits: ['The label is read when the module is imported; a later change of the environment is not seen.'],
  projectId: (policy) => policy.legacyLabel.value,
  run: label,
  undo: undoAtTop,
});

/** A policy need not have a transitional label; an empty id would be none. */
const NO_LABEL = 'the policy has no transitional label: give it `legacyLabel` with a value, or use another method';

function label(input: CodemodInput): CodemodResult {
  if (input.policy.legacyLabel.value === '') return { refusal: { code: 'shape', reason: NO_LABEL } };
  const body = bodyTarget(input);
  if ('refusal' in body) return body;
  const { file, extent } = body.loop;
  const { variable, env, value } = input.policy.legacyLabel;
  const os = input.refer(file, { module: 'os', name: null }, extent.start);
  if ('refusal' in os) return os;
  const text = `${variable} = ${os.name}.getenv(${literal(env)}, ${literal(value)})`;
  const constant = input.define(file, { name: variable, text, blankLines: 1, after: [] }, extent.start);
  if ('refusal' in constant) return constant;
  const needs = constant.needs.length > 0 ? [...os.needs, ...constant.needs] : [];
  return setAtTop(input, constant.name, needs);
}
