import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { EVERY_ADDRESS, HAS_IPV6 } from '@heliograph/dev/testing/addresses';
import {
  FORWARDED_CASES,
  type ForwardedCase,
  TRUSTED_RANGE,
} from '@heliograph/dev/testing/forwarded-headers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { siteHeaders } from '../../test/test-cloud.ts';
import type { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

describe.each([
  ['a trusted proxy', ['127.0.0.1', TRUSTED_RANGE]],
  ['anybody', [TRUSTED_RANGE]],
])('a request from %s', (who, trustedProxies) => {
  let system: TestSystem;
  let device: TestDevice;
  beforeAll(async () => {
    system = await startTestSystem({}, { trustedProxies });
    device = await system.connectDevice(1, answering(''));
  });
  afterAll(() => system.stop());

  test('forwarding headers resolve to the client of a trusted proxy alone', async () => {
    const credentials = siteHeaders(await system.cloud.authorize(1));
    const { port } = new URL(system.proxy.url);
    for (const { headers, ...client } of FORWARDED_CASES) {
      const call = request({ port, path: '/api/v1/metrics', headers: { ...credentials, ...headers } }).end();
      const [answer] = (await once(call, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
      const seen = device.seen.at(-1) ?? {};
      const {
        address = '127.0.0.1',
        scheme = 'http',
        host = `localhost:${port}`,
      }: Partial<ForwardedCase> = who === 'anybody' ? {} : client;
      expect({
        headers,
        address: seen['x-forwarded-for'],
        scheme: seen['x-forwarded-proto'],
        host: seen.host,
      }).toEqual({ headers, address, scheme, host });
      expect(Object.keys(seen).filter((name) => /forwarded|real-ip/.test(name))).toEqual([
        'x-forwarded-for',
        'x-forwarded-proto',
      ]);
    }
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

  const requests: readonly [string, Record<string, string>, string][] = [
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
