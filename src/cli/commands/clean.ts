/** `looptag clean` */
import { plural } from '../../model/plural.ts';
import type { Run } from '../define.ts';
import { cacheStore } from '../result-cache.ts';
import { Trouble } from '../trouble.ts';
import type { CommonOptions } from '../workspace.ts';

export async function clean(_: string[], options: CommonOptions, run: Run): Promise<number> {
  const store = cacheStore({ ...options, cache: true }, null);
  if (!store) throw new Trouble('the environment names no cache folder', 'give it to --cache-dir');
  const { files, bytes } = store.clean();
  run.streams.out(`${plural(files, 'file')} removed, ${(bytes / 1e6).toFixed(1)} MB\n`);
  return 0;
}
