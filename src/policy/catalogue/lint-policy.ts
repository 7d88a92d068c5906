import type { Entry, LintPlace, LintProblem, Policy } from '../../model/index.ts';
import { lookup } from '../reconcile/classify.ts';
import { type LintWork, lineOf, wordPattern } from './lint-work.ts';

type Named = Policy['named'][number];

/** The catalogue against the policy and its document. */
export function lintPolicy(work: LintWork): LintProblem[] {
  return [...work.policy.named.flatMap((loop) => namedLoop(work, loop)), ...milestoneCounts(work)];
}

/** Where the policy names a loop: in its document when that was given, else in the policy itself. */
function sourceOf(work: LintWork, loop: Named): LintPlace {
  for (const { file, text } of work.others) {
    const line = lineOf(text, wordPattern(loop.name));
    if (line !== null) return { file, line, message: `\`${loop.name}\` is named here` };
  }
  const { source } = work.policy;
  return { file: source, line: loop.documentLine ?? 1, message: `\`${loop.name}\` is named here` };
}

function tablePlace(work: LintWork): LintPlace {
  const claim = work.claims.find((c) => c.kind === 'marker-count' || c.kind === 'total');
  const line = claim?.line.number ?? work.layout.catalogue[0]?.table.header.line.number ?? 1;
  return { file: work.catalogue.file, line, message: 'the catalogue' };
}

function namedLoop(work: LintWork, loop: Named): LintProblem[] {
  const { catalogue, policy } = work;
  const entry = catalogue.entries.find((e) => e.name === loop.name);
  const place = sourceOf(work, loop);
  if (!entry) {
    // Mentioned elsewhere in the document, for instance as planned: known to be missing.
    if (wordPattern(loop.name).test(catalogue.text)) return [];
    return [missing(work, loop, place)];
  }
  return [...wrongClass(work, loop, entry, place), ...wrongPriority(work, loop, entry, place)].map((p) => ({
    ...p,
    file: catalogue.file,
    line: entry.row,
    column: 1,
    remedy: `decide which is right, and correct the row or ${policy.name}`,
    fixable: false,
  }));
}

function missing(work: LintWork, loop: Named, place: LintPlace): LintProblem {
  const { policy } = work;
  const rule = policy.classes[loop.class];
  const claim = work.claims.find((c) => c.kind === 'marker-count' && c.marker === rule.marker);
  const rows = work.catalogue.entries.filter((e) => !e.struck && e.marker === rule.marker).length;
  const family = policy.named.filter((n) => n.class === loop.class);
  const platform = loop.class === 'A';
  const when = loop.phase ? ` (to come in ${loop.phase})` : '';
  const message = platform
    ? `${policy.name} counts ${family.length} loops of class A, and \`${loop.name}\`${when} is no row yet`
    : `\`${loop.name}\`${when}, an example of class ${loop.class}, names nothing in the catalogue`;
  const where = claim
    ? { file: work.catalogue.file, line: claim.line.number, message: `${rows} rows are marked ${rule.marker}` }
    : tablePlace(work);
  return {
    code: 'policy-loop-missing',
    message,
    file: place.file,
    line: place.line,
    column: 1,
    related: [where],
    remedy: platform
      ? 'add its row when the loop exists, or mention it in the catalogue as planned'
      : 'correct the name in the document, or mention in the catalogue that it does not exist',
    fixable: false,
  };
}

type Found = Pick<LintProblem, 'code' | 'message' | 'related'>;

function wrongClass(work: LintWork, loop: Named, entry: Entry, place: LintPlace): Found[] {
  const implied = lookup(work.policy.markers, entry.marker)?.class ?? null;
  const wanted = work.policy.classes[loop.class].marker;
  const fits = implied === null ? loop.class !== 'A' || entry.marker === wanted : implied === loop.class;
  if (entry.marker === null || fits) return [];
  const message = `row #${entry.number} is marked ${entry.marker}, but \`${loop.name}\` is of class ${loop.class} (${wanted})`;
  return [{ code: 'policy-class', message, related: [place] }];
}

function wrongPriority(_work: LintWork, loop: Named, entry: Entry, place: LintPlace): Found[] {
  if (!loop.priority || entry.priority === null || entry.priority === loop.priority) return [];
  const message = `row #${entry.number} is ${entry.priority}, but \`${loop.name}\` is to be ${loop.priority}`;
  return [{ code: 'policy-priority', message, related: [place] }];
}

/** `4 + 27 = 31` against `2 + 29`: what the milestones expect of each class, and what the overview counts. */
function milestoneCounts(work: LintWork): LintProblem[] {
  const { policy, catalogue } = work;
  const places = work.others.flatMap(({ file, text }) => {
    const found = policy.milestones.flatMap((m) => {
      const line = m.match && m.expected !== null ? lineOf(text, new RegExp(m.match, 'iu')) : null;
      return line === null ? [] : [{ milestone: m, line, expected: numberOn(text, line) ?? m.expected ?? 0 }];
    });
    return found.length > 0 ? [{ file, found }] : [];
  });
  const counts = work.claims.flatMap((c) => (c.kind === 'marker-count' && c.value > 0 ? [c] : []));
  const inOverview = counts.filter((c) => counts.find((o) => o.marker === c.marker) === c);
  return places.flatMap(({ file, found }): LintProblem[] => {
    const expected = found.map((f) => f.expected);
    const written = inOverview.map((c) => c.value);
    const same = [...expected].sort().join() === [...written].sort().join();
    const [first, ...rest] = found;
    if (!first || same || written.length === 0) return [];
    const total = (numbers: number[]) => `${numbers.join(' + ')} = ${numbers.reduce((a, b) => a + b, 0)}`;
    return [
      {
        code: 'policy-count',
        message: `the milestones expect ${total(expected)} loops, the catalogue counts ${total(written)}`,
        file,
        line: first.line,
        column: 1,
        related: [
          ...rest.map((f) => ({ file, line: f.line, message: `${f.expected}: ${f.milestone.title}` })),
          ...inOverview.map((c) => ({ file: catalogue.file, line: c.line.number, message: `${c.value} ${c.marker}` })),
        ],
        remedy: 'correct the milestones to what the catalogue counts once every row is decided',
        fixable: false,
      },
    ];
  });
}

/** `4 個 loop` on a milestone's line. */
function numberOn(text: string, line: number): number | null {
  const content = text.split(/\r\n|\n|\r/)[line - 1] ?? '';
  const m = /(\d+)\s*(?:個|loops?\b)/i.exec(content);
  return m ? Number(m[1]) : null;
}
