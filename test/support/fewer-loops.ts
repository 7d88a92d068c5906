/**
 * The bundled service with some of its loops. Half of what a run costs are the modules of the 31; where their number has
 * no part in what is proven, these will do in `npm test`, and `npm run test:long` takes all of them. Every line of `main.py`
 * stays where it was, every row keeps its number.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atLength, LONG } from './long.ts';

/** Of each kind one: those that end, both markers, with and without a P0, in a package, and the one that INV-8 does not name. */
const KEPT = [
  'seed_playbooks_from_rules',
  'backfill_redis_to_pg',
  'run_asset_scanner_loop',
  'run_approval_timeout_resolver',
  'run_evolver_loop',
  'run_ai_slo_watchdog_loop',
  'run_governance_loop',
  'run_channel_event_poller_loop',
];

const TAKEN = { sites: 23, loops: 22, oneShot: 1 };

/** How many sites are gone, and what they start. */
export const GONE = atLength({ sites: 0, loops: 0, oneShot: 0 }, TAKEN);

const BLOCK = /^( +)try:\n((?:\1 {4}.*\n|\n)*)(?=\1except )/gm;
const ROW = /^\| *\d+ \| `(\w+)\(\)` .*\n/gm;

/** `main.py` with nothing in the place of the other spawns. */
export function withFewer(main: string): string {
  if (LONG) return main;
  let gone = 0;
  const text = main.replaceAll(BLOCK, (block, indent: string, body: string) => {
    const name = /\bcreate_task\((\w+)\(/.exec(body)?.[1];
    if (!name || KEPT.includes(name)) return block;
    gone++;
    return `${indent}try:\n${body.replaceAll(/^.+$/gm, `${indent}    pass`)}`;
  });
  if (gone !== TAKEN.sites) throw new Error(`${gone} spawns were taken out instead of ${TAKEN.sites}`);
  return text;
}

/** The catalogue without the rows of the others. */
function rowsOfFewer(catalogue: string): string {
  if (LONG) return catalogue;
  let gone = 0;
  const text = catalogue.replaceAll(ROW, (row, name: string) => {
    if (KEPT.includes(name)) return row;
    gone++;
    return '';
  });
  if (gone !== TAKEN.sites) throw new Error(`${gone} rows were taken out instead of ${TAKEN.sites}`);
  return text;
}

/** Leaves them out of a copy of the service. */
export function keepFewer(root: string): void {
  for (const [file, change] of [
    ['apps/api/src/main.py', withFewer],
    ['docs/INV-8.md', rowsOfFewer],
  ] as const) {
    const path = join(root, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }
}

const SHORT = ['run_asset_scanner_loop', 'run_evolver_loop', 'run_ai_slo_watchdog_loop', 'run_governance_loop'];

/** Leaves nothing in `main.py` but what starts four of them, and two routes. */
export function keepShort(root: string): void {
  if (LONG) return;
  keepFewer(root);
  const main = join(root, 'apps/api/src/main.py');
  const starts = [...readFileSync(main, 'utf8').matchAll(BLOCK)]
    .filter(([, , body = '']) => SHORT.some((name) => body.includes(`create_task(${name}(`)))
    .map(([block]) => `${block}    except ImportError:\n        pass\n`);
  if (starts.length !== SHORT.length) throw new Error(`main.py starts ${starts.length} of ${SHORT.length}`);
  const head = 'import asyncio\nimport logging\nfrom src.core.context import project_id_ctx_var\n';
  const routes = ['readyz', 'list_loops'].map((name) => `\n\nasync def ${name}(request):\n    return 200\n`);
  writeFileSync(
    main,
    `${head}\nlogger = logging.getLogger(__name__)\n\n\nasync def lifespan(app):\n${starts.join('')}${routes.join('')}`,
  );
  const catalogue = join(root, 'docs/INV-8.md');
  writeFileSync(
    catalogue,
    readFileSync(catalogue, 'utf8').replaceAll(ROW, (row, name: string) => (SHORT.includes(name) ? row : '')),
  );
}

/** A project of them. */
export function ofFewer<T extends { root: string }>(project: T): T {
  keepFewer(project.root);
  return project;
}
