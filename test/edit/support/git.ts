import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A scratch folder with some files, to see what `git apply` makes of a patch: it needs no repository for that. */
export class Repository {
  readonly root = mkdtempSync(join(tmpdir(), 'looptag-git-'));

  constructor(files: Record<string, string | Uint8Array>) {
    this.write(files);
  }

  write(files: Record<string, string | Uint8Array>): void {
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      writeFileSync(join(this.root, file), content);
    }
  }

  /** @throws Error with git's message when it does not take the patch. */
  apply(patch: Uint8Array, ...options: string[]): void {
    const run = spawnSync('git', ['-c', 'core.autocrlf=false', 'apply', '--whitespace=nowarn', ...options, '-'], {
      cwd: this.root,
      env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(this.root) },
      input: patch,
    });
    if (run.status !== 0) throw new Error(`git apply: ${run.stderr.toString()}\n${Buffer.from(patch).toString()}`);
  }

  files(): Record<string, Buffer> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.git/'));
    return Object.fromEntries(
      files.map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(this.root.length + 1), readFileSync(path)];
      }),
    );
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
