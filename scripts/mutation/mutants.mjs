/** What may be changed in a file, and the file with chosen changes in it, each asleep until it is asked for by its number. */
import ts from 'typescript';

const { SyntaxKind: K } = ts;

const SWAPS = {
  [K.LessThanToken]: '<=',
  [K.LessThanEqualsToken]: '<',
  [K.GreaterThanToken]: '>=',
  [K.GreaterThanEqualsToken]: '>',
  [K.EqualsEqualsEqualsToken]: '!==',
  [K.ExclamationEqualsEqualsToken]: '===',
  [K.AmpersandAmpersandToken]: '||',
  [K.BarBarToken]: '&&',
  [K.QuestionQuestionToken]: '&&',
  [K.PlusToken]: '-',
  [K.MinusToken]: '+',
  [K.AsteriskToken]: '/',
  [K.SlashToken]: '*',
};
const ARITHMETIC = new Set([K.PlusToken, K.MinusToken, K.AsteriskToken, K.SlashToken]);
const STRINGS = new Set([K.StringLiteral, K.NoSubstitutionTemplateLiteral, K.TemplateExpression]);

const parseFile = (path, text) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);

/** The whole of `a?.b.c`, of which one question mark is a part. */
function chainOf(node) {
  let top = node;
  while (ts.isOptionalChain(top.parent) && top.parent.expression === top) top = top.parent;
  return top;
}

/** Places where a value stands for itself: not a name, a type, a module or the target of an assignment. */
function isValue(node) {
  const { parent } = node;
  if (ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return false;
  if (ts.isCallExpression(parent) && parent.expression.kind === K.ImportKeyword) return false;
  if (ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  if (ts.isForOfStatement(parent) && parent.initializer === node) return false;
  if (ts.isBinaryExpression(parent) && parent.operatorToken.kind === K.EqualsToken) return parent.left !== node;
  return !ts.isExpressionStatement(parent) && !ts.isMethodDeclaration(parent);
}

/** The changes of one node: `[operator, node that is replaced, its other text]`. */
function* changesOf(node, source) {
  const text = (each) => source.text.slice(each.getStart(source), each.end);
  const test = ts.isIfStatement(node) ? node.expression : ts.isConditionalExpression(node) ? node.condition : null;
  if (test) {
    yield ['condition', test, 'true'];
    yield ['condition', test, 'false'];
  }
  if (ts.isWhileStatement(node) && node.expression.kind !== K.TrueKeyword)
    yield ['condition', node.expression, 'false'];
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const other = SWAPS[operatorToken.kind];
    const joins = ARITHMETIC.has(operatorToken.kind) && (STRINGS.has(left.kind) || STRINGS.has(right.kind));
    if (other && !joins) {
      const name = ARITHMETIC.has(operatorToken.kind) ? 'arithmetic' : 'comparison';
      yield [name, node, `(${text(left)}) ${other} (${text(right)})`];
    }
  }
  if (node.kind === K.TrueKeyword && isValue(node)) yield ['boolean', node, 'false'];
  if (node.kind === K.FalseKeyword && isValue(node)) yield ['boolean', node, 'true'];
  if (ts.isStringLiteralLike(node) && node.text && isValue(node)) yield ['string', node, "''"];
  if (ts.isArrayLiteralExpression(node) && node.elements.length && isValue(node)) yield ['array', node, '[]'];
  if (ts.isExpressionStatement(node) && !isSuper(node.expression)) yield ['statement', node, null];
  if (node.questionDotToken) {
    const chain = chainOf(node);
    const { pos, end } = node.questionDotToken;
    const before = source.text.slice(chain.getStart(source), pos);
    const dot = ts.isPropertyAccessExpression(node) ? '.' : '';
    yield ['chain', chain, `${before}${dot}${source.text.slice(end, chain.end)}`];
  }
}

const isSuper = (expression) => ts.isCallExpression(expression) && expression.expression.kind === K.SuperKeyword;

/** Every change that the operators know, in the order of the text. */
export function mutantsOf(file, text) {
  const source = parseFile(file, text);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    for (const [operator, place, other] of changesOf(node, source)) {
      const start = place.getStart(source);
      const { line, character } = source.getLineAndCharacterOfPosition(start);
      const before = text.slice(start, place.end);
      found.push({ file, operator, start, end: place.end, line: line + 1, column: character + 1, before, other });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The text with the chosen mutants in it: `__mutant(7) ? changed : original`. */
export function withMutants(text, mutants) {
  const places = new Map();
  for (const mutant of mutants) {
    const key = `${mutant.start}:${mutant.end}`;
    places.set(key, [...(places.get(key) ?? []), mutant]);
  }
  // outer before inner, so that what is inside of a place is worked off with it
  const sorted = [...places.values()].sort(([a], [b]) => a.start - b.start || b.end - a.end);
  const render = (from, to, inside) => {
    let out = '';
    let at = from;
    for (let i = 0; i < inside.length; i++) {
      const [{ start, end }] = inside[i];
      let j = i + 1;
      while (j < inside.length && inside[j][0].start < end) j++;
      out += text.slice(at, start) + wrapped(render(start, end, inside.slice(i + 1, j)), inside[i]);
      at = end;
      i = j - 1;
    }
    return out + text.slice(at, to);
  };
  return render(0, text.length, sorted);
}

function wrapped(original, mutants) {
  return mutants.reduce(
    (inner, { id, other }) =>
      // braces: an `else` that follows belongs to another `if`
      other === null ? `{ if (!__mutant(${id})) { ${inner} } }` : `(__mutant(${id}) ? (${other}) : (${inner}))`,
    original,
  );
}
