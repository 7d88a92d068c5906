import type { ContextVariable } from '../../model/index.ts';
import { PROBE_SOURCE } from './source.ts';

interface ProbeOptions {
  /** The project's variables that hold the project id; without any the names of ADR-123 are tried. */
  variables?: readonly Pick<ContextVariable, 'module' | 'name' | 'label'>[];
}

const DEFAULT_LABELS = ['project_id', 'project_id_ctx_var'];

/** Source of `looptag_probe.py`: a Python module without dependencies that lists the running tasks as JSON lines. */
export function emitProbe(options: ProbeOptions = {}): string {
  const variables = options.variables ?? [];
  const labels = variables.flatMap((v) => (v.label === null ? [] : [v.label]));
  const all = [...new Set([...labels, ...(labels.length === 0 ? DEFAULT_LABELS : [])])];
  const pairs = variables.map((v) => `(${python(v.module)}, ${python(v.name)}),`);
  return PROBE_SOURCE.replace('@@LABELS@@', () => `(${all.map((label) => `${python(label)},`).join(' ')})`).replace(
    '@@VARIABLES@@',
    () => `(${pairs.join(' ')})`,
  );
}

/** A Python string literal in plain ASCII, by code points: names come from analysed code. */
function python(text: string): string {
  const inner = [...text].map((c) => {
    const code = c.codePointAt(0)!;
    if (/[\w .:-]/.test(c) && code < 128) return c;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${inner.join('')}"`;
}
