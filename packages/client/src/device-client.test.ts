import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen, sendJson } from '../test/http.ts';
import { FakeDevice, sampleMetrics } from '../test/index.ts';
import type { DeviceAccess } from './device/access.ts';
import { DeviceClient } from './device-client.ts';

describe('DeviceClient', () => {
  let device: FakeDevice;
  const throughProxy = (): DeviceAccess => ({ host: device.address, ...device.credentials });
  const onLan = (): DeviceAccess => ({ address: device.address, password: device.credentials.password });

  beforeEach(async () => {
    device = await new FakeDevice(sampleMetrics()).start();
  });
  afterEach(() => device.stop());

  it.each([
    ['through a proxy', throughProxy],
    ['on the LAN', onLan],
  ])('the client reads and writes %s', async (_where, access) => {
    const client = new DeviceClient(access());
    expect(await client.metrics()).toHaveLength(4);
    expect(await client.value('battery_1/voltage')).toBe('51.2');
    await client.set('inverter_1/battery_reserve', 35);
    expect(await client.value('inverter_1/battery_reserve')).toBe('35');
  });

  it('the client encodes the glob and sends the discovery flag bare, as existing devices expect', async () => {
    await new DeviceClient(onLan()).metrics({ topic: 'total/*', discovery: true });
    expect(device.requests).toEqual(['GET /api/v1/metrics?discovery&topic=total%2F%2A']);
  });

  it.each([
    ['a measurement', 'total/pv_power', '1', 'total/pv_power cannot be written'],
    [
      'a value out of range',
      'inverter_1/battery_reserve',
      '400',
      'inverter_1/battery_reserve must be a number from 0 to 100',
    ],
  ])('the error of a refused write has the reason: %s', async (_what, topic, value, message) => {
    await expect(new DeviceClient(onLan()).set(topic, value)).rejects.toMatchObject({ status: 422, message });
  });

  it('the client renews credentials once after 401 and after no other refusal', async () => {
    let renewals = 0;
    const renew = async (): Promise<DeviceAccess> => {
      renewals++;
      return throughProxy();
    };
    const client = new DeviceClient({ ...throughProxy(), siteKey: 'old' } as DeviceAccess, { renew });
    expect(await client.value('total/grid_power')).toBe('-300');
    await expect(client.set('total/pv_power', 1)).rejects.toMatchObject({ status: 422 });
    expect(renewals).toBe(1);
  });

  it('a request that is refused after the credentials were renewed uses the new ones', async () => {
    let renewals = 0;
    const renewed = Promise.withResolvers<void>();
    const server = createServer(async (request, response) => {
      const isFresh = request.headers.authorization === 'Bearer fresh';
      if (isFresh) renewed.resolve();
      else if (request.url?.endsWith('late')) await renewed.promise;
      sendJson(response, isFresh ? 200 : 401, isFresh ? [] : { error: 'Expired' });
    });
    const host = await listen(server);
    const accessOf = (token: string): DeviceAccess => ({ host, token, siteId: 1, siteKey: 'k' });
    const client = new DeviceClient(accessOf('stale'), {
      renew: async () => {
        renewals++;
        return accessOf('fresh');
      },
    });
    await Promise.all([client.metrics({ topic: 'soon' }), client.metrics({ topic: 'late' })]);
    expect(renewals).toBe(1);
    await closeServer(server);
  });

  it('the client rejects when renewed credentials are refused too', async () => {
    const wrong: DeviceAccess = { address: device.address, password: 'wrong' };
    const client = new DeviceClient(wrong, { renew: async () => wrong });
    await expect(client.metrics()).rejects.toMatchObject({ status: 401 });
    expect(device.requests).toHaveLength(2);
  });

  it('an aborted signal ends the wait for an answer', async () => {
    const client = new DeviceClient(onLan());
    await expect(client.metrics({ signal: AbortSignal.abort() })).rejects.toThrow('given up');
  });

  it.each([
    ['42', 42],
    ['Sun, 22 Nov 2026 12:00:00 GMT', null],
    [undefined, null],
  ])('the error carries Retry-After in seconds (%s)', async (header, retryAfterS) => {
    const server = createServer((_request, response) => {
      if (header !== undefined) response.setHeader('retry-after', header);
      response.setHeader('x-request-id', 'an-id');
      sendJson(response, 429, { error: 'Too many' });
    });
    const address = await listen(server);
    const refused = new DeviceClient({ address, password: 'x' }).session.signIn('guess');
    await expect(refused).rejects.toMatchObject({ status: 429, retryAfterS, requestId: 'an-id' });
    await closeServer(server);
  });
});
