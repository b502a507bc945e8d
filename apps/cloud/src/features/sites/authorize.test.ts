import { siteKeyDigest } from '@heliograph/wire';
import { compactVerify, createRemoteJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

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

it('cannot say where a site is while no proxy has ever been seen', async () => {
  const site = await cloud.make.site({ ownerId: owner.id });
  const { status, headers } = await authorize(site.id);
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

describe('authorizing', () => {
  beforeAll(() => cloud.announce('us-htz-1'));

  it('answers with a host, a key, and a token for that key', async () => {
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

  it('leaves out what an unnamed site does not have', async () => {
    const site = await cloud.make.site({ ownerId: owner.id, name: null });
    const { body } = await authorize(site.id);
    expect(Object.keys(body).toSorted()).toEqual(['host', 'site_id', 'site_key', 'token']);
  });

  it('gives each site a key of its own, the same each time', async () => {
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
  ])('takes %s', async (_what, call) => {
    const site = await cloud.make.site({ ownerId: owner.id });
    expect((await authorize(site.id, owner.token, call)).status).toBe(200);
  });

  it.each(['owner', 'admin', 'member', 'operator', 'third party of the owner'] as const)(
    'as %s',
    async (who) => {
      const site = await cloud.make.site({ ownerId: owner.id });
      const user = who === 'owner' ? owner : await cloud.make.user({ staff: who === 'operator' });
      if (who === 'admin' || who === 'member') await cloud.make.member(site.id, user.id, who);
      const token =
        who === 'third party of the owner'
          ? await cloud.make.token(owner.id, { scopes: ['openid', 'sites:read_single'], siteId: site.id })
          : user.token;
      const { status, body } = await authorize(site.id, token);
      expect(status).toBe(200);
      const { access } = await claimsOf(body.token);
      expect(access).toBe(who === 'owner' || who === 'admin' ? 'write' : 'read');
    },
  );

  it("does not know another account's site", async () => {
    const site = await cloud.make.site();
    expect((await authorize(site.id)).status).toBe(404);
  });

  it('names the proxy that holds the device, and another when that one falls silent', async () => {
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
