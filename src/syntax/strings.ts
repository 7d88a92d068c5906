import type { Constant, Expr, FormattedValue, JoinedStr, StringPart } from './ast.ts';
import { adopt, Cursor } from './cursor.ts';
import { decodeEscapes, normaliseLineEnds } from './escapes.ts';
import * as T from './tokens.ts';

const MAX_INT_DIGITS = 4300;
const NON_ASCII = /[^\x00-\x7f]/;

function isQuote(c: number): boolean {
  return c === 34 || c === 39;
}

function isString(kind: number): boolean {
  return kind === T.STRING || kind === T.FSTRING_START;
}

/** Literals: numbers, strings, f-strings and t-strings. */
export abstract class StringParser extends Cursor {
  /** `yield` or a tuple of possibly starred expressions: what a replacement field may hold. */
  protected abstract annotatedRhs(): Expr;

  protected number(): Constant {
    const start = this.start();
    const end = this.ends[this.pos]!;
    const digits = this.text.slice(start, end);
    this.advance();
    const node: Constant = { kind: 'Constant', start, end, parent: null, type: 'int', value: null };
    const source = digits.includes('_') ? digits.replaceAll('_', '') : digits;
    const last = source.charCodeAt(source.length - 1) | 32;
    const hex = source.length > 2 && (source.charCodeAt(1) | 32) === 120;
    if (last === 106 && !hex) {
      node.type = 'complex';
      return node;
    }
    node.value = Number(source);
    if (hex || source.length === 1) return node;
    if (/[.eE]/.test(source)) node.type = 'float';
    else if (source.length > MAX_INT_DIGITS && !/^0[bo]/i.test(source)) {
      this.fail(
        `Exceeds the limit (${MAX_INT_DIGITS} digits) for integer string conversion: value has ${source.length} digits; ` +
          'use sys.set_int_max_str_digits() to increase the limit - Consider hexadecimal for huge integer literals to ' +
          'avoid decimal conversion limits.',
        start,
      );
    }
    return node;
  }

  /** One or more adjacent string literals, which Python joins. */
  protected strings(): Expr {
    return this.tok === T.STRING && !isString(this.peek()) ? this.oneString() : this.joinedStrings();
  }

  private oneString(): Constant {
    const part = this.literalPart();
    const isBytes = part.prefix.includes('b');
    const value = this.literalValue(part, isBytes);
    this.advance();
    const { start, end } = part;
    return { kind: 'Constant', start, end, parent: null, type: isBytes ? 'bytes' : 'str', value };
  }

  private joinedStrings(): Expr {
    const start = this.start();
    const parts: StringPart[] = [];
    const fields: FormattedValue[] = [];
    let value = '';
    let sawPlain = false;
    let sawBytes = false;
    let sawTemplate = false;
    let sawFormat = false;
    while (isString(this.tok)) {
      const part = this.literalPart();
      parts.push(part);
      if (this.tok === T.STRING) {
        const isBytes = part.prefix.includes('b');
        value += this.literalValue(part, isBytes);
        if (isBytes) sawBytes = true;
        else sawPlain = true;
        this.advance();
      } else {
        if (part.prefix.includes('t')) sawTemplate = true;
        else sawFormat = true;
        this.formatted(part, fields);
      }
    }
    if (sawTemplate && (sawPlain || sawBytes || sawFormat)) {
      this.fail('cannot mix t-string literals with string or bytes literals', start);
    }
    if (sawBytes && (sawPlain || sawFormat)) this.fail('cannot mix bytes and nonbytes literals', start);
    const end = this.end();
    if (sawFormat || sawTemplate) {
      const joined: JoinedStr = {
        kind: 'JoinedStr',
        start,
        end,
        parent: null,
        isTemplate: sawTemplate,
        parts,
        values: fields,
      };
      adopt(joined, fields);
      return joined;
    }
    return { kind: 'Constant', start, end, parent: null, type: sawBytes ? 'bytes' : 'str', value };
  }

