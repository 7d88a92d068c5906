/** What a Python source encoding is to JavaScript. */
export type Codec =
  | { kind: 'utf-8' }
  /** One byte a character: the 256 characters, with U+FFFF for a byte that has none. */
  | { kind: 'single'; table: Uint16Array }
  /** ASCII bytes stand for themselves; other characters take several bytes. */
  | { kind: 'multi'; label: string };

export const UNMAPPED = 0xffff;

const CP1252_HIGH = [
  0x20ac, 0xffff, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0xffff,
  0x017d, 0xffff, 0xffff, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
  0x0153, 0xffff, 0x017e, 0x0178,
];

const ALIASES: Record<string, string> = {
  utf8: 'utf-8',
  u8: 'utf-8',
  utf: 'utf-8',
  'utf8-ucs2': 'utf-8',
  'utf8-ucs4': 'utf-8',
  'utf-8-sig': 'utf-8',
  cp65001: 'utf-8',
  'us-ascii': 'ascii',
  '646': 'ascii',
  latin1: 'iso-8859-1',
  latin: 'iso-8859-1',
  l1: 'iso-8859-1',
  cp819: 'iso-8859-1',
  '8859': 'iso-8859-1',
  'latin-1': 'iso-8859-1',
  'iso-latin-1': 'iso-8859-1',
  '1252': 'cp1252',
  'windows-1252': 'cp1252',
  latin9: 'iso-8859-15',
  'latin-9': 'iso-8859-15',
  l9: 'iso-8859-15',
  latin2: 'iso-8859-2',
  l2: 'iso-8859-2',
  iso8859: 'iso-8859-1',
  sjis: 'shift_jis',
  's-jis': 'shift_jis',
  shiftjis: 'shift_jis',
  'shift-jis': 'shift_jis',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  'windows-31j': 'shift_jis',
  eucjp: 'euc-jp',
  ujis: 'euc-jp',
  euckr: 'euc-kr',
  'ks-c-5601': 'euc-kr',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  cp936: 'gbk',
  ms936: 'gbk',
  gb2312: 'gbk',
  'euc-cn': 'gbk',
  euccn: 'gbk',
  'big5-tw': 'big5',
  csbig5: 'big5',
  cp950: 'big5',
  'gb18030-2000': 'gb18030',
  cp866: 'ibm866',
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
};

const MULTI_BYTE = new Set(['gbk', 'gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);
const SINGLE_BYTE = /^(?:iso-8859-(?:[2-9]|1[03456])|windows-(?:125[0-8]|874)|koi8-[ru]|ibm866|macintosh)$/;

const cache = new Map<string, Codec | null>();

/** CPython's normal form of an encoding name, aliases resolved. */
export function normalEncoding(name: string): string {
  const lower = name.toLowerCase().replaceAll('_', '-');
  if (/^utf-8(?:-|$)/.test(lower)) return 'utf-8';
  if (/^(?:latin-1|iso-8859-1|iso-latin-1)(?:-|$)/.test(lower)) return 'iso-8859-1';
  const dashed = lower
    .replace(/^iso-?8859-?(?=\d)/, 'iso-8859-')
    .replace(/^(?:cp|windows-?)(125[01345678]|874)$/, 'windows-$1');
  return ALIASES[dashed] ?? dashed;
}

/** The codec for a normal name, or null when Python or JavaScript does not know it. */
export function codecFor(name: string): Codec | null {
  const known = cache.get(name);
  if (known !== undefined) return known;
  const codec = makeCodec(name);
  cache.set(name, codec);
  return codec;
}

function makeCodec(name: string): Codec | null {
  if (name === 'utf-8') return { kind: 'utf-8' };
  const identity = Uint16Array.from({ length: 256 }, (_, byte) => byte);
  if (name === 'iso-8859-1') return { kind: 'single', table: identity };
  if (name === 'ascii') return { kind: 'single', table: identity.fill(UNMAPPED, 128) };
  if (name === 'cp1252') {
    identity.set(CP1252_HIGH, 128);
    return { kind: 'single', table: identity };
  }
  if (MULTI_BYTE.has(name)) return { kind: 'multi', label: name };
  return SINGLE_BYTE.test(name) ? singleByte(name) : null;
}

function singleByte(label: string): Codec {
  const decoder = new TextDecoder(label);
  const table = Uint16Array.from({ length: 256 }, (_, byte) => {
    const code = decoder.decode(Uint8Array.of(byte)).charCodeAt(0);
    return code === 0xfffd ? UNMAPPED : code;
  });
  return { kind: 'single', table };
}
