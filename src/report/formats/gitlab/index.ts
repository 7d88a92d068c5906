import type { Severity } from '../../../model/index.ts';
import { jsonText, printable } from '../../escape.ts';
import { siteFingerprints } from '../../fingerprint.ts';
import { defineFormat } from '../../format.ts';
import { unreported } from '../../summary.ts';

const SEVERITY = { error: 'major', warning: 'minor', note: 'info' } satisfies Record<Severity, string>;

export default defineFormat({
  name: 'gitlab',
  summary: 'code quality report of GitLab',
  check(result) {
    const fingerprints = siteFingerprints(result.findings);
    const findings = result.findings.map(({ rule, code, message, severity, range }, i) => ({
      description: printable(`${code}: ${message}`),
      check_name: rule,
      fingerprint: fingerprints[i],
      severity: SEVERITY[severity],
      location: { path: range.file, lines: { begin: range.line, end: range.endLine } },
    }));
    const errors = unreported(result).map(({ file, line, message }) => ({
      description: printable(message),
      check_name: 'syntax-error',
      fingerprint: `syntax-error ${file}`,
      severity: 'critical',
      location: { path: file, lines: { begin: line, end: line } },
    }));
    return jsonText([...errors, ...findings]);
  },
});
