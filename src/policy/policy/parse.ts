/** Loads the YAML parser: import this module only where a policy file is read. */
import { type Document, isMap, isNode, isSeq, LineCounter, parseDocument } from 'yaml';
import type { CatalogueProblem, Policy } from '../../model/index.ts';
import type { Path } from './shape.ts';
import { PolicyError, toPolicy } from './validate.ts';

const MAX_LENGTH = 1_000_000;

/**
 * Reads a policy file (YAML or JSON).
 *
 * @param source its path, for messages
 * @throws {PolicyError} naming every fault with line, column and remedy
 */
export function parsePolicy(text: string, source: string): Policy {
  const counter = new LineCounter();
  const at = (offset: number) => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const fail = (place: { line: number; column: number }, message: string, remedy: string): never => {
    throw new PolicyError(source, [{ ...place, message, remedy }]);
  };
  if (text.length > MAX_LENGTH) fail({ line: 1, column: 1 }, 'a policy of more than a megabyte', 'split or shorten it');
  const document = parseDocument(text.replace(/^\ufeff/, ''), {
    lineCounter: counter,
    prettyErrors: false,
    uniqueKeys: true,
    stringKeys: true,
  });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    throw new PolicyError(
      source,
      faults.map(
        (fault): CatalogueProblem => ({ ...at(fault.pos[0]), message: fault.message, remedy: remedyFor(fault.code) }),
      ),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    fail(
      { line: 1, column: 1 },
      `aliases: ${(error as Error).message}`,
      'write the values out instead of aliasing them',
    );
  }
  const policy = toPolicy(value, source, (path, key) => at(offsetOf(document, path, key)));
  for (const [index, loop] of policy.named.entries()) {
    loop.documentLine ??= at(offsetOf(document, ['named', index], false)).line;
  }
  return policy;
}

function remedyFor(code: string): string {
  if (code === 'DUPLICATE_KEY') return 'keep one of the two keys';
  if (code === 'TAG_RESOLVE_FAILED') return 'remove the tag; a policy is plain data';
  return 'correct the YAML (indentation, quotes, colons)';
}

/** Offset of the value at a path, of its key, or of the nearest node around it. */
function offsetOf(document: Document, path: Path, key: boolean): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find((p) => isNode(p.key) && String(p.key) === String(step));
      if (!pair) return offset;
      const last = depth === path.length - 1;
      offset = (isNode(pair.key) ? pair.key.range?.[0] : undefined) ?? offset;
      node = pair.value;
      if (last && key) return offset;
    } else if (isSeq(node)) node = node.items[Number(step)];
    else return offset;
    if (isNode(node)) offset = node.range?.[0] ?? offset;
  }
  return offset;
}
