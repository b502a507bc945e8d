import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let token: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  token = (await cloud.make.user({ staff: true })).token;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** The proxies of other tests fall silent. */
const silenceAll = () => cloud.clock.advance(60_000);

const register = async ({ uid }: TestDevice, name?: string) => {
  const { body } = await cloud.call('POST /api/v1/sites/register', { token, body: { uid, name } });
  return Number(body.id);
};

async function dial(device: TestDevice, input: Parameters<typeof connect>[2] = {}): Promise<string> {
  const { body } = await connect(cloud, device, input);
  return (body.proxy as { name: string }).name;
}

describe('the proxy of a device', () => {
  it('a new site is in the region that its device requests, if a proxy of that region is known', async () => {
    silenceAll();
    await cloud.announce('us-1');
    await cloud.announce('eu-1', { region: 'eu', sessions: [{ uid: 'x', site_id: 1 }] });
    const regionOf = async (region: string | undefined) => {
      const device = await newDevice();
      await connect(cloud, device, region === undefined ? {} : { region });
      const id = await register(device);
      const site = await cloud.db
        .selectFrom('sites')
        .select('region')
        .where('id', '=', id)
        .executeTakeFirst();
      return site?.region;
    };
    expect(await regionOf('eu')).toBe('eu');
    expect(await regionOf('mars')).toBe('us');
    expect(await regionOf(undefined)).toBe('us');
  });

  it('a device dials the region that it requests, and its site is browsed in the region of the site', async () => {
    silenceAll();
    await cloud.announce('us-1');
    const device = await newDevice();
    await connect(cloud, device);
    const id = await register(device, 'wanderer');
    await cloud.announce('eu-1', { region: 'eu' });
    expect(await dial(device)).toBe('us-1');
    expect(await dial(device, { region: 'eu' })).toBe('eu-1');
    expect(await dial(device, { region: 'eu', unreachable: ['eu-1'] })).toBe('us-1');
    const { body } = await cloud.call(`POST /api/v1/sites/${id}/authorize`, { token });
    expect(body).toMatchObject({ host: 'eu-1.example.org', site_host: 'wanderer.us.example.org' });
  });

  it('a device moves off a draining proxy, which serves its requests until then', async () => {
    silenceAll();
    await cloud.announce('us-1');
    const device = await newDevice();
    await connect(cloud, device);
    const session = { uid: device.uid, site_id: await register(device) };
    await cloud.announce('us-1', { sessions: [session], run: 'first', sequence: 1 });
    await cloud.announce('us-2');
    expect(await dial(device)).toBe('us-1');
    await cloud.announceChange('us-1', { sequence: 2, draining: true });
    expect(await dial(device)).toBe('us-2');
    const host = async () =>
      (await cloud.call(`POST /api/v1/sites/${session.site_id}/authorize`, { token })).body.host;
    expect(await host()).toBe('us-1.example.org');
    await cloud.announce('us-2', { sessions: [session] });
    expect(await host()).toBe('us-2.example.org');
    await cloud.announceChange('us-1', { sequence: 3, draining: true, removed: [session.uid] });
    expect(await host()).toBe('us-2.example.org');
  });

  it('a device gets 503 with Retry-After while every proxy drains', async () => {
    silenceAll();
    await cloud.announce('us-1');
    const device = await newDevice();
    await connect(cloud, device);
    await register(device);
    await cloud.announce('us-1', { draining: true });
    const { status, headers } = await connect(cloud, device);
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

it('concurrent devices spread over the proxies by capacity', async () => {
  silenceAll();
  await cloud.announce('us-1', { capacity: 100 });
  await cloud.announce('us-2', { capacity: 200 });
  const devices = await Promise.all(
    Array.from({ length: 15 }, async () => {
      const device = await newDevice();
      await connect(cloud, device);
      await register(device);
      return device;
    }),
  );
  const given = await Promise.all(devices.map((device) => dial(device)));
  expect(Object.groupBy(given, (name) => name)).toMatchObject({
    'us-1': { length: 5 },
    'us-2': { length: 10 },
  });
});
