/** The real pre-commit, with the hooks installed from git as a user gets them. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Project, ROOT, temporary } from './project.ts';

/** Where pre-commit keeps what it has installed. */
const STORE = temporary();

/** npm is asked with the machine's own settings: where its registry is, only they say. What it has fetched before serves too. */
const INSTALLING: NodeJS.ProcessEnv = {
  ...process.env,
  PRE_COMMIT_HOME: STORE,
  PRE_COMMIT_COLOR: 'never',
  npm_config_prefer_offline: 'true',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/** What npm and git say when there is no way to a registry. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|Could not resolve host/;

export interface Answer {
  code: number | null;
  text: string;
}

/** This project as it lies here, committed to a repository of its own: hooks are taken from a revision. */
function published(): { repository: string; revision: string } | null {
  const listed = spawnSync('git', ['-C', ROOT, 'ls-files', '-coz', '--exclude-standard'], { encoding: 'utf8' });
  if (listed.status !== 0) return null;
  const copy = new Project(null);
  for (const file of listed.stdout.split('\0'))
    if (file && existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy.root, file));
  copy.git('init', '-q');
  return { repository: copy.root, revision: copy.commit('as it lies here', '2026-01-01') };
}

/** A service under git whose commits go through hooks of this project. */
export class Hooked extends Project {
  constructor(source: { repository: string; revision: string }, hooks: readonly string[]) {
    super();
    this.git('init', '-q');
    this.configured();
    this.write('.pre-commit-config.yaml', config(source, hooks));
    this.commit('the service', '2026-01-02');
    const { code, text } = this.preCommit('install');
    if (code !== 0) throw new Error(text);
  }

  preCommit(...args: string[]): Answer {
    return preCommit(this.root, args);
  }

  /** One hook over all files. */
  hook(id: string): Answer {
    return this.preCommit('run', id, '--all-files');
  }

  /** What a user does: everything staged, then `git commit`. */
  tryCommit(): Answer {
    this.git('add', '-A');
    return spawned(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-q', '-m', 'try'],
      this.root,
    );
  }

  get head(): string {
    return this.git('rev-parse', 'HEAD');
  }

  /** Files that differ from what is staged. */
  get modified(): string[] {
    return this.git('diff', '--name-only').split('\n').filter(Boolean);
  }
}

function spawned(command: string, args: string[], cwd: string): Answer {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env: INSTALLING, encoding: 'utf8' });
  return { code: status, text: `${stdout}${stderr}` };
}

function preCommit(cwd: string, args: string[]): Answer {
  return spawned('pre-commit', args, cwd);
}

function config({ repository, revision }: { repository: string; revision: string }, hooks: readonly string[]): string {
  const rows = hooks.map((id) => `      - id: ${id}\n`).join('');
  return `repos:\n  - repo: ${repository}\n    rev: ${revision}\n    hooks:\n${rows}`;
}

/** Installs the hooks. A string says why that cannot be tried here; a fault of the project's own is thrown. */
export function install(): { repository: string; revision: string } | string {
  if (spawnSync('pre-commit', ['--version'], { stdio: 'ignore' }).status !== 0) return 'there is no pre-commit';
  const source = published();
  if (!source) return 'the project does not lie in a git repository';
  const user = new Project(null);
  user.git('init', '-q');
  user.write('.pre-commit-config.yaml', config(source, ['looptag-check']));
  const { code, text } = preCommit(user.root, ['install-hooks']);
  if (code === 0) return source;
  const log = join(STORE, 'pre-commit.log');
  const all = `${text}${existsSync(log) ? readFileSync(log, 'utf8') : ''}`;
  if (UNREACHABLE.test(all)) return 'the npm registry cannot be reached';
  throw new Error(`pre-commit cannot install the hooks:\n${text}`);
}
