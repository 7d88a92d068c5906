/**
 * Token kinds. The first four carry no text of their own: an end position skips them, so they stay the smallest.
 *
 * They are typed `number` so that a comparison narrows nothing: the current token changes under the compiler's eyes.
 */
export const ENDMARKER: number = 0;
export const NEWLINE: number = 1;
export const INDENT: number = 2;
export const DEDENT: number = 3;
export const ERROR: number = 4;
export const NAME: number = 5;
export const NUMBER: number = 6;
export const STRING: number = 7;
export const FSTRING_START: number = 8;
export const FSTRING_MIDDLE: number = 9;
export const FSTRING_END: number = 10;
/** A character that is no token of the grammar: `$`, `?`, a backquote, and the old `<>`. */
export const UNKNOWN: number = 11;

export const LPAR: number = 12;
export const RPAR: number = 13;
export const LSQB: number = 14;
export const RSQB: number = 15;
export const LBRACE: number = 16;
export const RBRACE: number = 17;
export const COLON: number = 18;
export const COMMA: number = 19;
export const SEMI: number = 20;
export const DOT: number = 21;
export const ELLIPSIS: number = 22;
export const ARROW: number = 23;
export const AT: number = 24;
export const EQUAL: number = 25;
export const COLONEQUAL: number = 26;
export const EXCLAMATION: number = 27;
export const PLUS: number = 28;
export const MINUS: number = 29;
export const STAR: number = 30;
export const SLASH: number = 31;
export const VBAR: number = 32;
export const AMPER: number = 33;
export const LESS: number = 34;
export const GREATER: number = 35;
export const PERCENT: number = 36;
export const EQEQUAL: number = 37;
export const NOTEQUAL: number = 38;
export const LESSEQUAL: number = 39;
export const GREATEREQUAL: number = 40;
export const TILDE: number = 41;
export const CIRCUMFLEX: number = 42;
export const LEFTSHIFT: number = 43;
export const RIGHTSHIFT: number = 44;
export const DOUBLESTAR: number = 45;
export const DOUBLESLASH: number = 46;
/** Augmented assignment operators are `FIRST_AUGMENTED` … `LAST_AUGMENTED`. */
export const FIRST_AUGMENTED: number = 47;
export const LAST_AUGMENTED: number = 59;

export const FALSE: number = 60;
export const NONE: number = 61;
export const TRUE: number = 62;
export const AND: number = 63;
export const AS: number = 64;
export const ASSERT: number = 65;
export const ASYNC: number = 66;
export const AWAIT: number = 67;
export const BREAK: number = 68;
export const CLASS: number = 69;
export const CONTINUE: number = 70;
export const DEF: number = 71;
export const DEL: number = 72;
export const ELIF: number = 73;
export const ELSE: number = 74;
export const EXCEPT: number = 75;
export const FINALLY: number = 76;
export const FOR: number = 77;
export const FROM: number = 78;
export const GLOBAL: number = 79;
export const IF: number = 80;
export const IMPORT: number = 81;
export const IN: number = 82;
export const IS: number = 83;
export const LAMBDA: number = 84;
export const NONLOCAL: number = 85;
export const NOT: number = 86;
export const OR: number = 87;
export const PASS: number = 88;
export const RAISE: number = 89;
export const RETURN: number = 90;
export const TRY: number = 91;
export const WHILE: number = 92;
export const WITH: number = 93;
export const YIELD: number = 94;

const FIRST_KEYWORD = FALSE;

const KEYWORDS = (
  'False None True and as assert async await break class continue def del elif else except finally for from global ' +
  'if import in is lambda nonlocal not or pass raise return try while with yield'
).split(' ');

const AUGMENTED = '+= -= *= /= %= &= |= ^= @= **= //= <<= >>='.split(' ');

const OPERATORS = '( ) [ ] { } : , ; . ... -> @ = := ! + - * / | & < > % == != <= >= ~ ^ << >> ** //'
  .split(' ')
  .concat(AUGMENTED);

/** The text of every operator and keyword, by kind. */
export const TOKEN_TEXT: string[] = [];
for (const [i, text] of OPERATORS.entries()) TOKEN_TEXT[LPAR + i] = text;
for (const [i, text] of KEYWORDS.entries()) TOKEN_TEXT[FIRST_KEYWORD + i] = text;

/** Kind of the operator that is this one character. */
export const ONE_CHAR = new Uint8Array(128);
/** Kind of the operator that is this character followed by `=`. */
export const WITH_EQUAL = new Uint8Array(128);
/** Kind of the operator that is this character twice. */
export const DOUBLED = new Uint8Array(128);
/** Kind of the operator that is this character twice followed by `=`. */
export const DOUBLED_EQUAL = new Uint8Array(128);
for (const [i, text] of OPERATORS.entries()) {
  const c = text.charCodeAt(0);
  const kind = LPAR + i;
  if (text.length === 1) ONE_CHAR[c] = kind;
  else if (text.length === 2 && text[1] === '=') WITH_EQUAL[c] = kind;
  else if (text.length === 2 && text[1] === text[0]) DOUBLED[c] = kind;
  else if (text.length === 3 && text[2] === '=') DOUBLED_EQUAL[c] = kind;
}

const BUCKETS: string[][] = Array.from({ length: 128 }, () => []);

function bucketOf(first: number, last: number, length: number): number {
  return (first * 7 + last * 3 + length) & 127;
}

for (const word of KEYWORDS) {
  BUCKETS[bucketOf(word.charCodeAt(0), word.charCodeAt(word.length - 1), word.length)]!.push(word);
}
const BUCKET_KINDS = BUCKETS.map((words) => words.map((word) => FIRST_KEYWORD + KEYWORDS.indexOf(word)));

/** The keyword kind of `text.slice(start, end)`, or `NAME`. */
export function keywordKind(text: string, start: number, end: number): number {
  const length = end - start;
  if (length < 2 || length > 8) return NAME;
  const bucket = bucketOf(text.charCodeAt(start), text.charCodeAt(end - 1), length);
  const words = BUCKETS[bucket]!;
  for (let w = 0; w < words.length; w++) {
    const word = words[w]!;
    if (word.length === length && text.startsWith(word, start)) return BUCKET_KINDS[bucket]![w]!;
  }
  return NAME;
}
