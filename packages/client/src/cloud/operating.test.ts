import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CloudClient } from '../cloud-client.ts';
import { closeServer, listen, readJson, sendJson } from '../testing/http.ts';

/** Answers what it was asked. */
const server = createServer(async (request, response) => {
  const { authorization } = request.headers;
  sendJson(response, 200, {
    expected: `${request.method} ${request.url}`,
    body: await readJson(request),
    authorization,
  });
});
let url: string;
let cloud: CloudClient;
beforeAll(async () => {
  url = `http://${await listen(server)}`;
  cloud = new CloudClient({ url, token: 't' });
});
afterAll(() => closeServer(server));

it.each<[string, () => Promise<unknown>, string, object?]>([
  [
    'devices',
    () => cloud.devices.list({ q: 'a b', state: 'inactive', limit: 5 }),
    'GET /api/v1/devices?q=a%20b&state=inactive&limit=5',
  ],
  ['one of them', () => cloud.devices.get('a/b'), 'GET /api/v1/devices/a%2Fb'],
  [
    'a new one',
    () => cloud.devices.provision({ uid: 'u', organizationId: 7, activate: true }),
    'POST /api/v1/devices',
    { uid: 'u', organization_id: 7, activate: true },
  ],
  [
    'to activate one',
    () => cloud.devices.activate('u', 7),
    'POST /api/v1/devices/u/activate',
    { organization_id: 7 },
  ],
  ['to revoke one', () => cloud.devices.revoke('u'), 'POST /api/v1/devices/u/revoke'],
  ['to restore one', () => cloud.devices.restore('u'), 'POST /api/v1/devices/u/restore'],
  [
    'who waits',
    () => cloud.activationRequests.list({ offset: 20 }),
    'GET /api/v1/activation_requests?offset=20',
  ],
  [
    'codes of an organization',
    () => cloud.activationCodes(7).list(),
    'GET /api/v1/organizations/7/activation_codes',
  ],
  ["the service's codes", () => cloud.activationCodes().list(), 'GET /api/v1/activation_codes'],
  [
    'a code',
    () => cloud.activationCodes().create({ uses: 3, expiresAt: new Date(0) }),
    'POST /api/v1/activation_codes',
    { uses: 3, expires_at: '1970-01-01T00:00:00.000Z' },
  ],
  ['proxies', () => cloud.proxies.list(), 'GET /api/v1/proxies'],
  ['to empty one', () => cloud.proxies.drain('eu-1'), 'POST /api/v1/proxies/eu-1/drain'],
  ['to fill it again', () => cloud.proxies.undrain('eu-1'), 'POST /api/v1/proxies/eu-1/undrain'],
  ['to describe a site', () => cloud.describeSite(7, null), 'PATCH /api/v1/sites/7', { description: null }],
])('the client requests %s', async (_what, call, expected, body = {}) => {
  expect(await call()).toEqual({ expected, body, authorization: 'Bearer t' });
});

it('a client without a token sends no Authorization header', async () => {
  expect(await new CloudClient({ url: `${url}/portal/` }).user()).toEqual({
    expected: 'GET /portal/api/v1/user',
    body: {},
  });
});
