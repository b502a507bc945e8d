import { SCOPES, type Scope } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';

let cloud: TestCloud;
let userId: number;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  userId = (await cloud.make.user()).id;
  siteId = (await cloud.make.site({ ownerId: userId })).id;
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const ANY = Object.keys(SCOPES) as Scope[];

/** Every operation that wants a token, and the scopes of which it wants at least one. */
const OPERATIONS: readonly {
  readonly route: string;
  readonly scopes: readonly Scope[];
  readonly body?: object;
}[] = [
  { route: 'GET /api/v1/user', scopes: ANY },
  { route: 'GET /api/v1/sites', scopes: ['sites:read_all'] },
  { route: 'GET /api/v1/sites/ID', scopes: ['sites:read_all', 'sites:read_single'] },
  { route: 'POST /api/v1/sites/ID/authorize', scopes: ['sites:read_all', 'sites:read_single'] },
  { route: 'POST /api/v1/sites/register', scopes: ['sites:write_all'], body: { uid: 'nobody' } },
];

const call = ({ route, body }: (typeof OPERATIONS)[number], token?: string) =>
  cloud.call(route.replace('ID', String(siteId)), { token, body });

describe.each(OPERATIONS)('$route', (operation) => {
  it.each(ANY)('with the scope %s alone', async (scope) => {
    const token = await cloud.make.token(userId, { scopes: [scope], siteId });
    const { status } = await call(operation, token);
    if (operation.scopes.includes(scope)) expect([200, 404]).toContain(status);
    else expect(status).toBe(403);
  });

  const past = () => new Date(cloud.clock.now() - 1);
  it.each<[string, () => Promise<string | undefined>]>([
    ['no token', async () => undefined],
    ['a token of no one', async () => 'hga_0123456789012345678901234567890123456789012'],
    ['an expired token', () => cloud.make.token(userId, { expiresAt: past() })],
    ['a revoked token', () => cloud.make.token(userId, { revokedAt: past() })],
  ])('refuses %s with 401', async (_what, token) => {
    const { status, body, headers } = await call(operation, await token());
    expect(status).toBe(401);
    expect(body).toEqual({ error: expect.any(String) });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('checks the token before the request', async () => {
    const [method, path = ''] = operation.route.split(' ');
    const raw = method === 'GET' ? {} : { raw: '{"broken', headers: { 'content-type': 'application/json' } };
    const { status } = await cloud.call(`${method} ${path.replace('ID', '999999')}?limit=nonsense`, raw);
    expect(status).toBe(401);
  });
});

it.each(['hga_x', 'Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', 'Bearer \u00e9'])(
  'does not take "%s" for a token',
  async (authorization) => {
    const { status } = await cloud.call('GET /api/v1/user', { headers: { authorization } });
    expect(status).toBe(401);
  },
);
