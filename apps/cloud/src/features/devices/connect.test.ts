import {
  generateSigningKey,
  JwksKeys,
  type SigningKey,
  signDeviceProof,
  uidOf,
  verifyTunnelToken,
} from '@heliograph/wire';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
let manual: TestCloud;
beforeAll(async () => {
  [cloud, manual] = await Promise.all([startTestCloud(), startTestCloud({ deviceActivation: 'manual' })]);
});
afterAll(async () => {
  await Promise.all([cloud?.[Symbol.asyncDispose](), manual?.[Symbol.asyncDispose]()]);
});

const FACTS = {
  arch: 'arm64',
  board: 'Raspberry Pi 5',
  version: '0.1.0',
  build_date: '2026-06-01T00:00:00Z',
  local_ip: '192.168.1.7',
  inverter: 'SunSpec',
  inverter_count: 1,
  battery: null,
  battery_count: 0,
};

interface Device {
  readonly key: SigningKey;
  readonly uid: string;
}

async function newDevice(): Promise<Device> {
  const key = await generateSigningKey();
  return { key, uid: uidOf(key.publicJwk) };
}

async function bodyOf({ key, uid }: Device, at: TestCloud, facts: object = {}) {
  const { kty, crv, x } = key.publicJwk;
  return {
    public_key: { kty, crv, x },
    proof: await signDeviceProof(key, uid, at.url, at.clock.now()),
    facts: { ...FACTS, ...facts },
  };
}

const connect = async (device: Device, facts = {}, at = cloud) =>
  at.call('POST /api/v1/devices/connect', { body: await bodyOf(device, at, facts) });

const stored = (uid: string, at = cloud) =>
  at.db.selectFrom('devices').selectAll().where('uid', '=', uid).executeTakeFirst();

