import { type Codec, codecFor, normalEncoding, UNMAPPED } from './codecs.ts';

export { LineIndex } from './lines.ts';

/** A decoded source file. */
export interface DecodedSource {
  text: string;
  /** Normal name of the encoding: `utf-8`, `iso-8859-1`, `gbk`, … */
  encoding: string;
  /** The bytes begin with a UTF-8 byte order mark, which is not part of `text`. */
  bom: boolean;
}

/** A replacement of `text.slice(start, end)`; edits are sorted and do not overlap. */
interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Source bytes that their encoding cannot decode, or an encoding that is not known. */
export class SourceEncodingError extends Error {
  /** Offset into the bytes (when decoding) or the text (when encoding). */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'SourceEncodingError';
    this.offset = offset;
  }
}

const COOKIE = /^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)/;
const BLANK = /^[ \t\f]*(?:#|$)/;
const COOKIE_BYTES = 4096;

function hasBom(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** The encoding that a cookie on the first two lines names, and where that line starts. */
export function cookie(bytes: Uint8Array, from: number): { name: string; offset: number } | null {
  let start = from;
  for (let line = 0; line < 2; line++) {
    let end = start;
    while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++;
    const text = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + COOKIE_BYTES)));
    const name = COOKIE.exec(text)?.[1];
    if (name) return { name, offset: start };
    if (!BLANK.test(text)) return null;
    start = bytes[end] === 13 && bytes[end + 1] === 10 ? end + 2 : end + 1;
  }
  return null;
}

function firstUndecodable(label: string, bytes: Uint8Array): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    try {
      new TextDecoder(label, { fatal: true }).decode(bytes.subarray(0, middle + 1), { stream: true });
      low = middle + 1;
    } catch {
      high = middle;
    }
  }
  return low;
}

function decodeLabel(label: string, bytes: Uint8Array, encoding: string, base: number): string {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const offset = base + firstUndecodable(label, bytes);
    throw new SourceEncodingError(`'${encoding}' codec can't decode the bytes at offset ${offset}`, offset);
  }
}

function decodeSingle(table: Uint16Array, bytes: Uint8Array, encoding: string): string {
  const units = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const unit = table[bytes[i]!]!;
    if (unit === UNMAPPED) {
      throw new SourceEncodingError(`'${encoding}' codec can't decode the byte at offset ${i}`, i);
    }
    units[i] = unit;
  }
  return new TextDecoder('utf-16le').decode(units);
}

function requireCodec(encoding: string, offset: number): Codec {
  const codec = codecFor(encoding);
  if (!codec) throw new SourceEncodingError(`unknown encoding: ${encoding}`, offset);
  return codec;
}

/**
 * Decodes a Python file by PEP 263: a byte order mark, else a coding cookie on line 1 or 2, else UTF-8.
 *
 * @throws SourceEncodingError for an unknown encoding or bytes that it cannot decode.
 */
export function decodePython(bytes: Uint8Array): DecodedSource {
  const bom = hasBom(bytes);
  const body = bom ? 3 : 0;
  const found = cookie(bytes, body);
  const encoding = found ? normalEncoding(found.name) : 'utf-8';
  const codec = requireCodec(encoding, found?.offset ?? 0);
  // CPython compares the name itself: even the alias `utf8` contradicts the mark.
  if (bom && found && !/^utf-8(?:-|$)/i.test(found.name.replaceAll('_', '-'))) {
    throw new SourceEncodingError(`encoding problem: ${encoding} with BOM`, found?.offset ?? 0);
  }
  const content = bytes.subarray(body);
  if (codec.kind === 'utf-8') return { text: decodeLabel('utf-8', content, encoding, body), encoding, bom };
  if (codec.kind === 'single') return { text: decodeSingle(codec.table, content, encoding), encoding, bom };
  return { text: decodeLabel(codec.label, content, encoding, body), encoding, bom };
}

function encodeBody(text: string, codec: Codec, encoding: string): Uint8Array {
  if (codec.kind === 'utf-8') {
    const surrogate = text.search(/\p{Surrogate}/u);
    if (surrogate >= 0) throw new SourceEncodingError("'utf-8' codec can't encode a lone surrogate", surrogate);
    return new TextEncoder().encode(text);
  }
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const byte = unit < 128 ? unit : codec.kind === 'single' && unit !== UNMAPPED ? codec.table.indexOf(unit) : -1;
    if (byte < 0) {
      const hex = text.codePointAt(i)!.toString(16).toUpperCase().padStart(4, '0');
      throw new SourceEncodingError(`'${encoding}' codec can't encode character U+${hex}`, i);
    }
    out[i] = byte;
  }
  return out;
}

/** Walks the bytes and the text of one file in step. */
class ByteMap {
  private readonly bytes: Uint8Array;
  private readonly codec: Codec;
  private at: number;
  private units = 0;

  constructor(bytes: Uint8Array, codec: Codec, bom: boolean) {
    this.bytes = bytes;
    this.codec = codec;
    this.at = bom ? 3 : 0;
  }

  /** The byte offset of a text offset; offsets must not decrease from call to call. */
  offsetOf(offset: number): number {
    while (this.units < offset && this.at < this.bytes.length) this.step();
    if (this.units !== offset) throw new RangeError(`text offset ${offset} is not at a character of the file`);
    return this.at;
  }

  private step(): void {
    const byte = this.bytes[this.at]!;
    if (byte < 128 || this.codec.kind === 'single') {
      this.at++;
      this.units++;
    } else if (this.codec.kind === 'utf-8') {
      this.at += byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      this.units += byte < 0xf0 ? 1 : 2;
    } else this.multiByteStep(this.codec.label);
  }

  private multiByteStep(label: string): void {
    const decoder = new TextDecoder(label);
    for (let decoded = ''; decoded === '' && this.at < this.bytes.length; ) {
      decoded = decoder.decode(this.bytes.subarray(this.at, this.at + 1), { stream: true });
      this.at++;
      this.units += decoded.length;
    }
  }
}

/**
 * Applies edits to the bytes of a file: every byte outside of them stays as it is, whatever the encoding.
 *
 * @param decoded - what {@link decodePython} made of `bytes`.
 * @throws SourceEncodingError when a replacement cannot be encoded (multi-byte legacy encodings take ASCII only).
 */
export function spliceEncoded(bytes: Uint8Array, decoded: DecodedSource, edits: readonly TextEdit[]): Uint8Array {
  const codec = requireCodec(decoded.encoding, 0);
  const map = new ByteMap(bytes, codec, decoded.bom);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const edit of edits) {
    const start = map.offsetOf(edit.start);
    const end = map.offsetOf(edit.end);
    pieces.push(bytes.subarray(from, start), encodeBody(edit.text, codec, decoded.encoding));
    from = end;
  }
  pieces.push(bytes.subarray(from));
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
