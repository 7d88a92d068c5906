/** What the layout of a module is made from, and the absolute names of the modules it imports. */
import type { Module } from '../syntax/index.ts';

/** What the layout of a module is made from. */
export interface LayoutSource {
  file: string;
  /** Dotted name, and whether the file is a package's `__init__`. */
  module: string;
  isPackage: boolean;
  text: string;
  tree: Module;
}

/** Index of the top line that holds an offset. */
export type LineFinder = (offset: number) => number;

/** The absolute name of a module named with leading dots. */
export function absoluteModule(source: LayoutSource, level: number, written: string | null): string {
  if (level === 0) return written ?? '';
  const base = source.module === '' ? [] : source.module.split('.');
  const keep = base.slice(0, Math.max(0, base.length - level + (source.isPackage ? 1 : 0)));
  return [...keep, ...(written ? [written] : [])].join('.');
}
