import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

/** What one account, or one address, may ask in vain in a minute. */
const LIMIT = 120;
const ADDRESS = '203.0.113.7';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const register = (token: string, uid: string, from?: string) =>
  cloud.call('POST /api/v1/sites/register', { token, body: { uid }, ...(from !== undefined && { from }) });

/** How many of so many guesses at once got which answer. */
async function guess(token: string, count: number, from?: string): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, i) => register(token, `guess-${i}`, from)),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('guessing uids', () => {
  it('ends for an account, wherever it calls from, and for nobody else', async () => {
    const [guesser, other] = [await cloud.make.user(), await cloud.make.user()];
    expect(await guess(guesser.token, LIMIT + 10)).toEqual({ 404: LIMIT, 429: 10 });
    const uid = await cloud.make.device();
    const refused = await register(guesser.token, uid);
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register(other.token, uid)).status).toBe(200);
  });

  it('ends for an address, whoever calls', async () => {
    const users = await Promise.all(Array.from({ length: 3 }, () => cloud.make.user()));
    const counts = await Promise.all(users.map(({ token }) => guess(token, 50, ADDRESS)));
    expect(counts.reduce((sum, { 404: missed = 0 }) => sum + missed, 0)).toBe(LIMIT);
    const uid = await cloud.make.device();
    const [user] = users;
    expect((await register(user?.token ?? '', uid, ADDRESS)).status).toBe(429);
    expect((await register(user?.token ?? '', uid)).status).toBe(200);
  });

  it('keeps no account from being answered about a site that is its own', async () => {
    const from = '203.0.113.8';
    const [guesser, owner] = [await cloud.make.user(), await cloud.make.user()];
    const uid = await cloud.make.device();
    const registered = await register(owner.token, uid);
    await guess(guesser.token, LIMIT, from);
    expect((await register(guesser.token, uid, from)).status).toBe(429);
    const { status, body } = await register(owner.token, uid, from);
    expect([status, body.id]).toEqual([200, registered.body.id]);
  });

  it('ends for an IPv6 network, whose addresses one home has whole', async () => {
    const from = (i: number) => `2001:db8:0:7::${i.toString(16)}`;
    const users = await Promise.all(Array.from({ length: 3 }, () => cloud.make.user()));
    const guesses = users.flatMap(({ token }, n) =>
      Array.from({ length: 50 }, (_, i) => register(token, `guess-${i}`, from(100 * n + i))),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(LIMIT);
  });

  it('does not stop who asks again and again for a device of theirs', async () => {
    const owner = await cloud.make.user();
    const uid = await cloud.make.device({ activated: false });
    for (let second = 0; second < 60; second++)
      expect((await register(owner.token, uid, '203.0.113.9')).status).toBe(422);
    await cloud.db.updateTable('devices').set({ activated_at: new Date() }).where('uid', '=', uid).execute();
    // More than the limit in all: what succeeds does not count.
    for (let round = 0; round < 4; round++) {
      const answers = Array.from({ length: 40 }, () => register(owner.token, uid, '203.0.113.9'));
      for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
    }
  });
});
