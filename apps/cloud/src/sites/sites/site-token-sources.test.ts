import { SESSION_SCOPES, type SiteRevocation } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import type { Database } from '../../db/open.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestCloud;
let owner: TestUser;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.announce('us-1');
});
beforeEach(async () => {
  cloud.clock.advance(8 * DAY_MS);
  await cloud.announce('us-1');
  owner = await cloud.make.user();
  ({ id: siteId } = await cloud.make.site({ ownerId: owner.id }));
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const authorize = (token: string, id = siteId) => cloud.call(`POST /api/v1/sites/${id}/authorize`, { token });

/** The claims of a new site token for the caller. */
async function claimsWith(token: string, id = siteId): Promise<Record<string, unknown>> {
  const { status, body } = await authorize(token, id);
  expect(status).toBe(200);
  return JSON.parse(Buffer.from(String(body.token).split('.')[1] ?? '', 'base64url').toString());
}

const sourceWith = async (token: string, id = siteId) => String((await claimsWith(token, id)).src);

const signIn = async (user: TestUser) =>
  String(
    (
      await cloud.call('POST /api/v1/sign_in', {
        body: { email: user.email, password: PASSWORD, organization_id: 'none' },
      })
    ).body.token,
  );

/** The revocations of this test's sites in the answer to an announcement. */
async function revoked(): Promise<readonly string[]> {
  const { body } = await cloud.announce('us-1');
  const ofTest = (body.revocations as SiteRevocation[]).filter(({ site_id }) => site_id >= siteId);
  return ofTest.map(({ site_id, subject }) => `${site_id} ${subject}`);
}

const idOf = (source: string) => source.replace('token:', '');
const asSession = (path: string, token: string) => cloud.call(path, { token });

describe('the source of a site token', () => {
  it('a site token names its session, API token or grant', async () => {
    const session = await signIn(owner);
    const [listed] = (await cloud.call<{ id: number }[]>('GET /api/v1/user/sessions', { token: session }))
      .body;
    expect(await claimsWith(session)).toMatchObject({ src: `token:${listed?.id}`, configure: true });

    const grantId = await cloud.make.grant(owner.id, { siteId });
    const scopes = ['openid', 'sites:read_single'] as const;
    const token = await cloud.make.token(owner.id, { kind: 'oauth', scopes, siteId, grantId });
    const claims = await claimsWith(token);
    expect(claims).toMatchObject({ src: `grant:${grantId}`, access: 'read' });
    expect(claims).not.toHaveProperty('configure');
  });

  it('revoking an API token ends its site tokens for every site, and no others', async () => {
    const { id: other } = await cloud.make.site({ ownerId: owner.id });
    const session = await signIn(owner);
    await sourceWith(session);
    await sourceWith(owner.token, other);
    const [token, kept] = [await cloud.make.token(owner.id), await cloud.make.token(owner.id)];
    const source = await sourceWith(token);
    expect(await sourceWith(token, other)).toBe(source);
    await sourceWith(kept);
    expect(await revoked()).toEqual([]);

    expect((await asSession(`DELETE /api/v1/user/tokens/${idOf(source)}`, session)).status).toBe(204);
    expect(new Set(await revoked())).toEqual(new Set([`${siteId} ${source}`, `${other} ${source}`]));
    expect((await authorize(token)).status).toBe(401);
  });

  it('revoking an expired API token ends its site tokens', async () => {
    const session = await signIn(owner);
    const created = await cloud.call('POST /api/v1/user/tokens', {
      token: session,
      body: {
        name: 'a day',
        scopes: ['sites:read_all'],
        expires_at: new Date(cloud.clock.now() + DAY_MS).toISOString(),
      },
    });
    const source = await sourceWith(String(created.body.token));
    cloud.clock.advance(2 * DAY_MS);
    expect((await authorize(String(created.body.token))).status).toBe(401);
    expect((await asSession(`DELETE /api/v1/user/tokens/${idOf(source)}`, session)).status).toBe(204);
    expect(await revoked()).toEqual([`${siteId} ${source}`]);
  });

  it('signing out or revoking a session ends its site tokens', async () => {
    const [phone, laptop] = [await signIn(owner), await signIn(owner)];
    const [ofPhone, ofLaptop] = [await sourceWith(phone), await sourceWith(laptop)];
    expect((await asSession(`DELETE /api/v1/user/sessions/${idOf(ofPhone)}`, laptop)).status).toBe(204);
    expect(await revoked()).toEqual([`${siteId} ${ofPhone}`]);
    expect((await asSession('DELETE /api/v1/session', laptop)).status).toBe(204);
    expect(new Set(await revoked())).toEqual(new Set([`${siteId} ${ofPhone}`, `${siteId} ${ofLaptop}`]));
  });

  it('a new password ends site tokens of sessions, and none of API tokens', async () => {
    const session = await signIn(owner);
    const source = await sourceWith(session);
    await sourceWith(owner.token);
    const link = await cloud.make.oneTimeToken('reset', { userId: owner.id });
    const { status } = await cloud.call(`PUT /api/v1/password/reset/${link}`, {
      body: { password: 'Purple-canoe-92', organization_id: 'none' },
    });
    expect(status).toBe(200);
    expect(await revoked()).toEqual([`${siteId} ${source}`]);
  });

  it('a revocation is listed while a site token of that source can be valid', async () => {
    const token = await cloud.make.token(owner.id);
    const source = await sourceWith(token);
    cloud.clock.advance(7 * DAY_MS);
    const session = await signIn(owner);
    expect((await asSession(`DELETE /api/v1/user/tokens/${idOf(source)}`, session)).status).toBe(204);
    expect(await revoked()).toEqual([]);
  });
});

describe('a site token requested during the revocation of its API token', () => {
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

  const holdRow = (tx: Database) =>
    tx.selectFrom('site_token_sources').select('access').where('site_id', '=', siteId).forUpdate().execute();

  it('a site token issued before the revocation commits is revoked', async () => {
    const token = await cloud.make.token(owner.id);
    const source = await sourceWith(token);
    const session = await signIn(owner);
    const statuses = await interleaved(
      holdRow,
      async () => (await authorize(token)).status,
      async () => (await asSession(`DELETE /api/v1/user/tokens/${idOf(source)}`, session)).status,
    );
    expect(statuses).toEqual([200, 204]);
    expect(await revoked()).toEqual([`${siteId} ${source}`]);
  });

  it('a site token requested after the revocation commits is refused', async () => {
    const token = await cloud.make.token(owner.id);
    const source = await sourceWith(token);
    const session = await signIn(owner);
    const statuses = await interleaved(
      async (tx) => {
        await sql`insert into site_token_revocations values (${siteId}, ${source}, ${owner.id}, now())`.execute(
          tx,
        );
      },
      async () => (await asSession(`DELETE /api/v1/user/tokens/${idOf(source)}`, session)).status,
      async () => (await authorize(token)).status,
    );
    expect(statuses).toEqual([204, 401]);
  });
});

it('an operator whose staff flag is being removed gets no later site token', async () => {
  const operator = await cloud.make.user({ staff: true });
  const tx = await cloud.db.startTransaction().execute();
  await tx.updateTable('users').set({ staff: false }).where('id', '=', operator.id).execute();
  const authorizing = authorize(operator.token);
  await expect.poll(() => cloud.waitingForLocks()).toBe(1);
  await tx.commit().execute();
  expect((await authorizing).status).toBe(404);
});

describe('the audit record of write access', () => {
  const records = async () => {
    const { rows } = await sql`select from audit_events
      where action = 'site.write_authorized' and site_id = ${siteId}`.execute(cloud.db);
    return rows.length;
  };

  const sessionOf = (userId: number) => cloud.make.token(userId, { kind: 'session', scopes: SESSION_SCOPES });

  it('write access is recorded once for each session and site under concurrent calls', async () => {
    const session = await sessionOf(owner.id);
    await Promise.all(Array.from({ length: 6 }, () => authorize(session)));
    await authorize(session);
    expect(await records()).toBe(1);
  });

  it('sessions of one person are recorded once a day, another person and an API token beside them', async () => {
    await authorize(await sessionOf(owner.id));
    await authorize(await sessionOf(owner.id));
    expect(await records()).toBe(1);
    const admin = await cloud.make.user();
    await cloud.make.member(siteId, admin.id, 'admin');
    await authorize(await sessionOf(admin.id));
    expect(await records()).toBe(2);
    await authorize(owner.token);
    expect(await records()).toBe(3);
    cloud.clock.advance(25 * 60 * 60_000);
    await authorize(await sessionOf(owner.id));
    expect(await records()).toBe(4);
  });

  it('write access is recorded again after the access of the same token grew', async () => {
    const admin = await cloud.make.user();
    await cloud.make.member(siteId, admin.id, 'member');
    await authorize(admin.token);
    expect(await records()).toBe(0);
    await cloud.call(`PATCH /api/v1/sites/${siteId}/users/${admin.id}`, {
      token: owner.token,
      body: { role: 'admin' },
    });
    await authorize(admin.token);
    await authorize(admin.token);
    expect(await records()).toBe(1);
  });
});

describe('a process of the previous release beside this one', () => {
  it('revocations and third-party site tokens of both releases are known to both', async () => {
    const grantId = await cloud.make.grant(owner.id, { siteId });
    const at = new Date(cloud.clock.now());
    await sql`insert into oauth_site_tokens values (${grantId}, ${siteId}, ${at})`.execute(cloud.db);
    const { id: lost } = await cloud.make.site();
    await sql`insert into site_revocations values (${lost}, ${owner.id}, ${at})
      on conflict (site_id, user_id) do update set revoked_at = excluded.revoked_at`.execute(cloud.db);
    expect(await revoked()).toContain(`${lost} user:${owner.id}`);

    // Site tokens of the previous release name no owner.
    expect((await asSession(`DELETE /api/v1/user/connections/${grantId}`, owner.token)).status).toBe(204);
    const subjects = [`${lost} user:${owner.id}`, `${siteId} grant:${grantId}`, `${siteId} user:${owner.id}`];
    expect(await revoked()).toEqual(expect.arrayContaining(subjects));
    const { rows } = await sql`select from site_revocations where site_id = ${siteId}`.execute(cloud.db);
    expect(rows).toHaveLength(1);
  });
});
