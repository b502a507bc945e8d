import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect as connectTo, FACTS, newDevice, type TestDevice } from '../../testing/device-calls.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const connect = (device: TestDevice, from = '203.0.113.7') => connectTo(cloud, device, { from });

/** Uses up the started counters of a limit. */
const usedUp = (rule: string) =>
  cloud.db.updateTable('rate_limits').set({ points: 1_000_000 }).where('key', 'like', `${rule}:%`).execute();

describe('the limits of POST /devices/connect', () => {
  it('the limit of one device answers 429 with Retry-After and does not affect another', async () => {
    const [hasty, other] = [await newDevice(), await newDevice()];
    await connect(hasty);
    await usedUp('connect-device');
    const refused = await connect(hasty);
    expect(refused).toMatchObject({ status: 429, body: { error: expect.any(String) } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await connect(other)).status).toBe(200);
  });

  it('concurrent calls beyond the limit get 503 with spread delays, and later calls succeed', async () => {
    const devices = await Promise.all(Array.from({ length: 210 }, newDevice));
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // The lock on the table of the limits stops every call.
    const lock = cloud.db.transaction().execute(async (tx) => {
      await sql`lock table rate_limits`.execute(tx);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    const busy: Answer[] = [];
    const calls = devices.map(async (device) => {
      const answer = await connect(device);
      if (answer.status === 503) busy.push(answer);
      return answer.status;
    });
    await expect.poll(() => busy.length).toBe(10);
    released.resolve();
    await lock;
    const waits = busy.map(({ headers }) => Number(headers.get('retry-after')));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(5);
    expect(new Set(waits).size).toBeGreaterThan(1);
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(200);
  });

  it("calls with a device's key and no valid proof do not use up its limit", async () => {
    const device = await newDevice();
    const { kty, crv, x } = device.key.publicJwk;
    const body = { public_key: { kty, crv, x }, proof: 'nonsense', facts: FACTS };
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => cloud.call('POST /api/v1/devices/connect', { body })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await connect(device)).status).toBe(200);
  });

  it.each([
    ['connect-address', '198.51.100.1', '198.51.100.2'],
    ['enrol-address', '198.51.100.3', '198.51.100.4'],
  ])('the calls from one address are limited by %s', async (rule, from, elsewhere) => {
    await connect(await newDevice(), from);
    await usedUp(rule);
    expect((await connect(await newDevice(), from)).status).toBe(429);
    expect((await connect(await newDevice(), elsewhere)).status).toBe(200);
  });

  it('a hundred devices behind one address connect concurrently', async () => {
    const devices = await Promise.all(Array.from({ length: 100 }, newDevice));
    const answers = await Promise.all(devices.map((device) => connect(device, '198.51.100.9')));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});
