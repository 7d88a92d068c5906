/** Functions that only stand for others: abstract methods, those of protocols, `raise NotImplementedError`. */
import { type FunctionInfo, isAbstract } from '../semantics/index.ts';
import type { Project } from './project.ts';

/** `raise NotImplementedError`, `...`: another class or a test puts the real one here. */
export function isStub(fn: FunctionInfo): boolean {
  return fn.node.body.every(
    (s) => s.kind === 'Pass' || s.kind === 'Raise' || (s.kind === 'ExprStmt' && s.value.kind === 'Constant'),
  );
}

interface LeftOpen {
  kind: 'unknown';
  at: FunctionInfo['node'];
  fn: FunctionInfo;
  why: string;
}

/** Of a method that subclasses have to define, nothing is known; null for others. */
export function leftOpen(project: Project, fn: FunctionInfo): LeftOpen | null {
  if (!isLeftOpen(project, fn)) return null;
  return { kind: 'unknown', at: fn.node, fn, why: 'another class puts the real one in its place' };
}

/** An empty method that is not marked as abstract is a hook, and runs. */
function isLeftOpen({ ev }: Project, fn: FunctionInfo): boolean {
  return isStub(fn) && isAbstract(ev, fn);
}
