import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { LastUsed, type TokenUse } from './last-used.ts';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 30_000;

let cloud: TestCloud;
let ada: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  ada = await cloud.make.user();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const use = async (token: string) => (await cloud.call('GET /api/v1/user', { token })).status;

async function lastUsedMs(token: string): Promise<number | undefined> {
  const row = await cloud.db
    .selectFrom('tokens')
    .select('last_used_at')
    .where('hash', '=', tokenHash(token))
    .executeTakeFirstOrThrow();
  return row.last_used_at?.getTime();
}

/** Uses a token until what was noted before has been overtaken: notes are written behind the answers. */
const isNotedNow = (token: string) =>
  vi.waitFor(async () => {
    expect(await use(token)).toBe(200);
    expect(await lastUsedMs(token)).toBe(cloud.clock.now());
  }, 10_000);

it('the last use of a token is stored to within five minutes', async () => {
  const token = await cloud.make.token(ada.id);
  expect(await lastUsedMs(token)).toBeUndefined();
  await isNotedNow(token);
  const first = cloud.clock.now();
  cloud.clock.advance(5 * 60_000);
  const other = await cloud.make.token(ada.id);
  await use(token);
  // Written after whatever the use before it would have written.
  await isNotedNow(other);
  expect(await lastUsedMs(token)).toBe(first);
  cloud.clock.advance(1);
  await isNotedNow(token);
});

it('a request does not wait for a lock on its token', async () => {
  const token = await cloud.make.token(ada.id);
  await cloud.db.transaction().execute(async (tx) => {
    await tx.selectFrom('tokens').select('id').where('hash', '=', tokenHash(token)).forUpdate().execute();
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(token)));
    expect(new Set(answers)).toEqual(new Set([200]));
  });
  await isNotedNow(token);
});

it('a request succeeds when its use cannot be stored', async () => {
  const token = await cloud.make.token(ada.id);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
    cloud.db,
  );
  await sql`create trigger refuse before update on tokens for each row execute function refuse()`.execute(
    cloud.db,
  );
  for (let i = 0; i < 5; i++) expect(await use(token)).toBe(200);
  expect(await lastUsedMs(token)).toBeUndefined();
  await sql`drop trigger refuse on tokens`.execute(cloud.db);
  await isNotedNow(token);
});

it('tokens and sessions are listed with their last use and its address', async () => {
  const session = await cloud.make.token(ada.id, { kind: 'session' });
  const from = '203.0.113.77';
  await cloud.call('GET /api/v1/user', { token: session, from });
  const used = { last_used_at: new Date(cloud.clock.now()).toISOString(), last_used_address: from };
  await vi.waitFor(async () => {
    const { body } = await cloud.call('GET /api/v1/user/sessions', { token: session, from });
    expect(body).toContainEqual(expect.objectContaining({ current: true, ...used }));
  }, PATIENCE_MS);
  const body = { name: 'Grafana', scopes: ['sites:read_all'] };
  const made = await cloud.call('POST /api/v1/user/tokens', { token: session, body, from });
  await cloud.call('GET /api/v1/sites', { token: String(made.body.token), from: '2001:db8::7' });
  await vi.waitFor(async () => {
    const listed = await cloud.call('GET /api/v1/user/tokens', { token: session, from });
    const ofToken = { id: made.body.id, last_used_at: used.last_used_at, last_used_address: '2001:db8::7' };
    expect(listed.body).toContainEqual(expect.objectContaining(ofToken));
  }, PATIENCE_MS);
});

it('one write of last uses is in progress at most, and the next one has the uses meanwhile', async () => {
  const { logger, lines } = tracingLogger();
  const writes: (readonly TokenUse[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const store = (uses: readonly TokenUse[]) => {
    writes.push(uses);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  };
  const lastUsed = new LastUsed(store, cloud.clock, logger);
  const address = '203.0.113.5';
  for (const id of [1, 2, 3, 2]) lastUsed.record({ id, address }, null);
  expect(writes).toEqual([[{ id: 1, address }]]);
  ends[0]?.reject(new Error('The database is gone'));
  await vi.waitFor(() => expect(writes).toHaveLength(2), PATIENCE_MS);
  expect(writes[1]).toEqual([
    { id: 2, address },
    { id: 3, address },
  ]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { reason: 'The database is gone', msg: 'when tokens were used was not noted' },
  ]);
  ends[1]?.resolve();
});
