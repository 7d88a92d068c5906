import type { CheckResult, Edit, FileError, Finding, Range, Rule, Severity } from '../../../model/index.ts';
import { jsonText, printable } from '../../escape.ts';
import { lineHashes, siteFingerprints } from '../../fingerprint.ts';
import type { ReportOptions } from '../../format.ts';
import { positionAt } from '../../source.ts';
import { relativeUri } from '../../uri.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const ROOT = 'SRCROOT';

/** Suppressed and baselined findings are left out: GitHub would show them as open. */
export function checkSarif(result: CheckResult, options: ReportOptions): string {
  const indexes = new Map(result.rules.map(({ id }, index) => [id, index]));
  const fingerprints = siteFingerprints(result.findings);
  const hashOf = hasher(options);
  return jsonText({
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: driver(result.rules, options) },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { [ROOT]: { description: { text: 'The root of the project.' } } },
        invocations: [
          {
            executionSuccessful: result.errors.length === 0,
            toolExecutionNotifications: result.errors.map(notification),
          },
        ],
        results: result.findings.map((finding, i) => ({
          ruleId: finding.rule,
          ...(indexes.has(finding.rule) ? { ruleIndex: indexes.get(finding.rule) } : {}),
          level: finding.severity,
          message: { text: printable(finding.message) },
          locations: [{ physicalLocation: location(finding.range) }],
          ...(finding.related.length > 0 ? { relatedLocations: finding.related.map(relatedLocation) } : {}),
          partialFingerprints: { ...hashOf(finding.range), 'looptagSite/v1': fingerprints[i]! },
          ...(finding.fix ? fixes(finding, options) : {}),
        })),
      },
    ],
  });
}

function driver(rules: readonly Rule[], { tool }: ReportOptions) {
  return {
    name: tool.name,
    semanticVersion: tool.version,
    ...(tool.url ? { informationUri: tool.url } : {}),
    rules: rules.map(ruleJson),
  };
}

function ruleJson({ id, code, severity, summary, remedy, docUrl }: Rule) {
  const help = remedy ? `${summary} To mend it, ${remedy}.` : summary;
  const link = isUrl(docUrl) ? ` [More about this rule](${docUrl})` : '';
  const words = id.split('-').map((word) => word[0]!.toUpperCase() + word.slice(1));
  return {
    id,
    name: words.join(''),
    shortDescription: { text: summary },
    fullDescription: { text: summary },
    help: { text: help, markdown: help + link },
    ...(isUrl(docUrl) ? { helpUri: docUrl } : {}),
    defaultConfiguration: { level: severity === 'off' ? 'none' : severity },
    properties: {
      tags: [code, 'asyncio'],
      precision: 'high',
      'problem.severity': PROBLEM[severity as Severity] ?? 'recommendation',
    },
  };
}

const PROBLEM = { error: 'error', warning: 'warning', note: 'recommendation' } satisfies Record<Severity, string>;

function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function location(range: Range) {
  return { artifactLocation: artifact(range.file), region: region(range) };
}

function artifact(file: string) {
  return { uri: relativeUri(file), uriBaseId: ROOT };
}

function region({ line, column, endLine, endColumn }: Pick<Range, 'line' | 'column' | 'endLine' | 'endColumn'>) {
  return { startLine: line, startColumn: column, endLine, endColumn };
}

function relatedLocation({ message, range }: Finding['related'][number], index: number) {
  return { id: index + 1, message: { text: printable(message) }, physicalLocation: location(range) };
}

function notification({ file, line, column, message }: FileError) {
  return {
    level: 'error',
    message: { text: printable(message) },
    locations: [
      { physicalLocation: { artifactLocation: artifact(file), region: { startLine: line, startColumn: column } } },
    ],
  };
}

/** GitHub's own hash; a file that can't be read has none. */
function hasher({ sourceOf }: ReportOptions) {
  const byFile = new Map<string, string[]>();
  return ({ file, line }: Range): Record<string, string> => {
    let hashes = byFile.get(file);
    if (!hashes) {
      const source = sourceOf(file);
      hashes = source === null ? [] : lineHashes(source);
      byFile.set(file, hashes);
    }
    const hash = hashes[line - 1];
    return hash === undefined ? {} : { primaryLocationLineHash: hash };
  };
}

/** Only safe edits, and only where the files are at hand to say which lines they touch. */
function fixes({ fix }: Finding, { sourceOf }: ReportOptions) {
  if (!fix?.safe || fix.edits.length === 0) return {};
  const artifactChanges = [];
  for (const file of new Set(fix.edits.map((edit) => edit.file))) {
    const source = sourceOf(file);
    if (source === null) return {};
    const edits = fix.edits.filter((edit) => edit.file === file);
    artifactChanges.push({
      artifactLocation: artifact(file),
      replacements: edits.map((edit) => replacement(edit, source)),
    });
  }
  return { fixes: [{ description: { text: printable(fix.title) }, artifactChanges }] };
}

function replacement({ start, end, text }: Edit, source: string) {
  const from = positionAt(source, start);
  const to = positionAt(source, end);
  const deletedRegion = region({ ...from, endLine: to.line, endColumn: to.column });
  return { deletedRegion, ...(text === '' ? {} : { insertedContent: { text } }) };
}
