import { generateSigningKey, SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SiteCredentials, siteHeaders } from '../../test/test-cloud.ts';
import type { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

let system: TestSystem;
let device: TestDevice;
let good: SiteCredentials;
beforeAll(async () => {
  system = await startTestSystem();
  device = await system.connectDevice(1, answering('hello'));
  await system.connectDevice(2, answering('the neighbour'));
  good = await system.cloud.authorize(1);
});
afterAll(() => system.stop());

type Headers = Record<string, string>;
const without = (headers: Headers, name: string): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));

describe('SiteProxy', () => {
  const refused: [string, () => Headers | Promise<Headers>][] = [
    ['no headers', () => ({})],
    ['no token', () => without(siteHeaders(good), 'authorization')],
    ['no Site-Id', () => without(siteHeaders(good), 'Site-Id')],
    ['no Site-Key', () => without(siteHeaders(good), 'Site-Key')],
    ['an empty token', () => ({ ...siteHeaders(good), authorization: 'Bearer ' })],
    ['basic authentication', () => ({ ...siteHeaders(good), authorization: 'Basic YWRtaW46eA==' })],
    ['a token that is not one', () => ({ ...siteHeaders(good), authorization: 'Bearer not.a.token' })],
    ['a token cut short', () => siteHeaders({ ...good, token: good.token.slice(0, -4) })],
    ['a changed payload', () => siteHeaders({ ...good, token: withOtherPayload(good.token) })],
    ['no signature (alg none)', () => siteHeaders({ ...good, token: unsigned(good.token) })],
    ['another Site-Id', () => siteHeaders({ ...good, siteId: 2 })],
    ['a Site-Id in other words', () => ({ ...siteHeaders(good), 'Site-Id': '01' })],
    ['a wrong Site-Key', () => siteHeaders({ ...good, siteKey: `${good.siteKey}x` })],
    [
      'the key of another site',
      async () => siteHeaders({ ...good, siteKey: (await system.cloud.authorize(2)).siteKey }),
    ],
    [
      'the token of another site',
      async () => siteHeaders({ ...good, token: (await system.cloud.authorize(2)).token }),
    ],
    [
      'an expired token',
      async () =>
        siteHeaders(await system.cloud.authorize(1, { nowMs: Date.now() - SITE_TOKEN_LIFETIME_MS - 1 })),
    ],
    [
      'a token signed by a stranger',
      async () => siteHeaders(await system.cloud.authorize(1, { key: await generateSigningKey() })),
    ],
    ['a tunnel token', async () => siteHeaders({ ...good, token: await system.cloud.tunnelToken(1) })],
  ];

  const reasons: Readonly<Record<string, string>> = {
    'another Site-Id': 'The site token is for another site',
    'a Site-Id in other words': 'The site token is for another site',
    'the token of another site': 'The site token is for another site',
    'an expired token': 'The site token has expired: authorize again',
  };

  test.each(refused)(
    'a request with %s is refused with 401 and does not reach the device',
    async (name, headers) => {
      const before = device.seen.length;
      const url = `${system.proxy.url}/api/v1/metrics`;
      const answers = [
        await fetch(url, { headers: await headers() }),
        await fetch(url, { headers: await headers() }),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(401);
        expect(answer.headers.get('content-type')).toContain('application/json');
        expect(await answer.json()).toEqual({ error: reasons[name] ?? 'Unauthorized' });
      }
      expect(device.seen).toHaveLength(before);
    },
  );

  test('wrong credentials are refused also after the token was cached', async () => {
    expect((await system.fetch('/api/v1/metrics', good)).status).toBe(200);
    for (const wrong of [
      { ...good, siteId: 2 },
      { ...good, siteKey: 'guess' },
    ]) {
      expect((await system.fetch('/api/v1/metrics', wrong)).status).toBe(401);
    }
  });

  test.each(['site-id', 'SITE-ID', 'Site-Id', 'sItE-iD'])(
    'credentials may be written as %s',
    async (name) => {
      const headers = {
        ...without(siteHeaders(good), 'Site-Id'),
        [name]: '1',
        authorization: `bearer ${good.token}`,
      };
      const answer = await fetch(`${system.proxy.url}/api/v1/metrics`, { headers });
      expect(await answer.text()).toBe('hello');
    },
  );

  test('a site without a connection is 503 with Retry-After', async () => {
    const answer = await system.fetch('/api/v1/metrics', await system.cloud.authorize(99));
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answer.json()).toEqual({ error: 'Site is offline' });
  });

  test('a read token passes writes on, which the device decides about', async () => {
    const reader = await system.cloud.authorize(1, { access: 'read' });
    expect((await system.fetch('/api/v1/metrics', reader)).status).toBe(200);
  });
});

function withOtherPayload(token: string): string {
  const [header, payload = '', signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, access: 'write', sub: '2' })).toString('base64url');
  return `${header}.${forged}.${signature}`;
}

function unsigned(token: string): string {
  const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
  return `${header}.${token.split('.')[1]}.`;
}
