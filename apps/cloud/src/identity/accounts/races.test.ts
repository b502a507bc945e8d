import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** Starts calls one after the other while a row is locked, and lets them go in turn once all of them wait. */
async function collide(
  row: ReturnType<typeof sql>,
  calls: readonly (() => Promise<Answer>)[],
): Promise<Answer[]> {
  const started: Promise<Answer>[] = [];
  await cloud.db.transaction().execute(async (tx) => {
    await sql`select from ${row} for no key update`.execute(tx);
    for (const call of calls) {
      started.push(call());
      await expect.poll(() => cloud.waitingForLocks()).toBe(started.length);
    }
  });
  return Promise.all(started);
}

const accountOf = ({ id }: TestUser) => sql`users where id = ${id}`;
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

async function resetOf({ id }: TestUser): Promise<() => Promise<Answer>> {
  const token = await cloud.make.oneTimeToken('reset', { userId: id });
  const body = { password: 'Another-horse-7', organization_id: 'none' };
  return () => cloud.call(`PUT /api/v1/password/reset/${token}`, { body });
}

describe('a request with the old password during a password change', () => {
  it('the old password gets no pending token into an account that is confirmed meanwhile', async () => {
    const owner = await cloud.make.user({ confirmed: false });
    const body = { email: owner.email, password: PASSWORD, organization_id: 'none' };
    const signIn = () => cloud.call('POST /api/v1/sign_in', { body });
    expect((await signIn()).status).toBe(412);
    // A link to the account would wait for its lock, too.
    await cloud.mail(owner.email);
    cloud.clock.advance(60_000);
    const answers = await collide(accountOf(owner), [await resetOf(owner), signIn]);
    expect(statusesOf(answers)).toEqual([200, 401]);
  });

  it('a session that ends meanwhile creates no API token', async () => {
    const owner = await cloud.make.user();
    const token = await cloud.make.token(owner.id, { kind: 'session' });
    const body = { name: 'Grafana', scopes: ['sites:read_all'] };
    const create = () => cloud.call('POST /api/v1/user/tokens', { token, body });
    const answers = await collide(accountOf(owner), [await resetOf(owner), create]);
    expect(statusesOf(answers)).toEqual([200, 401]);
  });
});

it('a session that ends during its handover leaves no further session', async () => {
  const token = await cloud.make.token((await cloud.make.user()).id, { kind: 'session' });
  const { id } = await cloud.db
    .selectFrom('tokens')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  const answers = await collide(sql`tokens where id = ${id}`, [
    () => cloud.call('DELETE /api/v1/session', { token }),
    () => cloud.call('POST /api/v1/session', { token }),
  ]);
  expect(statusesOf(answers)).toEqual([204, 401]);
});
