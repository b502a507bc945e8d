import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBatches } from '../../../test/in-batches.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

/** Unknown uids that one account, or one address, can look up in a minute. */
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

/** Counts the answers to concurrent registrations of unknown uids, by status. */
async function attempt(token: string, count: number, from?: string): Promise<Record<number, number>> {
  const answers = await inBatches(count, (i) => register(token, `unknown-${i}`, from));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Makes an attempt that counts as so many. */
async function begin(token: string, attempts: number, from?: string): Promise<void> {
  expect(await attempt(token, 1, from)).toEqual({ 404: 1 });
  await cloud.multiplyCounts(attempts);
}

describe('the limit on unknown uids', () => {
  it('an account that tries uids is refused from every address, and no other account is', async () => {
    const [client, other] = [await cloud.make.user(), await cloud.make.user()];
    await begin(client.token, 1);
    expect(await attempt(client.token, LIMIT + 9)).toEqual({ 404: LIMIT - 1, 429: 10 });
    const uid = await cloud.make.device();
    const refused = await register(client.token, uid);
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await register(other.token, uid)).status).toBe(200);
  });

  it('an address that tries uids is refused for every account', async () => {
    const users = await Promise.all(Array.from({ length: 3 }, () => cloud.make.user()));
    const [user] = users;
    await begin(user?.token ?? '', LIMIT - 9, ADDRESS);
    const answers = await inBatches(15, (i) => register(users[i % 3]?.token ?? '', `unknown-${i}`, ADDRESS));
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
    const uid = await cloud.make.device();
    expect((await register(user?.token ?? '', uid, ADDRESS)).status).toBe(429);
    expect((await register(user?.token ?? '', uid)).status).toBe(200);
  });

  it('an account at the limit still gets its own sites', async () => {
    const from = '203.0.113.8';
    const [client, owner] = [await cloud.make.user(), await cloud.make.user()];
    const uid = await cloud.make.device();
    const registered = await register(owner.token, uid);
    await begin(client.token, LIMIT, from);
    expect((await register(client.token, uid, from)).status).toBe(429);
    const { status, body } = await register(owner.token, uid, from);
    expect([status, body.id]).toEqual([200, registered.body.id]);
  });

  it('the limit counts an IPv6 /64 network as one address', async () => {
    const from = (i: number) => `2001:db8:0:7::${i.toString(16)}`;
    const users = await Promise.all(Array.from({ length: 3 }, () => cloud.make.user()));
    await begin(users[0]?.token ?? '', LIMIT - 9, from(1000));
    const answers = await inBatches(15, (i) => register(users[i % 3]?.token ?? '', `unknown-${i}`, from(i)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 404)).toHaveLength(9);
  });

  it('registrations of the own device that succeed do not count, and those before its activation do', async () => {
    const owner = await cloud.make.user();
    const from = '203.0.113.9';
    const uid = await cloud.make.device({ activated: false });
    await begin(owner.token, LIMIT - 5, from);
    for (let time = 0; time < 3; time++) expect((await register(owner.token, uid, from)).status).toBe(422);
    await cloud.db.updateTable('devices').set({ activated_at: new Date() }).where('uid', '=', uid).execute();
    for (let time = 0; time < 3; time++) expect((await register(owner.token, uid, from)).status).toBe(200);
    // With the first attempt, which counts as 115, and the three before the activation, two are left.
    expect(await attempt(owner.token, 3, from)).toEqual({ 404: 2, 429: 1 });
  });
});
