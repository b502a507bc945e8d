import { describe, expect, test } from 'vitest';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import type { RequestHead } from '../links/upstream.ts';
import { audienceOf, clientResponseHeaders, type ForwardContext, requestHead } from './headers.ts';

const CONTEXT: ForwardContext = {
  // Only what the head of a request is made of.
  clientAddress: { scheme: 'https', address: '192.0.2.1' } as ForwardContext['clientAddress'],
  credentials: { token: 't', siteId: '1', siteKey: 'k' },
  path: '/p',
};
const VOUCHED_FOR = [
  'authorization',
  'Bearer t',
  'site-id',
  '1',
  'site-key',
  'k',
  'x-forwarded-for',
  '192.0.2.1',
  'traceparent',
  expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/),
];

type Headers = Record<string, string | string[] | undefined>;
function headOf(headers: Headers, method: string | undefined = 'GET'): RequestHead {
  // Only what is read of a request.
  return requestHead({ headers, method } as unknown as ClientRequest, CONTEXT);
}

/** The client's own headers that reach the device. */
const passed = (headers: Headers): string[] =>
  headOf({ host: 'x', ...headers }).headers.slice(VOUCHED_FOR.length);

describe('requestHead', () => {
  test('the headers that the proxy vouches for come first, then the rest', () => {
    expect(headOf({ host: 'x:1', accept: 'a' }, 'PUT')).toEqual({
      method: 'PUT',
      scheme: 'https',
      path: '/p',
      host: 'x:1',
      headers: [...VOUCHED_FOR, 'accept', 'a'],
    });
  });

  test('an HTTP/2 request has its authority as its host', () => {
    expect(headOf({ ':authority': 'y', ':path': '/else' })).toMatchObject({
      path: '/p',
      host: 'y',
      headers: VOUCHED_FOR,
    });
  });

  test('a request without a host has none', () => {
    expect(headOf({}).host).toBe('');
  });

  test.each(['a b', ' a', 'a ', 'a/b', 'a@b'])('the host %j is none', (host) => {
    expect(() => headOf({ host })).toThrow('the host is not one');
  });

  test.each([
    ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te'],
    ...['trailer', 'transfer-encoding', 'upgrade', 'http2-settings'],
    ...[
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-port',
      'x-forwarded-proto',
      'x-real-ip',
      'forwarded',
    ],
    ...['authorization', 'site-id', 'site-key', 'expect'],
  ])("a client's header %s does not reach the device", (name) => {
    expect(passed({ [name]: 'theirs' })).toEqual([]);
  });

  test('a header with several values is passed on value by value, and one with none not at all', () => {
    expect(passed({ 'x-a': ['1', '2'], 'x-b': undefined, 'x-c': '3' })).toEqual([
      ...['x-a', '1', 'x-a', '2'],
      ...['x-c', '3'],
    ]);
  });

  test.each([
    ['keep-alive', []],
    ['Close', []],
    ['close-up', ['close-up']],
    ['not-close', ['not-close']],
    ['close, X-Private ,x-other', ['x-private', 'x-other']],
  ])('a connection header of %j ends %j at the proxy', (connection, ended) => {
    const own = { 'close-up': '1', 'not-close': '1', 'x-private': '1', 'x-other': '1' };
    const left = passed({ connection, ...own }).filter((_text, i) => i % 2 === 0);
    expect(left).toEqual(Object.keys(own).filter((name) => !ended.includes(name)));
  });
});

describe('clientResponseHeaders', () => {
  const ID = ['x-request-id', '4bf92f3577b34da6a3ce929d0e0e4736'];
  const OWN_HOST = {
    requestId: '4bf92f3577b34da6a3ce929d0e0e4736',
    openToOrigins: false,
    atSharedHost: false,
  };
  const ANY_ORIGIN = [
    'access-control-allow-origin',
    '*',
    'access-control-expose-headers',
    'Retry-After, X-Request-Id, *',
  ];
  const DATA_ONLY = [
    ...['content-security-policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
    ...['x-content-type-options', 'nosniff'],
  ];
  const cors = ['access-control-allow-origin', 'https://a.example'];

  test("an answer at the site's own host keeps everything but connection headers", () => {
    const kept = ['set-cookie', 'a=1', ...cors, 'content-length', '3'];
    const raw = ['connection', 'close', 'transfer-encoding', 'chunked', ...kept];
    expect(clientResponseHeaders(raw, 200, OWN_HOST)).toEqual([...ID, ...kept]);
  });

  test('a 204 loses its content-length alone', () => {
    expect(clientResponseHeaders(['content-length', '0', 'etag', 'a'], 204, OWN_HOST)).toEqual([
      ...ID,
      'etag',
      'a',
    ]);
  });

  test("the proxy's CORS headers replace the device's where every origin may read", () => {
    const headers = clientResponseHeaders([...cors, 'etag', 'a'], 200, { ...OWN_HOST, openToOrigins: true });
    expect(headers).toEqual([...ID, ...ANY_ORIGIN, 'etag', 'a']);
  });

  test.each([
    ...[
      'allow',
      'cache-control',
      'content-disposition',
      'content-encoding',
      'content-length',
      'content-type',
      'date',
      'etag',
      'expires',
    ],
    ...['last-modified', 'mcp-protocol-version', 'mcp-session-id', 'retry-after', 'vary'],
  ])('the header %s passes at the shared host', (name) => {
    const headers = clientResponseHeaders([name, '1', 'set-cookie', 'a=1'], 200, {
      ...OWN_HOST,
      atSharedHost: true,
    });
    expect(headers).toEqual([...ID, ...DATA_ONLY, name, '1']);
  });
});

test.each([
  ['a client at the shared host', undefined, undefined, true],
  ["a client at the site's own host", undefined, true, false],
  ['another proxy', 'b', undefined, false],
])(
  'an answer to %s is filtered only at the shared host',
  (_name, relayedBy, filtersHeaders, atSharedHost) => {
    // Only what decides about the audience.
    const res = { filtersHeaders } as ClientResponse;
    const clientAddress = { relayedBy } as ForwardContext['clientAddress'];
    const audience = (url: string) => audienceOf({ url, headers: {} } as ClientRequest, res, clientAddress);
    expect(audience('/api/v1/metrics')).toMatchObject({ openToOrigins: true, atSharedHost });
    expect(audience('/mcp')).toMatchObject({ openToOrigins: false, atSharedHost });
  },
);
