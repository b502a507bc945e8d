import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { tokenHash } from '../../secrets/opaque-token.ts';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

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

it('is noted, to within five minutes', async () => {
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

it('keeps nobody waiting while the token is being changed', async () => {
  const token = await cloud.make.token(ada.id);
  await cloud.db.transaction().execute(async (tx) => {
    await tx.selectFrom('tokens').select('id').where('hash', '=', tokenHash(token)).forUpdate().execute();
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(token)));
    expect(new Set(answers)).toEqual(new Set([200]));
  });
  await isNotedNow(token);
});

it('fails no request when it cannot be noted', async () => {
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
