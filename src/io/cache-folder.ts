/** Where a user's caches lie. Without `node:os`: it is asked for before anything else is loaded. */
import { isAbsolute, join } from 'node:path';

/** The tool's own folder there; null when the environment names none. */
export function userCacheFolder(env: Record<string, string | undefined>, platform: string): string | null {
  const base =
    absolute(env.XDG_CACHE_HOME) ??
    (platform === 'win32'
      ? absolute(env.LOCALAPPDATA)
      : absolute(env.HOME) && join(env.HOME!, platform === 'darwin' ? 'Library/Caches' : '.cache'));
  return base ? join(base, 'looptag') : null;
}

function absolute(path: string | undefined): string | null {
  return path && isAbsolute(path) ? path : null;
}
