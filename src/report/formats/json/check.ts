import type { CheckResult, Finding } from '../../../model/index.ts';
import { jsonText } from '../../escape.ts';

/** `looptag/check@1`, see `schemas/check.schema.json`. */
export function checkJson(result: CheckResult): string {
  const { summary } = result;
  return jsonText({
    schema: 'looptag/check@1',
    findings: result.findings.map(findingJson),
    summary: {
      files: summary.files,
      sites: summary.sites,
      errors: summary.errors,
      warnings: summary.warnings,
      notes: summary.notes,
      fixable: summary.fixable,
      suppressed: summary.suppressed,
      baselined: summary.baselined,
      staleBaseline: result.staleBaseline.length,
    },
    errors: result.errors.map(({ file, line, column, message }) => ({ file, line, column, message })),
  });
}

function findingJson({ rule, code, severity, message, range, site, fix, fixable }: Finding) {
  const { file, line, column, endLine, endColumn } = range;
  return {
    rule,
    code,
    severity,
    message,
    file,
    line,
    column,
    endLine,
    endColumn,
    site,
    fixable: fixable ?? fix !== null,
  };
}
