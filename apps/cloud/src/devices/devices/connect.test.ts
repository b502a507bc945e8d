import { JwksKeys, verifyTunnelToken } from '@heliograph/wire';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditOf, connect as connectTo, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let manual: TestCloud;
beforeAll(async () => {
  [cloud, manual] = await Promise.all([startTestCloud(), startTestCloud({ deviceActivation: 'manual' })]);
});
afterAll(async () => {
  await Promise.all([cloud?.[Symbol.asyncDispose](), manual?.[Symbol.asyncDispose]()]);
});

const connect = (device: TestDevice, facts = {}, at = cloud, from = '203.0.113.7') =>
  connectTo(at, device, { facts, from });

const stored = (uid: string, at = cloud) =>
  at.db.selectFrom('devices').selectAll().where('uid', '=', uid).executeTakeFirst();

const actions = async (uid: string, at = cloud) => (await auditOf(at, uid)).map(({ action }) => action);

describe('POST /devices/connect', () => {
  it('a first call enrols the device, and activates it under the automatic policy', async () => {
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
      public_ip: '203.0.113.7',
      inverter: 'SunSpec',
      activated_at: new Date(cloud.clock.now()),
      online: false,
    });
  });

  it('a device waits for activation under the manual policy', async () => {
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

  it('the retry delay of an unregistered device grows', async () => {
    const device = await newDevice();
    const waits = [];
    for (const minutes of [0, 0.5, 1, 16]) {
      cloud.clock.advance(minutes * 60_000);
      waits.push((await connect(device)).body.retry_after_s);
    }
    expect(waits).toEqual([1, 5, 15, 60]);
  });

  it('the newest facts of a device are stored', async () => {
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

  it('a registered device gets its proxy and a token for that proxy alone', async () => {
    // The proxies of other tests fall silent.
    cloud.clock.advance(60_000);
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
      revocations: [],
      support: { sessions: [], received: [] },
      updates: { channel: 'stable', automatic: false },
    });
    const keys = new JwksKeys({
      fetch: async () => (await (await fetch(`${cloud.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
    });
    const verify = (proxy: string) =>
      verifyTunnelToken(String(body.tunnel_token), keys, proxy, cloud.clock.now());
    expect(await verify('local-1')).toMatchObject({
      uid: device.uid,
      siteId: body.site_id,
      proxy: 'local-1',
    });
    await expect(verify('local-2')).rejects.toThrow();
  });

  it('a device gets the revoked site tokens of its site that have not expired', async () => {
    const device = await newDevice();
    await connect(device);
    const owner = await cloud.make.user();
    const { body } = await cloud.call('POST /api/v1/sites/register', {
      token: owner.token,
      body: { uid: device.uid },
    });
    await cloud.announce('local-1', { region: 'local' });
    const site = `/api/v1/sites/${body.id}`;
    const session = await cloud.make.token(owner.id, { kind: 'session' });
    expect((await cloud.call(`POST ${site}/authorize`, { token: session })).status).toBe(200);
    const { id: admin } = await cloud.make.user();
    await cloud.make.member(Number(body.id), admin, 'admin');
    await cloud.call(`DELETE ${site}/users/${admin}`, { token: owner.token });
    cloud.clock.advance(1_000);
    await cloud.call('DELETE /api/v1/session', { token: session });
    const now = cloud.clock.now();
    expect((await connect(device)).body.revocations).toEqual([
      { subject: expect.stringMatching(/^token:\d+$/), revoked_at: new Date(now).toISOString() },
      { subject: `user:${admin}`, revoked_at: new Date(now - 1_000).toISOString() },
    ]);
    cloud.clock.advance(7 * 24 * 60 * 60_000);
    await cloud.announce('local-1', { region: 'local' });
    expect((await connect(device)).body.revocations).toHaveLength(1);
  });

  it('a device is sent to the live proxy of its region with the fewest sessions', async () => {
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

  it.each([
    ['192.0.2.9', '192.0.2.9'],
    ['::ffff:192.0.2.9', '192.0.2.9'],
    ['2001:db8::9', '2001:db8::9'],
    ['fe80::9%eth0', 'fe80::9'],
  ])('a device that calls from %s is stored with the address %s', async (from, address) => {
    const device = await newDevice();
    expect((await connect(device, {}, cloud, from)).status).toBe(200);
    expect(await stored(device.uid)).toMatchObject({ public_ip: address });
  });

  it('an enrolment is recorded once under concurrent calls', async () => {
    const device = await newDevice();
    await Promise.all(Array.from({ length: 8 }, () => connect(device, {}, manual)));
    await connect(device, { inverter: 'Deye' }, manual);
    expect(await auditOf(manual, device.uid)).toEqual([
      { action: 'device.enrolled', via: 'device', actorId: null, organizationId: null, details: {} },
    ]);
    const quick = await newDevice();
    await Promise.all(Array.from({ length: 8 }, () => connect(quick)));
    expect((await actions(quick.uid)).sort()).toEqual(['device.activated', 'device.enrolled']);
  });

  it('a first call enrols the device that an operator provisioned', async () => {
    const { token } = await manual.make.user({ staff: true });
    const [device, active] = [await newDevice(), await newDevice()];
    for (const { uid } of [device, active]) {
      const body = { uid, activate: uid === active.uid };
      expect((await manual.call('POST /api/v1/devices', { token, body })).status).toBe(201);
    }
    expect((await connect(device, {}, manual)).body.status).toBe('inactive');
    expect((await connect(active, {}, manual)).body.status).toBe('unregistered');
    expect(await stored(device.uid, manual)).toMatchObject({
      public_key: { x: device.key.publicJwk.x },
      enrolled_at: new Date(manual.clock.now()),
      arch: 'arm64',
    });
    expect(await actions(device.uid, manual)).toEqual(['device.provisioned', 'device.enrolled']);
  });
});
