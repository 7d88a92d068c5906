import type { LoopShape } from '../model/index.ts';
import type { LayoutSource } from './layout.ts';

export function findLoopShape(_source: LayoutSource, _line: number): LoopShape | null {
  return null;
}