describe('a device that connects', () => {
  it('is enrolled, and activated at once where the policy says so', async () => {
    const device = await newDevice();
    expect(await connect(device)).toMatchObject({
      status: 200,
      body: { status: 'unregistered', retry_after_s: 1 },
    });
    expect(await stored(device.uid)).toMatchObject({
      arch: 'arm64',
      board: 'Raspberry Pi 5',
      build_date: new Date('2026-06-01'),
      local_ip: '192.168.1.7',
      inverter: 'SunSpec',
      activated_at: new Date(cloud.clock.now()),
      online: false,
    });
  });

  it('waits for its activation where a person decides', async () => {
    const device = await newDevice();
    const inactive = { status: 200, body: { status: 'inactive', retry_after_s: 1 } };
    expect(await connect(device, {}, manual)).toMatchObject(inactive);
    expect(await connect(device, {}, manual)).toMatchObject(inactive);
    await manual.db
      .updateTable('devices')
      .set({ activated_at: new Date(manual.clock.now()) })
      .where('uid', '=', device.uid)
      .execute();
    expect((await connect(device, {}, manual)).body.status).toBe('unregistered');
  });

  it('asks ever more seldom while nobody registers it', async () => {
    const device = await newDevice();
    const waits = [];
    for (const minutes of [0, 1, 16, 24 * 60]) {
      cloud.clock.advance(minutes * 60_000);
      waits.push((await connect(device)).body.retry_after_s);
    }
    expect(waits).toEqual([1, 2, 15, 60]);
  });

  it('keeps the newest of what it says of itself', async () => {
    const device = await newDevice();
    await connect(device);
    const enrolled = await stored(device.uid);
    await connect(device, { inverter: 'Deye', local_ip: null, battery_count: 2 });
    expect(await stored(device.uid)).toEqual({
      ...enrolled,
      inverter: 'Deye',
      local_ip: null,
      battery_count: 2,
    });
  });

  it('is told where to dial once it is registered, with a token for that proxy alone', async () => {
    const device = await newDevice();
    await connect(device);
    const { token } = await cloud.make.user();
    const registered = await cloud.call('POST /api/v1/sites/register', {
      token,
      body: { uid: device.uid, name: 'meadow' },
    });
    const noProxy = await connect(device);
    expect(noProxy).toMatchObject({ status: 503, body: { error: 'No proxy is available' } });
    expect(Number(noProxy.headers.get('retry-after'))).toBeGreaterThan(0);

    await cloud.announce('local-1', { region: 'local' });
    const { status, body } = await connect(device);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ready',
      site_id: registered.body.id,
      site_name: 'meadow',
      proxy: { name: 'local-1', url: 'https://local-1.example.org' },
      tunnel_token: expect.any(String),
    });
    const keys = new JwksKeys({
      fetch: async () => (await (await fetch(`${cloud.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
    });
    const verify = (proxy: string) =>
      verifyTunnelToken(String(body.tunnel_token), keys, proxy, cloud.clock.now());
    expect(await verify('local-1')).toEqual({ uid: device.uid, siteId: body.site_id, proxy: 'local-1' });
    await expect(verify('local-2')).rejects.toThrow();
  });

  it('is sent to the proxy with the fewest sessions, of its region if there is one, and to no silent one', async () => {
    const device = await newDevice();
    await connect(device);
    await cloud.make.site({ device: { uid: 'unrelated' } });
    const { token } = await cloud.make.user();
    cloud.clock.advance(60_000);
    const busy = [{ uid: 'x', site_id: 1 }];
    await cloud.announce('eu-1', { region: 'eu' });
    await cloud.call('POST /api/v1/sites/register', { token, body: { uid: device.uid } });
    const proxy = async () => ((await connect(device)).body.proxy as { name: string }).name;

    await cloud.announce('us-1', { region: 'us' });
    await cloud.announce('eu-1', { region: 'eu', sessions: busy });
    expect(await proxy()).toBe('eu-1');
    await cloud.announce('eu-2', { region: 'eu' });
    expect(await proxy()).toBe('eu-2');
    cloud.clock.advance(21_000);
    await cloud.announce('us-1', { region: 'us', sessions: busy });
    expect(await proxy()).toBe('us-1');
  });
});

describe('a device without a good proof', () => {
  const REFUSED: Record<string, (device: Device, other: Device) => Promise<object>> = {
    'signed by another key': async (device, other) => ({
      ...(await bodyOf(device, cloud)),
      proof: await signDeviceProof(other.key, device.uid, cloud.url, cloud.clock.now()),
    }),
    'made for another uid': async (device, other) => ({
      ...(await bodyOf(device, cloud)),
      proof: await signDeviceProof(device.key, other.uid, cloud.url, cloud.clock.now()),
    }),
    "sent with another device's key": async (device, other) => ({
      ...(await bodyOf(device, cloud)),
      public_key: (await bodyOf(other, cloud)).public_key,
    }),
    'made for another cloud': async (device) => ({
      ...(await bodyOf(device, cloud)),
      proof: (await bodyOf(device, manual)).proof,
    }),
    'made an hour ago': async (device) => ({
      ...(await bodyOf(device, cloud)),
      proof: await signDeviceProof(device.key, device.uid, cloud.url, cloud.clock.now() - 3_600_000),
    }),
    'that is no token': async (device) => ({ ...(await bodyOf(device, cloud)), proof: 'nonsense' }),
    'with a key that is no point on the curve': async (device) => ({
      ...(await bodyOf(device, cloud)),
      public_key: { kty: 'OKP', crv: 'Ed25519', x: '*'.repeat(43) },
    }),
  };

  it.each(Object.entries(REFUSED))('%s is refused, and leaves nothing behind', async (_what, body) => {
    const [device, other] = [await newDevice(), await newDevice()];
    const answer = await cloud.call('POST /api/v1/devices/connect', { body: await body(device, other) });
    expect(answer).toMatchObject({ status: 401, body: { error: 'The proof is not valid' } });
    expect(await stored(device.uid)).toBeUndefined();
    expect(await stored(other.uid)).toBeUndefined();
  });

  it.each([
    ['a date that is none', { build_date: 'yesterday' }],
    ['a 31st of February', { build_date: '2026-02-31T00:00:00Z' }],
    ['a negative count', { inverter_count: -1 }],
    ['half of a pair', { board: '\ud800' }],
    ['NUL', { inverter: 'a\0b' }],
    ['a missing field', { arch: undefined }],
  ])('facts with %s are refused with 400 or stored, never 500', async (what, facts) => {
    const { status } = await connect(await newDevice(), facts);
    expect(what === 'a 31st of February' ? [200, 400] : [400]).toContain(status);
  });
});
