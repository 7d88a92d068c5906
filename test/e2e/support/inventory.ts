/** Compares an inventory with the answer of a case. */

/** `targets` and `target` of an answer: what one call starts. */
interface ExpectedTarget {
  target?: string;
  target_def?: { file: string; line: number } | null;
  forever?: boolean | null;
  one_shot?: boolean | null;
  period_s?: number | null;
  /** The default of an environment variable or a parameter, which is what the inventory reports as the period. */
  period_default_s?: number;
  tagged?: string | null;
  tagged_dynamic?: boolean;
}

interface ExpectedSite extends ExpectedTarget {
  file: string;
  line: number;
  /** 0-based. */
  col: number;
  api: string;
  role: 'spawn' | 'forwarder';
  targets?: ExpectedTarget[];
  /** 3: needs more inference than is owed; not knowing is no error then, but a wrong answer is. */
  level?: number;
}

export interface ExpectedInventory {
  sites?: ExpectedSite[];
  not_sites?: { file: string; line: number; col: number; why: string }[];
  syntax_error_files?: (string | { file: string })[];
}

interface FoundTarget {
  file: string | null;
  line: number | null;
  lifecycle: string;
  periodSeconds: number | null;
  tag: { projectId: string | null } | null;
}

export interface Inventory {
  sites: { file: string; line: number; column: number; api: string; targets: FoundTarget[] }[];
  errors: { file: string }[];
}

/** One line for each difference. */
export function inventoryDifferences(inventory: Inventory, expected: ExpectedInventory): string[] {
  const found = new Map(inventory.sites.map((site) => [`${site.file}:${site.line}:${site.column}`, site]));
  const differences: string[] = [];
  for (const site of expected.sites ?? []) {
    const at = `${site.file}:${site.line}:${site.col + 1}`;
    const match = found.get(at);
    found.delete(at);
    if (site.role === 'forwarder') {
      if (match) differences.push(`${at}: the call inside a wrapper is counted as a site`);
    } else if (!match) differences.push(`${at}: missed`);
    else {
      if (!sameApi(match.api, site.api)) differences.push(`${at}: api ${match.api}, not ${site.api}`);
      differences.push(...targetDifferences(match.targets, site).map((text) => `${at}: ${text}`));
    }
  }
  for (const [at, { api }] of found) {
    const why = expected.not_sites?.find((each) => at === `${each.file}:${each.line}:${each.col + 1}`)?.why;
    differences.push(`${at}: ${api} is no spawn${why ? ` (${why})` : ''}`);
  }
  for (const entry of expected.syntax_error_files ?? []) {
    const file = typeof entry === 'string' ? entry : entry.file;
    if (!inventory.errors.some((error) => error.file === file))
      differences.push(`${file}: its syntax error is not reported`);
  }
  return differences;
}

/** A wrapper is known by its own name: its module depends on where the import root is seen. */
function sameApi(found: string, expected: string): boolean {
  const wrapper = 'wrapper:';
  if (!expected.startsWith(wrapper)) return found === expected;
  return found.startsWith(wrapper) && found.split('.').at(-1) === expected.slice(wrapper.length).split('.').at(-1);
}

function targetDifferences(found: FoundTarget[], site: ExpectedSite): string[] {
  if (site.level === 3 && !site.targets && found.length === 0) return [];
  const wanted = site.targets ?? [site];
  const right = places(wanted.map(({ target_def }) => target_def ?? null));
  const places_ = places(found.map(({ file, line }) => (file === null || line === null ? null : { file, line })));
  // What an answer leaves open may be found or not.
  if (right.length > 0 && right.join() !== places_.join())
    return [`starts ${places_.join(', ') || 'nothing known'}, not ${right.join(', ')}`];
  return wanted.length === 1 && found.length === 1 ? factDifferences(found[0]!, wanted[0]!, site.level === 3) : [];
}

function places(definitions: ({ file: string; line: number } | null)[]): string[] {
  return definitions.flatMap((each) => (each ? [`${each.file}:${each.line}`] : [])).sort();
}

function factDifferences(found: FoundTarget, wanted: ExpectedTarget, lenient: boolean): string[] {
  const differences: string[] = [];
  const compare = (what: string, value: unknown, right: unknown): void => {
    if (value === right || (lenient && (value === null || value === 'unknown'))) return;
    differences.push(`${what} ${value}, not ${right}`);
  };
  if (wanted.forever) compare('lifecycle', found.lifecycle, 'loop');
  else if (wanted.one_shot) compare('lifecycle', found.lifecycle, 'one-shot');
  if (wanted.forever && wanted.period_s !== undefined)
    compare('period', found.periodSeconds, wanted.period_s ?? wanted.period_default_s ?? null);
  if (wanted.tagged !== undefined && !wanted.tagged_dynamic)
    compare('tag', found.tag?.projectId ?? null, wanted.tagged);
  return differences;
}
