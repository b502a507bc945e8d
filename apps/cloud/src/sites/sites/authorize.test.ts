import { type AuditEntry, SESSION_SCOPES } from '@heliograph/contracts';
import { siteKeyDigest } from '@heliograph/wire';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const authorize = (
  id: number,
  token = owner.token,
  call: { raw?: string; headers?: Record<string, string> } = {},
) => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token, ...call });

/** The claims of a site token, verified with nothing but the published keys. */
async function claimsOf(token: unknown): Promise<Record<string, unknown>> {
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', cloud.url));
  const { payload } = await compactVerify(String(token), keys);
  return JSON.parse(new TextDecoder().decode(payload));
}

it('POST /sites/:id/authorize is answered 503 before the first proxy announces itself', async () => {
  await using fresh = await startTestCloud();
  const { id: ownerId, token } = await fresh.make.user();
  const { id } = await fresh.make.site({ ownerId });
  const { status, headers } = await fresh.call(`POST /api/v1/sites/${id}/authorize`, { token });
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('POST /sites/:id/authorize', () => {
  beforeAll(() => cloud.announce('us-htz-1'));

  it('the answer has a host, a key, and a token for that key', async () => {
    const site = await cloud.make.site({
      ownerId: owner.id,
      name: 'Meadow',
      device: { localIp: '10.0.0.7' },
    });
    const { status, body } = await authorize(site.id);
    expect(status).toBe(200);
    expect(body).toEqual({
      host: 'us-htz-1.example.org',
      site_host: 'meadow.us.example.org',
      site_id: site.id,
      site_name: 'Meadow',
      site_key: expect.any(String),
      local_ip: '10.0.0.7',
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(await claimsOf(body.token)).toMatchObject({
      sub: String(owner.id),
      site: site.id,
      access: 'write',
      key: siteKeyDigest(String(body.site_key)),
      exp: new Date(cloud.clock.now() + WEEK_MS).toISOString(),
    });
  });

  it('a site token expires with the API token it is issued for, if that is within seven days', async () => {
    const site = await cloud.make.site({ ownerId: owner.id });
    const expiresAt = new Date(cloud.clock.now() + WEEK_MS / 7);
    const expOf = async (token: string) => (await claimsOf((await authorize(site.id, token)).body.token)).exp;
    expect(await expOf(await cloud.make.token(owner.id, { expiresAt }))).toBe(expiresAt.toISOString());
    const later = new Date(cloud.clock.now() + 2 * WEEK_MS);
    const inSevenDays = new Date(cloud.clock.now() + WEEK_MS).toISOString();
    expect(await expOf(await cloud.make.token(owner.id, { expiresAt: later }))).toBe(inSevenDays);
    const session = { kind: 'session', scopes: SESSION_SCOPES, expiresAt } as const;
    expect(await expOf(await cloud.make.token(owner.id, session))).toBe(inSevenDays);
  });

  it('the answer for an unnamed site has no name and no site host', async () => {
    const site = await cloud.make.site({ ownerId: owner.id, name: null });
    const { body } = await authorize(site.id);
    expect(Object.keys(body).toSorted()).toEqual(['host', 'site_id', 'site_key', 'token']);
  });

  it('each site has a key of its own, the same in every answer', async () => {
    const one = await cloud.make.site({ ownerId: owner.id });
    const other = await cloud.make.site({ ownerId: owner.id });
    const key = async (id: number) => (await authorize(id)).body.site_key;
    expect(await key(one.id)).toBe(await key(one.id));
    expect(await key(one.id)).not.toBe(await key(other.id));
  });

  it.each<[string, { raw?: string; headers?: Record<string, string> }]>([
    ['no body', {}],
    ['an empty JSON body', { raw: '', headers: { 'content-type': 'application/json' } }],
    ['an empty object', { raw: '{}', headers: { 'content-type': 'application/json' } }],
    ['an empty form', { raw: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('a call with %s is accepted', async (_what, call) => {
    const site = await cloud.make.site({ ownerId: owner.id });
    expect((await authorize(site.id, owner.token, call)).status).toBe(200);
  });

  describe('access by caller', () => {
    const writers = ['owner', 'admin', 'session of the owner'] as const;
    const readers = [
      'member',
      'operator',
      'employee',
      'application',
      'token for one site',
      'token of the owner that only reads',
      'token of the owner for an organization that the site is shared with',
      'session of the owner at an organization that the site is shared with',
    ] as const;
    type Who = (typeof writers)[number] | (typeof readers)[number];

    async function sharedWith(siteId: number): Promise<number> {
      const organizationId = await cloud.make.organization();
      const share = { organization_id: organizationId, site_id: siteId, granted_by: owner.id };
      await cloud.db
        .insertInto('organization_sites')
        .values({ ...share, created_at: new Date(cloud.clock.now()) })
        .execute();
      return organizationId;
    }

    async function tokenOf(who: Who, siteId: number, organizationId: number): Promise<string> {
      const ofOwner = (options: Parameters<typeof cloud.make.token>[1]) =>
        cloud.make.token(owner.id, options);
      switch (who) {
        case 'owner':
          return owner.token;
        case 'session of the owner':
          return ofOwner({ kind: 'session', scopes: SESSION_SCOPES });
        case 'application':
          return ofOwner({ kind: 'oauth', scopes: ['openid', 'sites:read_single'], siteId });
        case 'token of the owner that only reads':
          return ofOwner({ scopes: ['sites:read_all'] });
        case 'token of the owner for an organization that the site is shared with':
          return ofOwner({ organizationId: await sharedWith(siteId) });
        case 'session of the owner at an organization that the site is shared with':
          return ofOwner({
            kind: 'session',
            scopes: SESSION_SCOPES,
            organizationId: await sharedWith(siteId),
          });
        case 'token for one site':
          return ofOwner({ scopes: ['sites:read_single'], siteId });
        default: {
          const user = await cloud.make.user({ staff: who === 'operator' });
          if (who === 'admin' || who === 'member') await cloud.make.member(siteId, user.id, who);
          if (who === 'employee') {
            await cloud.db
              .insertInto('organization_members')
              .values({ organization_id: organizationId, user_id: user.id, role: 'owner' })
              .execute();
          }
          return user.token;
        }
      }
    }

    it.each([
      ...writers.map((who) => [who, 'write'] as const),
      ...readers.map((who) => [who, 'read'] as const),
    ])(
      'the site token of the %s is for %s access, and write access and that of outsiders are recorded',
      async (who, expected) => {
        const organizationId = await cloud.make.organization();
        const site = await cloud.make.site({ ownerId: owner.id, organizationId });
        const { status, body } = await authorize(site.id, await tokenOf(who, site.id, organizationId));
        expect(status).toBe(200);
        expect((await claimsOf(body.token)).access).toBe(expected);
        const records = await cloud.db
          .selectFrom('audit_events')
          .select(['action', 'organization_id'])
          .where('site_id', '=', site.id)
          .execute();
        const record = (action: string) => ({ action, organization_id: organizationId });
        const isOutside = who === 'employee' || who === 'operator';
        expect(records).toEqual([
          ...(expected === 'write' ? [record('site.write_authorized')] : []),
          ...(isOutside ? [record('site.read_authorized')] : []),
        ]);
      },
    );
  });

  it.each([
    ['?roles=', 200],
    ['?roles=gardener', 200],
    ['?roles=ssh', 403],
    ['?roles=gardener,ssh', 403],
    ['?roles=ssh&roles=ssh', 400],
  ])('the query %s is answered %i', async (query, expected) => {
    const site = await cloud.make.site({ ownerId: owner.id });
    const call = (id: number) =>
      cloud.call(`POST /api/v1/sites/${id}/authorize${query}`, { token: owner.token });
    expect((await call(site.id)).status).toBe(expected);
    const hidden = await cloud.make.site();
    expect((await call(hidden.id)).status).toBe(expected === 400 ? 400 : 404);
  });

  it('the owner sees in the log of the site, once an hour, that an operator without a role reads it', async () => {
    const site = await cloud.make.site({ ownerId: owner.id });
    const operator = await cloud.make.user({ staff: true });
    const call = { name: 'site_status', arguments: { site_id: site.id } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const readAsAgent = () => cloud.call('POST /mcp', { token: operator.token, body });
    const readers = async () => {
      const route = `GET /api/v1/sites/${site.id}/audit`;
      const { body } = await cloud.call<AuditEntry[]>(route, { token: owner.token });
      return body.map(({ action, actor }) => [action, actor?.id]);
    };
    const read = ['site.read_authorized', operator.id];
    await authorize(site.id, operator.token);
    await authorize(site.id, operator.token);
    expect(await readers()).toEqual([read]);
    cloud.clock.advance(61 * 60_000);
    // The device does not answer, which is found after the access was recorded.
    await readAsAgent();
    await readAsAgent();
    expect(await readers()).toEqual([read, read]);
    await cloud.call(`GET /api/v1/sites/${site.id}/reachability`, { token: operator.token });
    await cloud.make.member(site.id, operator.id, 'member');
    cloud.clock.advance(61 * 60_000);
    await authorize(site.id, operator.token);
    expect(await readers()).toEqual([read, read]);
  });

  it("another account's site is answered 404", async () => {
    const site = await cloud.make.site();
    expect((await authorize(site.id)).status).toBe(404);
  });

  it('the host is the proxy that holds the device, or another once that one falls silent', async () => {
    const site = await cloud.make.site({ ownerId: owner.id });
    await cloud.announce('us-full-1', { sessions: [{ uid: site.uid, site_id: site.id }] });
    expect((await authorize(site.id)).body.host).toBe('us-full-1.example.org');
    cloud.clock.advance(21_000);
    await cloud.announce('us-htz-1');
    expect((await authorize(site.id)).body.host).toBe('us-htz-1.example.org');
    cloud.clock.advance(60_000);
    expect((await authorize(site.id)).body.host).toBe('us-htz-1.example.org');
  });
});
