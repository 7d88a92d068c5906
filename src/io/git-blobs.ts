/** Contents of git's objects, by their ids. */
import type { Readable } from 'node:stream';
import { type Git, objectSize } from './git.ts';

/** Contents by blob id: those announced come in one stream, the others when they are asked for. */
export class Blobs {
  private readonly known = new Map<string, Uint8Array | null>();
  private coming: AsyncGenerator<readonly [string, Uint8Array | null]> | null = null;

  constructor(private readonly git: Git) {}

  /** These will be wanted, in this order. */
  announce(ids: readonly string[]): void {
    const input = ids.map((id) => `${id}\n`).join('');
    if (ids.length > 0) this.coming = objectsOf(this.git.stream(['cat-file', '--batch'], input), ids);
  }

  /** Takes the next of what was announced. */
  async arrive(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const next = await this.coming?.next();
      if (!next || next.done) return;
      const [id, bytes] = next.value;
      // the very same bytes have the tree that was made of them
      if (!this.known.has(id)) this.known.set(id, bytes);
    }
  }

  get(id: string): Uint8Array | null {
    if (!this.known.has(id)) this.known.set(id, this.git.objects([id])[0] ?? null);
    return this.known.get(id) ?? null;
  }

  forget(id: string): void {
    this.known.delete(id);
  }
}

/** Reads what `cat-file --batch` prints for these ids. Ends early where git does. */
async function* objectsOf(
  stream: Readable,
  ids: readonly string[],
): AsyncGenerator<readonly [string, Uint8Array | null]> {
  const reader = new Reader(stream);
  for (const id of ids) {
    const header = await reader.line();
    if (header === null) return;
    const size = objectSize(header);
    const bytes = size === null ? null : await reader.take(size);
    if (size !== null && (!bytes || (await reader.line()) === null)) return;
    yield [id, bytes] as const;
  }
}

/** Takes lines and counted bytes off a stream. */
class Reader {
  private readonly pieces: AsyncIterator<Buffer>;
  private piece: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(stream: Readable) {
    this.pieces = stream[Symbol.asyncIterator]();
  }

  /** Without its end; null when there is none. */
  async line(): Promise<string | null> {
    let line = '';
    for (;;) {
      const end = this.piece.indexOf(10, this.at);
      if (end >= 0) {
        line += this.piece.toString('latin1', this.at, end);
        this.at = end + 1;
        return line;
      }
      line += this.piece.toString('latin1', this.at);
      if (!(await this.more())) return null;
    }
  }

  async take(count: number): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(count);
    let got = 0;
    for (;;) {
      const part = this.piece.subarray(this.at, this.at + count - got);
      bytes.set(part, got);
      got += part.length;
      this.at += part.length;
      if (got === count) return bytes;
      if (!(await this.more())) return null;
    }
  }

  private async more(): Promise<boolean> {
    try {
      const next = await this.pieces.next();
      if (next.done) return false;
      [this.piece, this.at] = [next.value, 0];
      return true;
    } catch {
      return false;
    }
  }
}
