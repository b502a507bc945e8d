import type { DeviceConnectBody } from '@heliograph/contracts';
import { uidOf } from '@heliograph/wire';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  connectBody,
  connect as connectTo,
  FACTS,
  newDevice,
  type TestDevice,
} from '../../../test/device-calls.ts';
import { inBatches } from '../../../test/in-batches.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { clientAddressFrom } from '../../common/client-address.ts';
import { TooManyRequests, Unavailable } from '../../common/errors.ts';
import { ConnectAdmission } from './connect-admission.ts';
import { CONNECTS_PER_ADDRESS, CONNECTS_PER_DEVICE, ENROLMENTS_PER_ADDRESS } from './limits.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const connect = (device: TestDevice, from = '203.0.113.7') => connectTo(cloud, device, { from });

describe('the limits of POST /devices/connect', () => {
  it('the limit of one device answers 429 with Retry-After and does not affect another', async () => {
    const [hasty, other] = [await newDevice(), await newDevice()];
    const answers = await inBatches(CONNECTS_PER_DEVICE.points + 5, () => connect(hasty));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toEqual({ error: expect.any(String) });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await connect(other)).status).toBe(200);
  });

  it("calls with a device's key and no valid proof do not use up its limit", async () => {
    const device = await newDevice();
    const { kty, crv, x } = device.key.publicJwk;
    const body = { public_key: { kty, crv, x }, proof: 'nonsense', facts: FACTS };
    const answers = await inBatches(130, () => cloud.call('POST /api/v1/devices/connect', { body }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await connect(device)).status).toBe(200);
  });

  it('the first calls from one address are limited', async () => {
    const [from, elsewhere] = ['198.51.100.3', '198.51.100.4'];
    await connect(await newDevice(), from);
    await cloud.multiplyCounts(ENROLMENTS_PER_ADDRESS.points);
    expect((await connect(await newDevice(), from)).status).toBe(429);
    expect((await connect(await newDevice(), elsewhere)).status).toBe(200);
  });

  it('a hundred devices behind one address connect', async () => {
    const devices = await Promise.all(Array.from({ length: 100 }, newDevice));
    const answers = await inBatches(100, (i) => connect(devices[i] as TestDevice, '198.51.100.9'));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
});

describe('ConnectAdmission', () => {
  it('each call counts for its network, with or without a valid proof', async () => {
    const consume = vi.fn(() => Promise.reject(new TooManyRequests(7)));
    const admission = new ConnectAdmission({
      ...{ limits: { consume }, clock: cloud.clock, cloudUrl: () => cloud.url },
    });
    const body = (await connectBody(await newDevice(), cloud)) as DeviceConnectBody;
    const answer = vi.fn(async () => undefined);
    const from = clientAddressFrom('2001:db8:1:2:3::4');
    for (const proof of [body.proof, 'nonsense']) {
      const call = admission.admit({ ...body, proof }, uidOf(body.public_key), from, answer);
      await expect(call).rejects.toBeInstanceOf(TooManyRequests);
    }
    const counted = [CONNECTS_PER_ADDRESS, from.network];
    expect(consume.mock.calls).toEqual([counted, counted]);
    expect(answer).not.toHaveBeenCalled();
  });

  it('the 201st concurrent call is refused with a delay that grows, and a call after the others is admitted', async () => {
    const released = Promise.withResolvers<void>();
    let admitted = 0;
    const admission = new ConnectAdmission({
      ...{ limits: { consume: async () => undefined }, clock: cloud.clock, cloudUrl: () => cloud.url },
    });
    const answer = async () => {
      admitted += 1;
      await released.promise;
      return 'an answer';
    };
    const body = (await connectBody(await newDevice(), cloud)) as DeviceConnectBody;
    const call = () =>
      admission
        .admit(body, uidOf(body.public_key), clientAddressFrom('203.0.113.7'), answer)
        .catch((error: unknown) => error);
    const waiting = Array.from({ length: 200 }, call);
    await expect.poll(() => admitted).toBe(200);
    expect(() => admission.refuseBeyondLimit()).toThrow(Unavailable);
    const refusals = await Promise.all(Array.from({ length: 1_500 }, call));
    expect(admitted).toBe(200);
    const delays = refusals.map((refusal) => (refusal instanceof Unavailable ? refusal.retryAfterS : -1));
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...delays)).toBeLessThanOrEqual(10);
    expect(new Set(delays).size).toBeGreaterThan(2);
    released.resolve();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['an answer']));
    expect(await call()).toBe('an answer');
  });
});
