import { isIP } from 'node:net';
import { EVERY_ADDRESS, HAS_IPV6 } from '@heliograph/dev-env/testing/addresses';
import { AddressList } from '@heliograph/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteHeaders } from '../testing/test-cloud.ts';
import type { TestDevice } from '../testing/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../testing/test-system.ts';
import { forwardedFor } from './forwarded.ts';

type Headers = Record<string, string>;
interface ForwardedBy {
  readonly address: string;
  readonly scheme?: string;
  readonly host?: string;
}

describe.each([
  ['a trusted proxy', ['127.0.0.1', '10.0.0.0/8']],
  ['anybody', ['10.0.0.0/8']],
])('a request from %s', (who, trustedProxies) => {
  let system: TestSystem;
  let device: TestDevice;
  beforeAll(async () => {
    system = await startTestSystem({}, { trustedProxies });
    device = await system.connectDevice(1, answering(''));
  });
  afterAll(() => system.stop());

  const believed = who === 'a trusted proxy';
  const table: [Headers, ForwardedBy][] = [
    [{}, { address: '127.0.0.1' }],
    [{ 'x-forwarded-for': '192.0.2.1' }, { address: '192.0.2.1' }],
    [{ 'x-forwarded-for': '192.0.2.66, 192.0.2.1' }, { address: '192.0.2.1' }],
    [{ 'x-forwarded-for': '192.0.2.1, 10.1.2.3,10.4.5.6' }, { address: '192.0.2.1' }],
    [{ 'x-forwarded-for': '10.1.2.3, 10.4.5.6' }, { address: '10.1.2.3' }],
    [{ 'x-forwarded-for': '192.0.2.1:4711' }, { address: '192.0.2.1' }],
    [{ 'x-forwarded-for': '[2001:db8::1]:4711' }, { address: '2001:db8::1' }],
    [{ 'x-forwarded-for': '2001:DB8:0::1' }, { address: '2001:db8::1' }],
    [{ 'x-forwarded-for': '::ffff:192.0.2.1' }, { address: '192.0.2.1' }],
    [{ 'x-forwarded-for': 'unknown' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-for': '192.0.2.1, unknown, 10.1.2.3' }, { address: '10.1.2.3' }],
    [{ 'x-forwarded-for': ', ,' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-for': 'fe80::1%eth0' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-for': '<script>' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-for': `192.0.2.1${', 10.0.0.1'.repeat(200)}` }, { address: '10.0.0.1' }],
    [{ 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.1' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-proto': 'https' }, { address: '127.0.0.1', scheme: 'https' }],
    [{ 'x-forwarded-proto': 'http, HTTPS' }, { address: '127.0.0.1', scheme: 'https' }],
    [{ 'x-forwarded-proto': 'gopher' }, { address: '127.0.0.1' }],
    [{ 'x-forwarded-host': 'home.example.org:444' }, { address: '127.0.0.1', host: 'home.example.org:444' }],
    [{ 'x-forwarded-host': 'evil.example, home.example' }, { address: '127.0.0.1', host: 'home.example' }],
    [{ 'x-forwarded-host': 'a b"<>/@' }, { address: '127.0.0.1' }],
  ];

  test.each(table)('a request with %j resolves to its client', async (headers, expected) => {
    const credentials = siteHeaders(await system.cloud.authorize(1));
    const answer = await fetch(`${system.proxy.url}/api/v1/metrics`, {
      headers: { ...credentials, ...headers },
    });
    expect(answer.status).toBe(200);
    const seen = device.seen.at(-1) ?? {};
    expect({ address: seen['x-forwarded-for'], scheme: seen[':scheme'], host: seen[':authority'] }).toEqual({
      address: '127.0.0.1',
      scheme: 'http',
      host: system.proxy.host,
      ...(believed ? expected : {}),
    });
    expect(Object.keys(seen).filter((name) => /forwarded-|real-ip/.test(name))).toEqual(['x-forwarded-for']);
  });
});

describe('a listener for IPv4 and IPv6 that trusts a proxy of IPv4', () => {
  let system: TestSystem;
  let device: TestDevice;
  beforeAll(async () => {
    system = await startTestSystem({}, { bind: EVERY_ADDRESS, trustedProxies: ['127.0.0.1'] });
    device = await system.connectDevice(1, answering(''));
  });
  afterAll(() => system.stop());

  const requests: readonly [string, Headers, string][] = [
    ['127.0.0.1', {}, '127.0.0.1'],
    ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
    ['[::1]', {}, '::1'],
    ['[::1]', { 'x-forwarded-for': '192.0.2.1' }, '::1'],
  ];
  test.each(requests.filter(([host]) => HAS_IPV6 || host === '127.0.0.1'))(
    'a request to %s with %j resolves to the client %s',
    async (host, headers, address) => {
      const { port } = new URL(system.proxy.url);
      const credentials = siteHeaders(await system.cloud.authorize(1));
      const answer = await fetch(`http://${host}:${port}/api/v1/metrics`, {
        headers: { ...credentials, ...headers },
      });
      expect(answer.status).toBe(200);
      expect(device.seen.at(-1)?.['x-forwarded-for']).toBe(address);
    },
  );
});

test('any forwarding header resolves to an address', () => {
  const trusted = new AddressList(['10.0.0.0/8', '::1']);
  const part = fc.oneof(
    fc.string(),
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom('10.0.0.1', '[::1]:80', '"', '%', ':'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      expect(isIP(forwardedFor(parts.join(','), '10.9.9.9', trusted))).not.toBe(0);
    }),
  );
});
