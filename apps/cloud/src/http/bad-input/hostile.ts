/** Text that has broken one program or another. Strings, because some are not valid in a URL. */
const HOSTILE_TEXT = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00',
  '\ufeff',
  '\u200b',
  '\u202egnp.exe',
  '\u0085',
  '\r\nBcc: victim@example.org\r\n\r\nhello',
  '𝔘',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(300),
  "'; drop table users; --",
  "1' or '1'='1",
  '%',
  '_\\',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '{{7*7}}<%= 7*7 %>',
  '%s%n%x',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'none',
  'NaN',
  '0',
  '1',
  '-1',
  '1e9',
  '0x10',
  '١',
  '9'.repeat(400),
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '0000-01-01T00:00:00Z',
  'x'.repeat(10_000),
] as const;

/** Addresses of somebody else in disguise, or of two people at once. */
const HOSTILE_ADDRESSES = [
  'a@example.org\r\nBcc: victim@example.org',
  'a@example.org\nvictim@example.org',
  'a@example.org, victim@example.org',
  '"a\\r\\nBcc: victim@example.org"@example.org',
  'Victim <victim@example.org>',
  'a@b@example.org',
  'a@example.org\0.net',
  'a@[127.0.0.1]',
  'a@example.org%0aBcc:victim@example.org',
  'ſomebody@example.org',
  'İ@example.org',
  '\u212aelvin@example.org',
  'a@exam\u202eple.org',
  '=?utf-8?q?victim=40example.org?=@example.org',
  `${'x'.repeat(400)}@example.org`,
] as const;

const HOSTILE_JSON: readonly unknown[] = [
  0,
  -0,
  -1,
  1.5,
  1e300,
  5e-324,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  ['x', 1],
  Array.from({ length: 2000 }, () => 'x'),
  { toString: 1 },
  { length: 1e9 },
  { constructor: { prototype: 1 } },
];

/** Values for a field of a JSON body. */
export const HOSTILE_VALUES: readonly unknown[] = [...HOSTILE_JSON, ...HOSTILE_TEXT, ...HOSTILE_ADDRESSES];

/**
 * Values for a part of a URL, as they stand in it: text that UTF-8 can express percent-encoded, and what is none.
 * The empty one would be another path.
 */
export const HOSTILE_URL_PARTS: readonly string[] = [
  ...[
    ...HOSTILE_TEXT,
    ...HOSTILE_ADDRESSES,
    '2147483647',
    '2147483648',
    '-2147483649',
    '1.5',
    '99999999999999999999',
  ]
    .filter((text) => text !== '' && text.isWellFormed())
    .map(encodeURIComponent),
  '%FF',
  '%C0%AF',
  '%ED%A0%80',
  '%zz',
  '%',
  '+',
  '%2B1',
  '1%2F..',
  '%5B%5D',
  '1;2',
];

/** A value in short, for the name of a case. */
export function inShort(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}... (${text.length})`;
}
