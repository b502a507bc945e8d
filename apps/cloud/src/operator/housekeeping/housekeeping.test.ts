import { silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Schema } from '../../db/schema.ts';
import { Housekeeping } from './housekeeping.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let cloud: TestCloud;
let user: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  user = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const clean = () => new Housekeeping(cloud.db, cloud.clock, silentLogger).run();
const now = () => new Date(cloud.clock.now());

async function isKept(token: string, table: 'tokens' | 'one_time_tokens' = 'tokens'): Promise<boolean> {
  const row = await cloud.db
    .selectFrom(table)
    .select('hash')
    .where('hash', '=', tokenHash(token))
    .executeTakeFirst();
  return row !== undefined;
}

async function count(table: keyof Schema) {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(table)}`.execute(cloud.db);
  return rows[0]?.count;
}

describe('Housekeeping', () => {
  it('work that fails leaves other work to be done, and expired rows to be deleted', async () => {
    const token = await cloud.make.oneTimeToken('confirm', { userId: user.id, lifetimeMs: -2 * DAY_MS });
    const done: string[] = [];
    const fail = async () => {
      throw new Error('It cannot be done');
    };
    const chores = [fail, async () => done.push('second')];
    await new Housekeeping(cloud.db, cloud.clock, silentLogger, chores).run();
    expect([done, await isKept(token, 'one_time_tokens')]).toEqual([['second'], false]);
  });

  it('records of failed sign-ins are retained for 180 days, and others for ever', async () => {
    const event = { at: now(), via: 'api', user_id: user.id } as const;
    const add = (action: 'account.sign_in_failed' | 'account.locked_out' | 'account.signed_in') =>
      cloud.db
        .insertInto('audit_events')
        .values({ ...event, action })
        .execute();
    await Promise.all([add('account.sign_in_failed'), add('account.locked_out'), add('account.signed_in')]);
    const key = Buffer.alloc(32);
    await cloud.db.insertInto('sign_in_failures').values({ key, since: now(), audit_id: '1' }).execute();
    cloud.clock.advance(180 * DAY_MS);
    await clean();
    expect(await count('sign_in_failures')).toBe(0);
    // The cloud records what its own works do in half a year, such as new keys.
    const actions = async () =>
      (
        await cloud.db
          .selectFrom('audit_events')
          .select('action')
          .where('user_id', '=', user.id)
          .orderBy('action')
          .execute()
      ).map(({ action }) => action);
    expect(await actions()).toEqual(['account.locked_out', 'account.sign_in_failed', 'account.signed_in']);
    cloud.clock.advance(1);
    await clean();
    expect(await actions()).toEqual(['account.signed_in']);
  });

  it('mail links are retained until a day after their expiry', async () => {
    const token = await cloud.make.oneTimeToken('confirm', { userId: user.id, lifetimeMs: HOUR_MS });
    cloud.clock.advance(HOUR_MS + DAY_MS);
    await clean();
    expect(await isKept(token, 'one_time_tokens')).toBe(true);
    cloud.clock.advance(1);
    await clean();
    expect(await isKept(token, 'one_time_tokens')).toBe(false);
  });

  it('requests for another email address are deleted when they expire', async () => {
    const { id } = await cloud.make.user();
    const requested = [user.id, id].map((user_id, index) => ({
      user_id,
      email: 'another@example.org',
      expires_at: new Date(cloud.clock.now() + index),
    }));
    await cloud.db.insertInto('email_changes').values(requested).execute();
    cloud.clock.advance(1);
    await clean();
    const left = await cloud.db.selectFrom('email_changes').select('user_id').execute();
    expect(left).toEqual([{ user_id: id }]);
  });

  it('expired and revoked tokens are retained for 90 days, and valid ones for ever', async () => {
    const [expired, revoked, living, endless] = await Promise.all([
      cloud.make.token(user.id, { expiresAt: now() }),
      cloud.make.token(user.id, { revokedAt: now() }),
      cloud.make.token(user.id, { expiresAt: new Date(cloud.clock.now() + 91 * DAY_MS) }),
      cloud.make.token(user.id),
    ]);
    cloud.clock.advance(90 * DAY_MS);
    await clean();
    expect(await Promise.all([expired, revoked].map((token) => isKept(token)))).toEqual([true, true]);
    cloud.clock.advance(1);
    await clean();
    expect(await Promise.all([expired, revoked].map((token) => isKept(token)))).toEqual([false, false]);
    for (const token of [living, endless]) {
      expect((await cloud.call('GET /api/v1/user', { token })).status).toBe(200);
    }
  });

  it('known addresses are deleted after 180 days, and proofs of devices and bot checks when they expire', async () => {
    const days = [181, 179];
    await cloud.db
      .insertInto('known_addresses')
      .values(
        days.map((ago) => ({
          user_id: user.id,
          address: `203.0.113.${ago}`,
          seen_at: new Date(cloud.clock.now() - ago * DAY_MS),
        })),
      )
      .execute();
    await cloud.db
      .insertInto('device_proofs')
      .values(
        [-1, 1].map((ms) => ({ hash: Buffer.from([ms + 1]), expires_at: new Date(cloud.clock.now() + ms) })),
      )
      .execute();
    await cloud.db
      .insertInto('bot_check_solutions')
      .values(
        [-1, 1].map((ms) => ({
          challenge: Buffer.from([ms + 1]),
          expires_at: new Date(cloud.clock.now() + ms),
        })),
      )
      .execute();
    await clean();
    for (const table of ['known_addresses', 'device_proofs', 'bot_check_solutions'] as const) {
      expect([table, await count(table)]).toEqual([table, 1]);
    }
  });

  it('authorizations are deleted when they expire, and their grants 90 days later', async () => {
    const [grantId, newer] = [await cloud.make.grant(user.id), await cloud.make.grant(user.id)];
    const record = { model: 'AuthorizationCode', sealed: Buffer.of(), uid_hash: null, consumed_at: null };
    await cloud.db
      .insertInto('oauth_records')
      .values(
        [-1, 1].map((ms) => ({
          ...record,
          hash: Buffer.of(ms + 1),
          grant_id: grantId,
          expires_at: new Date(cloud.clock.now() + ms),
        })),
      )
      .execute();
    await clean();
    expect(await count('oauth_records')).toBe(1);
    await cloud.db
      .updateTable('oauth_grants')
      .set({ expires_at: new Date(cloud.clock.now() + DAY_MS + 1) })
      .where('id', '=', newer)
      .execute();
    cloud.clock.advance(91 * DAY_MS + 1);
    await clean();
    expect(await cloud.db.selectFrom('oauth_grants').select('id').execute()).toEqual([{ id: newer }]);
  });

  it('agents unused for 90 days, or never used within a day, are deleted, and no application is', async () => {
    const agent = () => cloud.make.application(null, { kind: 'agent' });
    const used = await agent();
    await agent();
    const application = await cloud.make.application(await cloud.make.organization());
    const left = async () => {
      await clean();
      const rows = await cloud.db.selectFrom('oauth_clients').select('client_id').execute();
      return new Set(rows.map(({ client_id }) => client_id));
    };
    const use = (id: string) =>
      cloud.db
        .updateTable('oauth_clients')
        .set({ last_used_at: now() })
        .where('client_id', '=', id)
        .execute();
    await use(used);
    cloud.clock.advance(DAY_MS);
    const young = await agent();
    cloud.clock.advance(1);
    expect(await left()).toEqual(new Set([used, young, application]));
    cloud.clock.advance(89 * DAY_MS - 1);
    await use(young);
    expect(await left()).toEqual(new Set([used, young, application]));
    cloud.clock.advance(1);
    expect(await left()).toEqual(new Set([young, application]));
  });

  it('revocations and sources of site tokens are retained for the lifetime of a site token', async () => {
    const { id } = await cloud.make.site();
    const row = { site_id: id, user_id: user.id };
    await cloud.db
      .insertInto('site_token_revocations')
      .values({ ...row, subject: 'token:1', revoked_at: now() })
      .execute();
    await cloud.db
      .insertInto('site_token_sources')
      .values({ ...row, source: 'token:1', access: 'read', issued_at: now(), issued_unnamed_at: null })
      .execute();
    const tables = ['site_token_revocations', 'site_revocations', 'site_token_sources'] as const;
    const counts = () => Promise.all(tables.map(count));
    cloud.clock.advance(7 * DAY_MS);
    await clean();
    expect(await counts()).toEqual([1, 1, 1]);
    cloud.clock.advance(1);
    await clean();
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('the newest thousand mails of a development system are retained', async () => {
    await sql`insert into mailbox_messages (sent_at, recipient, subject, text, html)
      select now(), 'ada@example.org', i::text, '', '' from generate_series(1, 1003) as i`.execute(cloud.db);
    await clean();
    expect(await count('mailbox_messages')).toBe(1000);
    const oldest = await cloud.db
      .selectFrom('mailbox_messages')
      .select('subject')
      .orderBy('id')
      .executeTakeFirst();
    expect(oldest?.subject).toBe('4');
  });

  it('empties more than a batch in one run, and keeps counters that still count', async () => {
    await sql`insert into rate_limits (key, points, expire)
      select 'old' || i, 1, extract(epoch from now()) * 1000 - 1 from generate_series(1, 2500) as i
      union all select 'live', 1, extract(epoch from now()) * 1000 + 600000
      union all select 'endless', 1, null`.execute(cloud.db);
    await clean();
    const left = await sql<{ key: string }>`select key from rate_limits where key ~ '^(old|live|endless)'
      order by key`.execute(cloud.db);
    expect(left.rows.map(({ key }) => key)).toEqual(['endless', 'live']);
  });
});

describe('Housekeeping in several processes', () => {
  it('a run waits neither for another process nor for a request that is writing', async () => {
    const [busy, idle] = [
      await cloud.make.oneTimeToken('reset', { userId: user.id, lifetimeMs: 0 }),
      await cloud.make.oneTimeToken('reset', { userId: user.id, lifetimeMs: 0 }),
    ];
    cloud.clock.advance(2 * DAY_MS);
    await cloud.db.transaction().execute(async (tx) => {
      await tx
        .updateTable('one_time_tokens')
        .set({ spent_at: now() })
        .where('hash', '=', tokenHash(busy))
        .execute();
      await clean();
      expect(await isKept(idle, 'one_time_tokens')).toBe(false);
    });
    expect(await isKept(busy, 'one_time_tokens')).toBe(true);
    await Promise.all([clean(), clean(), clean()]);
    expect(await isKept(busy, 'one_time_tokens')).toBe(false);
  });

  it('leave the work to the one that is at it', async () => {
    const token = await cloud.make.oneTimeToken('reset', { userId: user.id, lifetimeMs: 0 });
    cloud.clock.advance(2 * DAY_MS);
    await cloud.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(4871204)`.execute(tx);
      await clean();
      expect(await isKept(token, 'one_time_tokens')).toBe(true);
    });
    await clean();
    expect(await isKept(token, 'one_time_tokens')).toBe(false);
  });
});
