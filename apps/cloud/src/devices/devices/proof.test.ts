import { signDeviceProof } from '@heliograph/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectBody, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const ELSEWHERE = 'https://elsewhere.example';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const send = (body: object) => cloud.call('POST /api/v1/devices/connect', { body });

const stored = (uid: string) =>
  cloud.db.selectFrom('devices').selectAll().where('uid', '=', uid).executeTakeFirst();

describe('POST /devices/connect without a valid proof', () => {
  const REFUSED: Record<string, (device: TestDevice, other: TestDevice) => Promise<object>> = {
    'signed by another key': async (device, other) => ({
      ...(await connectBody(device, cloud)),
      proof: await signDeviceProof(other.key, device.uid, cloud.url, cloud.clock.now()),
    }),
    'made for another uid': async (device, other) => ({
      ...(await connectBody(device, cloud)),
      proof: await signDeviceProof(device.key, other.uid, cloud.url, cloud.clock.now()),
    }),
    "sent with another device's key": async (device, other) => ({
      ...(await connectBody(device, cloud)),
      public_key: (await connectBody(other, cloud)).public_key,
    }),
    'made for another cloud': async (device) => ({
      ...(await connectBody(device, cloud)),
      proof: await signDeviceProof(device.key, device.uid, ELSEWHERE, cloud.clock.now()),
    }),
    'no token': async (device) => ({ ...(await connectBody(device, cloud)), proof: 'nonsense' }),
    'sent with a key that is no point on the curve': async (device) => ({
      ...(await connectBody(device, cloud)),
      public_key: { kty: 'OKP', crv: 'Ed25519', x: '*'.repeat(43) },
    }),
  };

  it.each(Object.entries(REFUSED))(
    'a proof that is %s is refused and stores nothing',
    async (_what, body) => {
      const [device, other] = [await newDevice(), await newDevice()];
      const answer = await send(await body(device, other));
      expect(answer).toMatchObject({ status: 401, body: { error: 'The proof is not valid' } });
      expect(await stored(device.uid)).toBeUndefined();
      expect(await stored(other.uid)).toBeUndefined();
    },
  );
});

it.each([-3_600_000, 3_600_000])(
  'a proof by a clock that is wrong by %i ms is refused for that reason, and stores nothing',
  async (offMs) => {
    const device = await newDevice();
    const proof = await signDeviceProof(device.key, device.uid, cloud.url, cloud.clock.now() + offMs);
    expect(await send({ ...(await connectBody(device, cloud)), proof })).toMatchObject({
      status: 401,
      body: { error: 'The proof was made at another time: is the clock right?' },
    });
    expect(await stored(device.uid)).toBeUndefined();
  },
);

describe('the proof of a device', () => {
  it('a proof is accepted once', async () => {
    const body = await connectBody(await newDevice(), cloud);
    expect((await send(body)).status).toBe(200);
    expect(await send(body)).toMatchObject({ status: 401, body: { error: 'The proof was used before' } });
  });

  it('a proof is accepted once under concurrent use', async () => {
    const body = await connectBody(await newDevice(), cloud);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9);
  });

  it('another encoding of the same signature is the same proof', async () => {
    const device = await newDevice();
    const body = await connectBody(device, cloud);
    expect((await send(body)).status).toBe(200);
    // 64 bytes leave four bits of the last character unused.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(body.proof.slice(-1));
    for (const twin of [last ^ 1, last ^ 8]) {
      const proof = body.proof.slice(0, -1) + alphabet[twin];
      expect(await send({ ...body, proof })).toMatchObject({
        status: 401,
        body: { error: 'The proof was used before' },
      });
    }
  });

  it('a used proof is stored until it expires, also when it is dated ahead', async () => {
    const device = await newDevice();
    const startMs = cloud.clock.now();
    const proof = await signDeviceProof(device.key, device.uid, cloud.url, startMs + 300_000);
    const body = { ...(await connectBody(device, cloud)), proof };
    expect((await send(body)).status).toBe(200);
    for (let passedS = 0; passedS <= 780; passedS += 60) {
      // As housekeeping does.
      await cloud.db
        .deleteFrom('device_proofs')
        .where('expires_at', '<', new Date(cloud.clock.now()))
        .execute();
      expect((await send(body)).status).toBe(401);
      cloud.clock.advance(60_000);
    }
  });
});
