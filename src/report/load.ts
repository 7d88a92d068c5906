/** Formats by name, each loaded when it is asked for: a run pays for the one that it prints. */
import type { Format } from './format.ts';

const LOADERS: Record<string, () => Promise<{ default: Format }>> = {
  csv: () => import('./formats/csv/index.ts'),
  github: () => import('./formats/github/index.ts'),
  gitlab: () => import('./formats/gitlab/index.ts'),
  json: () => import('./formats/json/index.ts'),
  junit: () => import('./formats/junit/index.ts'),
  markdown: () => import('./formats/markdown/index.ts'),
  sarif: () => import('./formats/sarif/index.ts'),
  text: () => import('./formats/text/index.ts'),
};

export const formatNames: readonly string[] = Object.keys(LOADERS);

/** @throws RangeError for a name that no format has. */
export async function loadFormat(name: string): Promise<Format> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
  if (!load) throw new RangeError(`unknown format ${name}`);
  return (await load()).default;
}
