/** One project as an editor sees it: what is on disk, with the open documents on top, measured anew when it has changed. */
import { CachedFileSystem, FileCache } from '../../io/cached.ts';
import { isSkipped } from '../../io/disk.ts';
import { MemoryFileSystem } from '../../io/memory.ts';
import type { CheckResult } from '../../model/index.ts';
import { Memory } from '../../sites/index.ts';
import { baselineOf } from '../baseline-file.ts';
import { type CheckOptions, reconciled, resultOf } from '../commands/check.ts';
import type { OpenProject } from '../project.ts';
import { mayBeRead } from '../reads.ts';
import { analyseFiles, type CommonOptions, openWorkspace, pythonFiles } from '../workspace.ts';
import { Lines } from './text.ts';

/** One look at the project. */
export interface Snapshot {
  project: OpenProject;
  result: CheckResult;
  /** Lines of a Python file or of the catalogue; empty when it is neither. */
  linesOf(file: string): Lines;
}

/** One change that an editor tells of. */
export interface DiskChange {
  file: string;
  /** It was there before, and is still there. */
  same: boolean;
}

export class Session {
  private readonly cache = new FileCache();
  private readonly memory = new Memory();
  private readonly documents = new Map<string, Uint8Array>();
  /** Texts in which something was found, in lines. */
  private readonly split = new Map<string, { text: string; lines: Lines }>();
  private pending: Promise<Snapshot> | null = null;

  constructor(
    readonly root: string,
    readonly options: CommonOptions,
    private readonly dist: URL,
  ) {}

  /** An open document's text; null when it is closed and the disk counts again. */
  set(file: string, text: string | null): void {
    if (text === null) this.documents.delete(file);
    else this.documents.set(file, encode(text));
    this.cache.touched(file);
    this.touch();
  }

  /** Something has changed. */
  touch(): void {
    this.pending = null;
  }

  /** Whether the editor tells of all that changes below the root: only that is asked of the disk again then. */
  watched(on: boolean): void {
    this.cache.watch(on);
  }

  /** Files changed, came or went (relative paths); whether that may matter. */
  changedOnDisk(changes: readonly DiskChange[]): boolean {
    // of what nobody asked for, contents that no run reads may be what they like
    const all = changes.filter(
      ({ file, same }) => this.cache.asked(file) || (!isSkipped(file) && (!same || mayBeRead(file))),
    );
    if (!all.length) return false;
    this.cache.changed(
      this.root,
      all.map(({ file }) => file),
    );
    this.touch();
    return true;
  }

  get overlay(): ReadonlyMap<string, Uint8Array> {
    return this.documents;
  }

  /** The project as it is now; measured once for all who ask. Fails with what `looptag check` would say. */
  snapshot(): Promise<Snapshot> {
    this.pending ??= this.measure();
    return this.pending;
  }

  private async measure(): Promise<Snapshot> {
    const opened = await openWorkspace({ ...this.options, root: this.root }, this.dist);
    const disk = new CachedFileSystem(opened.fs, this.cache);
    const fs = new MemoryFileSystem(this.documents, disk, disk.changes);
    const w = { ...opened, fs, memory: this.memory };
    const files = pythonFiles(w, []);
    const analysed = analyseFiles(w, files, this.options.contextVar);
    const options: CheckOptions = { ...this.options, format: 'json' };
    const compared = reconciled(w, analysed, options);
    const { catalogue, reconciliation } = compared;
    const result = await resultOf(w, compared, options, baselineOf(w, {})?.entries ?? null);
    const linesOf = (file: string): Lines => {
      const text = analysed.sourceOf(file)?.text ?? (file === catalogue?.file ? catalogue.text : '');
      const known = this.split.get(file);
      if (known?.text === text) return known.lines;
      const lines = new Lines(text);
      this.split.set(file, { text, lines });
      return lines;
    };
    return { project: { w, catalogue, scope: files, files, analysed, reconciliation }, result, linesOf };
  }
}

/** As it would be saved: an editor hands over text, the analysis reads bytes by their coding cookie. */
function encode(text: string): Uint8Array {
  const cookie = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/m.exec(text.split(/\r\n|\r|\n/, 2).join('\n'))?.[1];
  return Buffer.from(text, cookie && /^(latin-?1|iso-?8859-?1)$/i.test(cookie) ? 'latin1' : 'utf8');
}
