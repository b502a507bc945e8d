/** Texts that broke programs. A field receives one text of each group. */
const SIMILAR_TEXTS: Readonly<Record<string, readonly string[]>> = {
  invisible: ['\ufeff', '\u202egnp.exe', ' '],
  unusual: ['𝔘', '👩‍👩‍👧‍👦', 'e\u0301'.repeat(300)],
  code: [
    "'; drop table users; --",
    '<script>alert(1)</script>',
    '{{7*7}}<%= 7*7 %>',
    '../../etc/passwd',
    '%',
  ],
  word: ['__proto__', 'null', 'none'],
  number: ['0', '-1', '0x10', '١', '9'.repeat(400)],
};

const HOSTILE_TEXT = [
  '',
  '\0',
  'a\0b',
  '\ud800',
  '\r\nBcc: victim@example.org\r\n\r\nhello',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  'x'.repeat(10_000),
  ...Object.values(SIMILAR_TEXTS).flat(),
] as const;

/** The group of a text in SIMILAR_TEXTS. */
export function similarityGroupOf(text: string): string | undefined {
  return Object.entries(SIMILAR_TEXTS).find(([, texts]) => texts.includes(text))?.[0];
}

/** Addresses that disguise another address or hold two. */
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
  -1,
  1.5,
  1e300,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  true,
  null,
  [],
  {},
  [[]],
  ['x', 1],
  Array.from({ length: 2000 }, () => 'x'),
  { toString: 1 },
  { length: 1e9 },
  { constructor: { prototype: 1 } },
];

/** Values for a field of a JSON body. */
export function hostileValuesFor(field = ''): readonly unknown[] {
  return [...HOSTILE_JSON, ...HOSTILE_TEXT, ...(field === 'email' ? HOSTILE_ADDRESSES : [])];
}

/** Percent-encoded values for a part of a URL. None is empty, which would be another path. */
export const HOSTILE_URL_PARTS: readonly string[] = [
  '%00',
  'a%00b',
  '%20',
  '%EF%BB%BF',
  '%E2%80%AEgnp.exe',
  '%0D%0ASet-Cookie:%20a=b',
  '%F0%9F%91%A9',
  '%FF',
  '%C0%AF',
  '%ED%A0%80',
  '%zz',
  '%25',
  '%2B1',
  '1%2F..',
  '..%2F..%2Fetc%2Fpasswd',
  "1'%20or%20'1'='1",
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '__proto__',
  'null',
  'none',
  '0',
  '-1',
  '1.5',
  '1e9',
  '0x10',
  '%D9%A1',
  '2147483648',
  '-2147483649',
  '9'.repeat(400),
  '2026-02-30T00:00:00Z',
  'x'.repeat(10_000),
];

/** At most 60 characters and a length, for the description of a payload. */
export function summaryOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}... (${text.length})`;
}