  /** Prefix and quote of the literal at the current token. */
  private literalPart(): StringPart {
    const { text } = this;
    const { start, end } = this.tokenSpan();
    let quoteAt = start;
    while (!isQuote(text.charCodeAt(quoteAt))) quoteAt++;
    const quote = text[quoteAt]!;
    const room = this.tok === T.STRING ? 6 : 3;
    const triple = end - quoteAt >= room && text[quoteAt + 1] === quote && text[quoteAt + 2] === quote;
    return {
      start,
      end,
      prefix: quoteAt === start ? '' : text.slice(start, quoteAt).toLowerCase(),
      quote: triple ? quote + quote + quote : quote,
    };
  }

  private literalValue(part: StringPart, isBytes: boolean): string {
    const quotes = part.quote.length;
    const body = this.text.slice(part.start + part.prefix.length + quotes, part.end - quotes);
    if (isBytes && NON_ASCII.test(body)) {
      this.fail('bytes can only contain ASCII literal characters', part.start);
    }
    if (part.prefix.includes('r')) return normaliseLineEnds(body);
    return body.includes('\\') ? decodeEscapes(body, isBytes, part.start) : normaliseLineEnds(body);
  }

  /** The rest of an f-string from its start token. */
  private formatted(part: StringPart, fields: FormattedValue[]): void {
    this.advance();
    for (;;) {
      if (this.tok === T.FSTRING_MIDDLE) this.literalText(part);
      else if (this.tok === T.LBRACE) fields.push(this.field(part));
      else break;
    }
    part.end = this.ends[this.pos]!;
    this.expect(T.FSTRING_END);
  }

  private literalText(part: StringPart): void {
    const { start, end } = this.tokenSpan();
    if (!part.prefix.includes('r')) decodeEscapes(this.text.slice(start, end), false, start);
    this.advance();
  }

  private field(part: StringPart): FormattedValue {
    const kind = part.prefix.includes('t') ? 't-string' : 'f-string';
    const start = this.start();
    this.advance();
    if (this.tok === T.RBRACE || this.tok === T.EQUAL || this.tok === T.EXCLAMATION || this.tok === T.COLON) {
      this.fail(`${kind}: valid expression required before '${T.TOKEN_TEXT[this.tok]}'`);
    }
    const prefixed = this.tok === T.STAR || this.tok === T.PLUS || this.tok === T.MINUS || this.tok === T.YIELD;
    if (!this.atExpression() && !prefixed) this.fail(`${kind}: expecting a valid expression after '{'`);
    const value = this.annotatedRhs();
    const debug = this.accept(T.EQUAL);
    let conversion = this.tok === T.EXCLAMATION ? this.conversion(kind) : null;
    const hasSpec = this.tok === T.COLON;
    const specValues = hasSpec ? this.formatSpec(part) : [];
    if (debug && !conversion && !hasSpec) conversion = 'r';
    this.expect(T.RBRACE, `${kind}: expecting '}'`);
    const node: FormattedValue = {
      kind: 'FormattedValue',
      start,
      end: this.end(),
      parent: null,
      value,
      conversion,
      specValues,
      quote: part.quote,
    };
    value.parent = node;
    adopt(node, specValues);
    return node;
  }

  private conversion(kind: string): string {
    const afterMark = this.ends[this.pos]!;
    this.advance();
    if (this.tok === T.NAME && this.start() !== afterMark) {
      this.fail(`${kind}: conversion type must come right after the exclamation mark`);
    }
    if (this.tok === T.RBRACE || this.tok === T.COLON) this.fail(`${kind}: missing conversion character`);
    if (this.tok !== T.NAME) this.fail(`${kind}: invalid conversion character`);
    const name = this.nameAt(this.pos);
    if (name !== 's' && name !== 'r' && name !== 'a') {
      this.fail(`${kind}: invalid conversion character '${name}': expected 's', 'r', or 'a'`);
    }
    this.advance();
    return name;
  }

  private formatSpec(part: StringPart): FormattedValue[] {
    const fields: FormattedValue[] = [];
    this.advance();
    for (;;) {
      if (this.tok === T.FSTRING_MIDDLE) this.literalText(part);
      else if (this.tok === T.LBRACE) fields.push(this.field(part));
      else return fields;
    }
  }
}
