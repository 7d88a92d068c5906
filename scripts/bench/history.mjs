/** A repository with many commits of one main.py, for measuring the burn-down: written by `git fast-import`. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAIN = 'apps/api/src/main.py';

/** @param {string} service a service with `apps/api/src/main.py` @param {string} folder where the repository comes to be */
export function repository(service, folder, commits) {
  cpSync(service, folder, { recursive: true });
  const git = (args, input) => execFileSync('git', args, { cwd: folder, input, stdio: ['pipe', 'pipe', 'ignore'] });
  git(['init', '-q', '-b', 'main', '.']);
  git(['add', '-A']);
  git(['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'start']);
  const lines = readFileSync(join(folder, MAIN), 'utf8').split('\n');
  const spawns = lines.flatMap((line, i) => (/create_task\(\w+\(\)\)/.test(line) ? [i] : []));
  const out = [];
  for (let n = 1; n < commits; n++) {
    // one commit in ten tags a spawn or takes the tag out again; the others change a comment somewhere
    const at = n % 10 === 0 ? spawns[(n / 10) % spawns.length] : (n * 37) % lines.length;
    const line = lines[at];
    if (n % 10 === 0)
      lines[at] = line.includes('_run_with_context')
        ? line.replace(/_run_with_context\((\w+\(\)), "awoooi"\)/, '$1')
        : line.replace(/create_task\((\w+\(\))\)/, 'create_task(_run_with_context($1, "awoooi"))');
    else if (/^\s*#/.test(line)) lines[at] = `${line.replace(/ \(\d+\)$/, '')} (${n})`;
    else lines[lines.length - 1] = `# ${n}`;
    const text = Buffer.from(lines.join('\n'));
    out.push(
      Buffer.from(
        `commit refs/heads/main\ncommitter bench <bench@localhost> ${1_700_000_000 + n * 3600} +0000\ndata 1\nc\n` +
          `${n === 1 ? 'from refs/heads/main^0\n' : ''}M 100644 inline ${MAIN}\ndata ${text.length}\n`,
      ),
      text,
      Buffer.from('\n'),
    );
  }
  git(['fast-import', '--quiet'], Buffer.concat(out));
  git(['reset', '-q', '--hard', 'main']);
}
