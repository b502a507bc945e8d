import { beforeEach, describe, expect, test } from 'vitest';
import { useOneSite } from '../../test/one-site.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { answering } from '../../test/test-system.ts';

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
const OPEN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-Request-Id, *',
};

describe('a CORS preflight', () => {
  const send = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    call(path, { method: 'OPTIONS', headers: { 'access-control-request-method': 'PUT', ...headers } });

  test('the proxy answers a preflight without credentials and without the device', async () => {
    const before = site.device.seen.length;
    const answer = await send('/api/v1/metrics', { 'access-control-request-headers': 'site-id,x-own' });
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

  test('invalid header names are not echoed in a preflight', async () => {
    const answer = await send('/api/v1/metrics', { 'access-control-request-headers': 'a: b;"' });
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Site-Id, Site-Key',
    );
  });

  test('a preflight outside the API is not answered', async () => {
    expect(corsHeadersOf(await send('/healthz'))).toEqual({});
  });

  test('OPTIONS of a client that is no preflight reaches the device', async () => {
    const answer = await site.send({ method: 'OPTIONS' });
    expect(await answer.text()).toBe('hello');
  });
});

describe('an answer of the API', () => {
  test("every origin may read an answer to a token, whatever the device's CORS headers are", async () => {
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
  ])('every origin may read the refusal %i', async (status, send) => {
    const answer = await send();
    expect(answer.status).toBe(status);
    expect(corsHeadersOf(answer)).toEqual(OPEN);
  });
});
