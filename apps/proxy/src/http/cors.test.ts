import { beforeEach, describe, expect, test } from 'vitest';
import { useOneSite } from '../testing/one-site.ts';
import { siteHeaders } from '../testing/test-cloud.ts';
import { answering } from '../testing/test-system.ts';

const site = useOneSite({ limits: { bodyBytes: 10 } });
beforeEach(() => {
  site.handle = answering('hello');
});

const ORIGIN = { origin: 'https://app.example' };
const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(site.system.proxy.url + path, { ...init, headers: { ...ORIGIN, ...init.headers } });

function corsHeadersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}
const OPEN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After, *' };

describe('a browser that asks what it may send', () => {
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    call(path, { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT', ...headers } });

  test('is told by the proxy, without credentials and without the device', async () => {
    const before = site.device.seen.length;
    const answer = await ask('/api/v1/metrics', { 'access-control-request-headers': 'site-id,x-own' });
    expect(answer.status).toBe(204);
    expect(corsHeadersOf(answer)).toEqual({
      ...OPEN,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers': 'Authorization, Content-Type, Site-Id, Site-Key, site-id,x-own',
      'access-control-max-age': '86400',
    });
    expect(answer.headers.get('vary')).toBe('Access-Control-Request-Headers');
    expect(await answer.text()).toBe('');
    expect(site.device.seen).toHaveLength(before);
  });

  test('has no names echoed that are none', async () => {
    const answer = await ask('/api/v1/metrics', { 'access-control-request-headers': 'a: b;"' });
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Site-Id, Site-Key',
    );
  });

  test('is told nothing where there is no API', async () => {
    expect(corsHeadersOf(await ask('/healthz'))).toEqual({});
  });

  test('is told nothing else: OPTIONS of a client reaches the device', async () => {
    const answer = await site.send({ method: 'OPTIONS' });
    expect(await answer.text()).toBe('hello');
  });
});

describe('an answer of the API can be read by pages of any origin', () => {
  test('with a token, whatever the device says', async () => {
    site.handle = (stream) => {
      stream.respond({
        ':status': 200,
        'access-control-allow-origin': 'https://only.example',
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'X-Own',
      });
      stream.end();
    };
    const answer = await site.send({ headers: ORIGIN });
    expect(answer.status).toBe(200);
    expect(corsHeadersOf(answer)).toEqual(OPEN);
  });

  test.each([
    [401, () => call('/api/v1/metrics')],
    [
      503,
      async () => call('/api/v1/metrics', { headers: siteHeaders(await site.system.cloud.authorize(9)) }),
    ],
    [413, () => site.send({ method: 'POST', body: 'a'.repeat(11), headers: ORIGIN })],
  ])('when it is the refusal %i', async (status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(corsHeadersOf(answer)).toEqual(OPEN);
  });
});
