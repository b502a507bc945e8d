import { CloudClient, DeviceClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

/** What a device tells about the home to who configures it through the proxy. */
export function describeDeviceThroughProxy(systemOf: () => TestSystem): void {
  let onLan: DeviceClient;
  let throughProxy: DeviceClient;
  let userId: number;

  beforeAll(async () => {
    const { cloud, account, device, site } = systemOf().run;
    onLan = new DeviceClient({ address: new URL(device.url).host, password: device.password });
    const client = new CloudClient({ url: cloud.url, token: account.api_token });
    userId = (await client.user()).id;
    throughProxy = await client.device(site.id, { schemeOf: () => 'http' });
  });

  const refusal = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'done',
      ({ status, body }) => ({ status, body }),
    );

  describe('a caller through the proxy', () => {
    it.each(['127.0.0.1:22', '169.254.169.254:80', '[::1]:22', 'localhost:22', '203.0.113.9:80'])(
      'cannot have the device look at %s',
      async (place) => {
        expect(await refusal(throughProxy.probes.start({ bus: `modbus-tcp://${place}` }))).toMatchObject({
          status: 422,
        });
      },
    );

    it.each(['serial:///etc/shadow', 'serial:///nonexistent'])(
      'cannot have the device open %s',
      async (bus) => {
        expect(await refusal(throughProxy.probes.start({ bus }))).toMatchObject({ status: 422 });
      },
    );

    it('is told the same of every file of the device', async () => {
      const { mqtt } = await onLan.configuration.get();
      const url = mqtt?.url ?? 'mqtt://127.0.0.1:1';
      const answers = await Promise.all(
        ['/etc/shadow', '/nonexistent', '/etc/hostname', '/etc'].map((ca_file) =>
          refusal(throughProxy.configuration.change({ mqtt: { url, ca_file } })),
        ),
      );
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(answers[0]).toMatchObject({ status: 422 });
    });

    it('cannot connect the device to itself', async () => {
      const { connections } = await onLan.configuration.get();
      const added = [...connections, { driver: 'sunspec', bus: 'modbus-tcp://127.0.0.1:22' }];
      expect(await refusal(throughProxy.configuration.change({ connections: added }))).toMatchObject({
        status: 422,
      });
    });
  });

  it('a change of the configuration through the proxy leaves who made it, and to which broker', async () => {
    const before = await onLan.configuration.get();
    const settled = () =>
      expect
        .poll(async () => (await onLan.configuration.get().catch(() => undefined))?.taking_effect, {
          timeout: 20_000,
        })
        .toBe(false);
    await throughProxy.configuration.change({
      mqtt: { url: 'mqtt://127.0.0.1:1', password: 's3cret', allow_writes: true },
    });
    await settled();
    const [entry] = await onLan.audit({ limit: 1 });
    expect(entry).toMatchObject({
      action: 'configuration.change',
      author: `user ${userId}`,
      via: 'proxy',
      address: '127.0.0.1',
      outcome: 'ok',
    });
    const changed = new Map(entry?.changes.map(({ field, new_value }) => [field, new_value]));
    expect(changed.get('mqtt.url')).toBe('mqtt://127.0.0.1:1');
    expect(changed.get('mqtt.allow_writes')).toBe('true');
    expect(changed.get('mqtt.password')).toBe('changed');
    expect(before.mqtt).toBeNull();
    await onLan.configuration.change({ mqtt: null });
    await settled();
    expect((await onLan.audit({ limit: 1 }))[0]).toMatchObject({ author: 'local', via: 'lan' });
  });

  it('a caller on the network is told why a file cannot be used', async () => {
    const change = onLan.configuration.change({
      mqtt: { url: 'mqtt://127.0.0.1:1', ca_file: '/nonexistent' },
    });
    await expect(change).rejects.toThrow(/ENOENT/);
  });
}
