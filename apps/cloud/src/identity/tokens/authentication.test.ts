import { SESSION_SCOPES } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { type Database, openDatabase } from '../../db/open.ts';
import { authenticate, authenticateSession, isLongInvalid } from './authentication.ts';
import { LastUsed, storeUses } from './last-used.ts';
import { ownerOfApiToken } from './own-tokens.ts';
import { lockTokenOf, markAuthenticated, newSession, revokeSessions } from './session-tokens.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CLIENT = { address: '203.0.113.5', network: '203.0.113.5' };
const REFUSAL = { status: 401, message: 'The token is invalid or has expired' };

let cloud: TestCloud;
let platform: Parameters<typeof authenticate>[0];
beforeAll(async () => {
  cloud = await startTestCloud();
  platform = platformOn(cloud.db);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const platformOn = (db: Database) => ({
  db,
  clock: cloud.clock,
  lastUsed: new LastUsed((uses, at) => storeUses(db, uses, at), cloud.clock, silentLogger),
});

const ago = (ms: number) => new Date(cloud.clock.now() - ms);

it('a session lasts thirty days from the sign-in', async () => {
  const { email } = await cloud.make.user();
  const body = { email, password: PASSWORD, organization_id: 'none' };
  const session = (await cloud.call('POST /api/v1/sign_in', { body })).body;
  expect(session.expires_at).toBe(new Date(cloud.clock.now() + 30 * DAY_MS).toISOString());
  expect(newSession(cloud.clock)).toMatchObject({ scopes: SESSION_SCOPES, createdAt: ago(0) });
});

it('a session is known by its token, which nothing else can take the place of', async () => {
  const { id: userId, token } = await cloud.make.user();
  const session = await cloud.make.token(userId, { kind: 'session' });
  expect(await authenticateSession(platform, session, CLIENT)).toMatchObject({
    userId,
    kind: 'session',
    ...CLIENT,
  });
  expect(await authenticateSession(platform, token, CLIENT)).toBeUndefined();
  const ended = await cloud.make.token(userId, { kind: 'session', revokedAt: ago(1) });
  expect(await authenticateSession(platform, ended, CLIENT)).toBeUndefined();
});

it('a session that cannot be looked up is not taken for an ended one', async () => {
  const { db, close } = openDatabase('postgres://nobody@127.0.0.1:1/none', () => undefined);
  await expect(authenticateSession(platformOn(db), 'hgs_any', CLIENT)).rejects.toThrow();
  await close();
});

it.each([
  ['that is live', false, {}],
  ['that was revoked a minute ago less a millisecond', false, { revokedMsAgo: 59_999 }],
  ['that was revoked a minute ago', true, { revokedMsAgo: 60_000 }],
  ['that expires now', true, { expiredMsAgo: 0 }],
  ['that expires in a millisecond', false, { expiredMsAgo: -1 }],
])('a token %s is long invalid: %s', async (_state, expected, life) => {
  const { revokedMsAgo, expiredMsAgo } = { revokedMsAgo: null, expiredMsAgo: null, ...life };
  const token = await cloud.make.token((await cloud.make.user()).id, {
    kind: 'session',
    revokedAt: revokedMsAgo === null ? null : ago(revokedMsAgo),
    expiresAt: expiredMsAgo === null ? null : ago(expiredMsAgo),
  });
  expect(await isLongInvalid(platform, token)).toBe(expected);
});

it('a token that never was is long invalid', async () => {
  expect(await isLongInvalid(platform, 'hgs_unknown')).toBe(true);
});

describe('a session that ends while a request with it runs', () => {
  it('the session can be locked and marked as authenticated until it ends, and not afterwards', async () => {
    const { id } = await cloud.make.user();
    const caller = await authenticate(platform, await cloud.make.token(id, { kind: 'session' }), CLIENT);
    const lock = () => cloud.db.transaction().execute((tx) => lockTokenOf(tx, caller, cloud.clock));
    cloud.clock.advance(1);
    await lock();
    expect(await markAuthenticated(cloud.db, caller, cloud.clock)).toEqual(ago(0));
    const { authenticated_at } = await cloud.db
      .selectFrom('tokens')
      .select('authenticated_at')
      .where('id', '=', caller.tokenId)
      .executeTakeFirstOrThrow();
    expect(authenticated_at).toEqual(ago(0));
    await revokeSessions(cloud.db, id, cloud.clock);
    await expect(lock()).rejects.toMatchObject(REFUSAL);
    await expect(markAuthenticated(cloud.db, caller, cloud.clock)).rejects.toMatchObject(REFUSAL);
  });

  it('no API token is made once the session has ended', async () => {
    const { id } = await cloud.make.user();
    const session = await cloud.make.token(id, { kind: 'session' });
    const creation = await cloud.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute();
      const body = { name: 'Grafana', scopes: ['sites:read_all'] };
      const answer = cloud.call('POST /api/v1/user/tokens', { token: session, body });
      await expect.poll(() => cloud.waitingForLocks()).toBe(1);
      await revokeSessions(tx, id, cloud.clock);
      // Not awaited here: the request waits for this transaction.
      return { answer };
    });
    expect(await creation.answer).toMatchObject({ status: 401, body: { error: REFUSAL.message } });
  });
});

it('the end of all sessions of an account spares its API tokens and the sessions of others', async () => {
  const [ada, eve] = [await cloud.make.user(), await cloud.make.user()];
  const [ours, theirs] = [
    await cloud.make.token(ada.id, { kind: 'session' }),
    await cloud.make.token(eve.id, { kind: 'session' }),
  ];
  await revokeSessions(cloud.db, ada.id, cloud.clock);
  const statuses = [];
  for (const token of [ours, ada.token, theirs])
    statuses.push((await cloud.call('GET /api/v1/user', { token })).status);
  expect(statuses).toEqual([401, 200, 200]);
});

it('operators find the owner of an API token until it is revoked', async () => {
  const { id: userId } = await cloud.make.user();
  const { id } = await cloud.db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(await ownerOfApiToken(cloud, id)).toBe(userId);
  await cloud.db
    .updateTable('tokens')
    .set({ revoked_at: ago(0) })
    .where('id', '=', id)
    .execute();
  expect(await ownerOfApiToken(cloud, id)).toBeUndefined();
});

it.each([
  ['of no organization', 401],
  ['of the employer', 401],
  ['of another organization', 200],
] as const)(
  'a session %s without a second factor gets the status %d where the employer requires one',
  async (of, status) => {
    const employer = await cloud.make.organization();
    const { id } = await cloud.make.employee(employer);
    await cloud.db
      .updateTable('organizations')
      .set({ requires_second_factor: true })
      .where('id', '=', employer)
      .execute();
    const other = of === 'of the employer' ? employer : await cloud.make.organization();
    const session = await cloud.make.token(id, {
      kind: 'session',
      organizationId: of === 'of no organization' ? null : other,
    });
    expect((await cloud.call('GET /api/v1/user', { token: session })).status).toBe(status);
  },
);
