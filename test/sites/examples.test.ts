/** Small projects and all that the analysis says of them: the examples below `examples/`. */
import { join } from 'node:path';
import { spawnApis } from '../../rules/spawn-apis/index.ts';
import { MemoryFileSystem } from '../../src/io/memory.ts';
import type { LoopFacts, SpawnSite, Target } from '../../src/model/index.ts';
import { analyse, findLoggingUse } from '../../src/sites/index.ts';
import { testExamples } from '../support/examples.ts';
import { portrait } from '../support/portrait.ts';

/** Facts are told once: the same ones of a later target are named by their coroutine. */
function told() {
  const known = new Map<string, string>();
  return (target: Target): LoopFacts | string => {
    const text = JSON.stringify(target.facts);
    const before = known.get(text);
    if (before === undefined) known.set(text, `${target.name} ${target.file}:${target.line}`);
    return before === undefined ? target.facts : `as of ${before}`;
  };
}

/** A site without what its other parts say already. */
function brief(site: SpawnSite, textOf: (file: string) => string, facts: ReturnType<typeof told>) {
  const { range, argument, argumentExtent: extent, shape, targets, evidence } = site;
  const text = textOf(range.file);
  const { statement, lastArgumentEnd, use, path, ...special } = shape;
  const [first] = evidence;
  return {
    at: range,
    is: `${site.api} in ${site.enclosing}, takes a ${site.takes}, ${site.certainty}, ${use}, ${path}`,
    argument,
    argumentExtent: extent && text.slice(extent.start, extent.end) === argument ? null : (extent ?? 'none'),
    because: evidence.length === 1 && text.slice(range.start, range.end) === first!.text ? first!.fact : evidence,
    statement: statement.start === range.start && statement.end === range.end ? null : statement,
    lastArgumentEnd: lastArgumentEnd === extent?.end ? null : lastArgumentEnd,
    ...special,
    unresolved: site.unresolved,
    tag: site.tag,
    targets: targets.map(({ name, qualifiedName, file, line, facts: _, tag, ...rest }, i) => ({
      target: `${name}${qualifiedName ? ` (${qualifiedName})` : ''}${file ? ` ${file}:${line}` : ''}`,
      tag: tag && `${tag.projectId ?? 'unknown'} via ${tag.via} ${tag.file}:${tag.line}`,
      wrapping: tag?.wrapping,
      ...rest,
      facts: facts(targets[i]!),
    })),
  };
}

testExamples(join(import.meta.dirname, 'examples'), (files) => {
  const fs = new MemoryFileSystem(Object.entries(files));
  // what lies below `lib/` is read only where it is imported
  const asked = Object.keys(files).filter((file) => !file.startsWith('lib/'));
  const { analysis, project, grepLinesOf } = analyse(fs, asked, {
    spawnApis,
    contextVariable: 'project_id_ctx_var',
    traceVariable: 'trace_id_ctx_var',
    helper: '_run_with_context',
    importRoots: [],
  });
  const { sites, forwarders, parsed, grepHits, grepLines, files: _, ...rest } = analysis;
  const { mentions, scheduled, entries, errors, contextVariables, helpers, directives } = analysis;
  const facts = told();
  const of = (site: SpawnSite) => brief(site, (file) => files[file]!, facts);
  const whole = {
    sites: sites.map(of),
    ids: sites.map(({ id }) => id),
    forwarders: forwarders?.map(of),
    // in one order, whatever that of the analysis is
    ...{ mentions, scheduled, entries, errors, contextVariables, helpers, directives },
    ...rest,
    grep: grepHits.map((hit) => `${hit.file}:${hit.line}`),
    grepLines: grepLines === grepHits.length ? null : grepLines,
    grepLinesOf: Object.keys(files).flatMap((file) => (grepLinesOf(file) ? [`${file} ${grepLinesOf(file)}`] : [])),
    logging: findLoggingUse(project, asked, analysis.contextVariables),
    parsed: parsed === asked.length ? null : parsed,
  };
  const [main] = Object.values(files);
  return portrait(whole, { main: main!, textOf: (file) => files[file] }, []);
});
