import type { Connection, SiteConnections } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import type { Database } from '../../db/open.ts';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 30_000;

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let owner: TestUser;
let organizationId: number;
let siteId: number;
let siteName: string | null;
beforeAll(async () => {
  cloud = await startTestCloud();
  organizationId = await cloud.make.organization();
});
beforeEach(async () => {
  await cloud.announce('us-1');
  owner = await cloud.make.user();
  ({ id: siteId, name: siteName } = await cloud.make.site({ ownerId: owner.id }));
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** A grant for the site with its access token. */
async function consent(user = owner) {
  const clientId = await cloud.make.application(organizationId);
  const id = await cloud.make.grant(user.id, { clientId, organizationId, siteId });
  const token = await cloud.make.token(user.id, {
    kind: 'oauth',
    scopes: ['openid', 'sites:read_single'],
    siteId,
    applicationOrganizationId: organizationId,
    grantId: id,
    expiresAt: new Date(cloud.clock.now() + DAY_MS),
  });
  return { id, clientId, token };
}

const at = (ms = 0) => new Date(cloud.clock.now() + ms).toISOString();

const list = async (user = owner) =>
  (await cloud.call<Connection[]>('GET /api/v1/user/connections', { token: user.token })).body;

const listOfSite = (user = owner) =>
  cloud.call<SiteConnections>(`GET /api/v1/sites/${siteId}/connections`, { token: user.token });

const end = async (id: string, user = owner) =>
  (await cloud.call(`DELETE /api/v1/user/connections/${id}`, { token: user.token })).status;

const endOfSite = async (id: string, user = owner) =>
  (await cloud.call(`DELETE /api/v1/sites/${siteId}/connections/${id}`, { token: user.token })).status;

const authorize = (token: string) => cloud.call(`POST /api/v1/sites/${siteId}/authorize`, { token });

/** The revocations of the site in the answer to an announcement. */
async function revocations(): Promise<unknown[]> {
  const { body } = await cloud.announce('us-1');
  const all = body.revocations as { readonly site_id: number }[];
  return all.filter(({ site_id }) => site_id === siteId);
}

describe('the connections of a user', () => {
  it('a connection is listed with application, organization and site, that of an agent without', async () => {
    const { id, clientId } = await consent();
    cloud.clock.advance(1000);
    const agent = await cloud.make.grant(owner.id);
    const expiresAt = new Date(cloud.clock.now() + DAY_MS);
    await cloud.make.token(owner.id, { kind: 'mcp', grantId: agent, expiresAt });
    await consent(await cloud.make.user());
    expect(await list()).toEqual([
      {
        id: agent,
        application: { name: expect.any(String), kind: 'agent', client_id: null },
        organization: null,
        site: null,
        scopes: ['openid', 'sites:read_all'],
        created_at: at(),
        expires_at: at(DAY_MS),
        last_used_at: null,
        last_used_address: null,
      },
      {
        id,
        application: { name: expect.any(String), kind: 'application', client_id: clientId },
        organization: { id: organizationId, name: expect.any(String) },
        site: { id: siteId, name: siteName },
        scopes: ['openid', 'sites:read_single'],
        created_at: at(-1000),
        expires_at: at(DAY_MS - 1000),
        last_used_at: null,
        last_used_address: null,
      },
    ]);
  });

  it('a connection is listed while one of its tokens is valid', async () => {
    const [idle, reading] = [await consent(), await consent()];
    cloud.clock.advance(DAY_MS - 1);
    expect((await authorize(reading.token)).status).toBe(200);
    cloud.clock.advance(1);
    expect(await list()).toMatchObject([{ id: reading.id, expires_at: at(7 * DAY_MS - 1) }]);
    expect(await end(idle.id)).toBe(404);
    cloud.clock.advance(7 * DAY_MS - 2);
    expect(await list()).toHaveLength(1);
    cloud.clock.advance(1);
    expect(await list()).toEqual([]);
    expect(await end(reading.id)).toBe(404);
  });

  it('a connection is not listed after its access token expired, though the grant has not', async () => {
    const { id } = await consent();
    const expires_at = new Date(cloud.clock.now() + DAY_MS + DAY_MS / 24);
    await cloud.db.updateTable('oauth_grants').set({ expires_at }).where('id', '=', id).execute();
    expect(await list()).toMatchObject([{ id, expires_at: at(DAY_MS) }]);
    cloud.clock.advance(DAY_MS);
    expect(await list()).toEqual([]);
  });

  it('a connection has the time and address of the last call', async () => {
    const { id, token } = await consent();
    await cloud.call('GET /api/v1/sites', { token, from: '198.51.100.20' });
    await vi.waitFor(
      async () =>
        expect(await list()).toMatchObject([{ id, last_used_at: at(), last_used_address: '198.51.100.20' }]),
      PATIENCE_MS,
    );
  });

  it('the name of a site that the user lost is not shown', async () => {
    const member = await cloud.make.user();
    await cloud.make.member(siteId, member.id, 'member');
    await consent(member);
    expect(await list(member)).toMatchObject([{ site: { id: siteId, name: siteName } }]);
    await cloud.call(`DELETE /api/v1/sites/${siteId}/users/${member.id}`, { token: owner.token });
    expect(await list(member)).toMatchObject([{ site: { id: siteId, name: null } }]);
  });

  it('revoking a connection revokes its access token, codes and site tokens', async () => {
    const [{ id, clientId, token }, other] = [await consent(), await consent()];
    await cloud.db
      .insertInto('oauth_records')
      .values({
        model: 'AuthorizationCode',
        hash: Buffer.from(id),
        sealed: Buffer.from('sealed'),
        uid_hash: null,
        grant_id: id,
        consumed_at: null,
        expires_at: new Date(cloud.clock.now() + 60_000),
      })
      .execute();
    expect((await authorize(token)).status).toBe(200);
    expect((await authorize(token)).status).toBe(200);
    expect(await revocations()).toEqual([]);

    expect(await end(id, await cloud.make.user())).toBe(404);
    expect(await end(id)).toBe(204);
    expect((await authorize(token)).status).toBe(401);
    expect(await revocations()).toEqual([
      { site_id: siteId, subject: `grant:${id}`, user_id: owner.id, revoked_at: at(1) },
    ]);
    const codes = await cloud.db
      .selectFrom('oauth_records')
      .select('model')
      .where('grant_id', '=', id)
      .execute();
    expect(codes).toEqual([]);
    expect(await end(id)).toBe(404);
    expect(await list()).toMatchObject([{ id: other.id }]);
    expect((await authorize(other.token)).status).toBe(200);
    const event = await cloud.db
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'grant.ended')
      .where('site_id', '=', siteId)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({ actor_id: owner.id, user_id: owner.id, organization_id: organizationId });
    expect(event.details).toMatchObject({ client_id: clientId });
  });

  it('revoking a connection without site tokens adds no revocation for the proxies', async () => {
    const { id } = await consent();
    await end(id);
    expect(await revocations()).toEqual([]);
  });
});

describe('the connections of a site', () => {
  it('owner and admins list and revoke the connections of a site', async () => {
    const [admin, member] = [await cloud.make.user(), await cloud.make.user()];
    await cloud.make.member(siteId, admin.id, 'admin');
    await cloud.make.member(siteId, member.id, 'member');
    const { token } = await consent();
    await cloud.call('POST /api/v1/organization_sites', { token, body: { site_id: siteId } });
    cloud.clock.advance(1000);
    const { id, clientId } = await consent(member);
    await cloud.make.grant(owner.id);

    const { body } = await listOfSite(admin);
    expect(body.organizations).toEqual([
      {
        organization: { id: organizationId, name: expect.any(String) },
        shared_by: { id: owner.id, email: owner.email, first_name: 'Ada', last_name: 'Example' },
        created_at: at(-1000),
      },
    ]);
    expect(body.connections).toHaveLength(2);
    expect(body.connections[0]).toEqual({
      id,
      application: { name: expect.any(String), kind: 'application', client_id: clientId },
      organization: { id: organizationId, name: expect.any(String) },
      user: { id: member.id, email: member.email, first_name: 'Ada', last_name: 'Example' },
      scopes: ['openid', 'sites:read_single'],
      created_at: at(),
      expires_at: at(DAY_MS),
      last_used_at: null,
      last_used_address: null,
    });
    expect((await listOfSite(member)).status).toBe(403);
    expect(await endOfSite(id, member)).toBe(403);
    expect(await endOfSite(id, admin)).toBe(204);
    expect((await listOfSite()).body.connections).toHaveLength(1);
    expect(await list(member)).toEqual([]);
  });

  it('a connection of another site is answered 404', async () => {
    const { id } = await consent();
    const elsewhere = await cloud.make.site({ ownerId: owner.id });
    siteId = elsewhere.id;
    expect(await endOfSite(id)).toBe(404);
    expect(await list()).toHaveLength(1);
  });
});

describe('a site token requested during the revocation of its grant', () => {
  /** @returns the status of the first call, which waits for a lock in its transaction, and of the second */
  async function interleaved(
    hold: (tx: Database) => Promise<unknown>,
    first: () => Promise<number>,
    second: () => Promise<number>,
  ): Promise<[number, number]> {
    const tx = await cloud.db.startTransaction().execute();
    await hold(tx);
    const begun = first();
    await expect.poll(() => cloud.waitingForLocks()).toBe(1);
    const next = second();
    await expect.poll(() => cloud.waitingForLocks()).toBe(2);
    await tx.commit().execute();
    return [await begun, await next];
  }

  it('a site token issued before the revocation commits is revoked', async () => {
    const { id, token } = await consent();
    await authorize(token);
    const statuses = await interleaved(
      (tx) =>
        tx
          .selectFrom('site_token_sources')
          .select('access')
          .where('site_id', '=', siteId)
          .forUpdate()
          .execute(),
      async () => (await authorize(token)).status,
      () => end(id),
    );
    expect(statuses).toEqual([200, 204]);
    expect(await revocations()).toHaveLength(1);
  });

  it('a site token requested after the revocation commits is refused', async () => {
    const { id, token } = await consent();
    const statuses = await interleaved(
      (tx) => tx.selectFrom('tokens').select('id').where('grant_id', '=', id).forUpdate().execute(),
      () => end(id),
      async () => (await authorize(token)).status,
    );
    expect(statuses).toEqual([204, 401]);
  });
});
