/** A request's forwarding headers, and the client that they name behind trusted proxies. */
export interface ForwardedCase {
  /** A list is several header lines. */
  readonly headers: Record<string, string | string[]>;
  /** Undefined: the peer's own. */
  readonly address: string | undefined;
  readonly scheme?: 'http' | 'https';
  readonly host?: string;
}

/** Range of the trusted proxies, besides the peer. */
export const TRUSTED_RANGE = '10.0.0.0/8';
const PROXY = '10.1.2.3';
const FORGED = '198.51.100.66';

/** Spellings of addresses, and the one form of each; undefined: unreadable. */
const NODES: readonly [text: string, address: string | undefined][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['192.0.2.1:_port', '192.0.2.1'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
  ['fe80::1%eth0', 'fe80::1'],
  ['192.0.2.256', undefined],
  ['192.0.2.1:http', undefined],
  ['192.0.2.1:123456', undefined],
  ['[192.0.2.1', undefined],
  ['<script>', undefined],
];

/** A node alone, after a forged one in the same and in another line, and before a trusted proxy, in both headers. */
const NODE_CASES: readonly ForwardedCase[] = NODES.flatMap(([node, address]) => {
  const quoted = `"${node}"`;
  return [
    ...[node, quoted].flatMap((text) => [
      { headers: { 'x-forwarded-for': text }, address },
      { headers: { 'x-forwarded-for': `${FORGED}, ${text}` }, address },
      { headers: { 'x-forwarded-for': [FORGED, text] }, address },
      { headers: { 'x-forwarded-for': [`${FORGED} ,${text}`, PROXY] }, address: address ?? PROXY },
    ]),
    { headers: { forwarded: `for=${quoted}` }, address },
    { headers: { forwarded: `for=${FORGED}, by=_p1;For=${quoted}` }, address },
    { headers: { forwarded: [`for=${FORGED}`, `proto=https; for=${quoted}`] }, address, scheme: 'https' },
    { headers: { forwarded: `for=${quoted}, for=${PROXY}` }, address: address ?? PROXY },
  ];
});

/** Everything that does not depend on the spelling of an address. */
const OTHER_CASES: readonly ForwardedCase[] = [
  { headers: {}, address: undefined },
  { headers: { 'x-real-ip': '192.0.2.1' }, address: undefined },
  { headers: { 'x-forwarded-for': `${PROXY}, 10.4.5.6` }, address: PROXY },
  { headers: { 'x-forwarded-for': ', ,' }, address: undefined },
  { headers: { 'x-forwarded-for': `192.0.2.1${', 10.0.0.1'.repeat(200)}` }, address: '10.0.0.1' },
  { headers: { 'x-forwarded-for': `"${FORGED}, 192.0.2.1` }, address: '192.0.2.1' },
  { headers: { 'x-forwarded-for': '192.0.2.1', forwarded: `for=${FORGED}` }, address: '192.0.2.1' },
  {
    headers: { 'x-forwarded-for': '192.0.2.1', forwarded: `for=${FORGED};proto=https;host=evil.example` },
    address: '192.0.2.1',
  },
  {
    headers: { 'x-forwarded-proto': 'https', forwarded: `for=${FORGED}` },
    address: undefined,
    scheme: 'https',
  },
  { headers: { 'x-forwarded-proto': 'http, HTTPS' }, address: undefined, scheme: 'https' },
  { headers: { 'x-forwarded-proto': 'gopher' }, address: undefined },
  {
    headers: { 'x-forwarded-host': 'home.example.org:444' },
    address: undefined,
    host: 'home.example.org:444',
  },
  {
    headers: { 'x-forwarded-host': ['evil.example', 'home.example'] },
    address: undefined,
    host: 'home.example',
  },
  { headers: { 'x-forwarded-host': 'a b"<>/@' }, address: undefined },
  { headers: { forwarded: 'for=192.0.2.1' }, address: '192.0.2.1' },
  { headers: { forwarded: 'for=192.0.2.1:4711' }, address: '192.0.2.1' },
  { headers: { forwarded: 'for=[2001:db8::1]:443' }, address: '2001:db8::1' },
  { headers: { forwarded: 'for="\\1\\92.0.2.1"' }, address: '192.0.2.1' },
  { headers: { forwarded: `for="${FORGED}, for=192.0.2.1` }, address: '192.0.2.1' },
  { headers: { forwarded: `for=${FORGED};for=192.0.2.1` }, address: undefined },
  { headers: { forwarded: 'by=192.0.2.1' }, address: undefined },
  { headers: { forwarded: 'for=192.0.2.1;' }, address: '192.0.2.1' },
  { headers: { forwarded: 'for 192.0.2.1' }, address: undefined },
  {
    headers: { forwarded: 'for=192.0.2.1;ext="a, b; c";proto=HTTPS;host="home.example:444"' },
    address: '192.0.2.1',
    scheme: 'https',
    host: 'home.example:444',
  },
  {
    headers: { forwarded: `for=192.0.2.1;proto=https;host=evil.example, for=${PROXY};host=home.example` },
    address: '192.0.2.1',
    host: 'home.example',
  },
];

export const FORWARDED_CASES: readonly ForwardedCase[] = [...NODE_CASES, ...OTHER_CASES];
