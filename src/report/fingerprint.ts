/** Recognising a finding after its line moved: GitHub's line hash, and our own by identity. */
import { createHash } from 'node:crypto';
import type { Finding } from '../model/index.ts';

const BLOCK = 100;
const BASE = 37n;
const END_OF_FILE = 0xffff;

/** BASE to the power of BLOCK: what the character that leaves the window has grown to. */
const LEAVING = BigInt.asUintN(64, BASE ** BigInt(BLOCK));

/**
 * The value that GitHub computes for a line when a SARIF file brings none (`primaryLocationLineHash`): a rolling hash
 * over the 100 characters from the start of the line on, blanks left out, with a counter for equal ones.
 * @returns hashes by 1-based line.
 */
export function lineHashes(text: string): string[] {
  const window = new Array<number>(BLOCK).fill(0);
  const startsAt = new Array<number>(BLOCK).fill(0);
  const counts = new Map<string, number>();
  const hashes: string[] = [];
  let hash = 0n;
  let index = 0;
  const emit = () => {
    const line = startsAt[index]!;
    if (line === 0) return;
    const value = hash.toString(16);
    counts.set(value, (counts.get(value) ?? 0) + 1);
    hashes[line - 1] = `${value}:${counts.get(value)}`;
    startsAt[index] = 0;
  };
  const push = (unit: number) => {
    hash = BigInt.asUintN(64, BASE * hash + BigInt(unit) - LEAVING * BigInt(window[index]!));
    window[index] = unit;
    index = (index + 1) % BLOCK;
  };
  let line = 0;
  let atStart = true;
  for (const unit of hashedUnits(text)) {
    emit();
    if (atStart) startsAt[index] = ++line;
    atStart = unit === 0x0a;
    push(unit);
  }
  for (let i = 0; i < BLOCK; i++) {
    emit();
    push(0);
  }
  return hashes;
}

/** UTF-16 units without blanks; CR LF and CR as LF; a mark for the end. */
function* hashedUnits(text: string): Generator<number> {
  let afterReturn = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x20 || unit === 0x09 || (afterReturn && unit === 0x0a)) {
      afterReturn = false;
      continue;
    }
    afterReturn = unit === 0x0d;
    yield afterReturn ? 0x0a : unit;
  }
  yield END_OF_FILE;
}

/** Rule and identity of each finding, hashed; a counter tells several of one rule at one spawn apart. */
export function siteFingerprints(findings: readonly Finding[]): string[] {
  const times = new Map<string, number>();
  return findings.map(({ rule, identity, site, range }) => {
    const key = JSON.stringify([rule, range.file, identity ?? site ?? '']);
    const n = (times.get(key) ?? 0) + 1;
    times.set(key, n);
    return createHash('sha256').update(`${key} ${n}`).digest('hex').slice(0, 32);
  });
}
