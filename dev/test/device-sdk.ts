import { createCloudClient, DeviceClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

/** The SDK's client of a device, at both of its addresses. */
export function describeDeviceSdk(systemOf: () => TestSystem): void {
  const SETTING = 'inverter_1/battery_reserve';

  let system: TestSystem;
  /** The same device at both addresses. */
  let onLan: DeviceClient;
  let throughProxy: DeviceClient;

  beforeAll(async () => {
    system = systemOf();
    const { cloud, account, device, site } = system.run;
    onLan = new DeviceClient({ address: new URL(device.url).host, password: device.password });
    const client = createCloudClient({ url: cloud.url, token: account.api_token });
    throughProxy = await client.device(site.id, { schemeOf: () => 'http' });
  });

  describe('the history of a running device', () => {
    it('history comes in arrays of one length, on the local network and through the proxy', async () => {
      const to = new Date();
      const part = { topic: 'total/*', from: new Date(to.getTime() - 3_600_000), to, stepS: 60 };
      await expect.poll(async () => (await onLan.history(part)).series).not.toEqual([]);
      const { from, step, series } = await throughProxy.history(part);
      expect([from, step]).toEqual([Math.floor(part.from.getTime() / 1000), 60]);
      expect(series.map(({ topic }) => topic)).toContain('total/pv_power');
      for (const { times, min, mean, max, last } of series) {
        expect([min, mean, max, last].map(({ length }) => length)).toEqual(Array(4).fill(times.length));
      }
    });

    it('history covers the last day by default, texts included', async () => {
      const { from, to, states } = await onLan.history();
      expect(to - from).toBeGreaterThanOrEqual(86_400);
      expect(states.map(({ topic }) => topic)).toContain('inverter_1/device_mode');
    });

    it('a span that ends before it begins is refused with a message', async () => {
      const from = new Date();
      const backwards = onLan.history({ from, to: new Date(from.getTime() - 1_000) });
      await expect(backwards).rejects.toMatchObject({ status: 400, message: 'from must be before to' });
      await expect(onLan.history({ signal: AbortSignal.abort() })).rejects.toThrow('given up');
    });
  });

  describe('the log of writes of a running device', () => {
    it('the log of writes lists author, value and outcome, page by page', async () => {
      await onLan.set(SETTING, 27);
      await throughProxy.set(SETTING, 28);
      const [second, first] = await onLan.settingWrites({ limit: 2 });
      expect(second).toMatchObject({ via: 'proxy', topic: SETTING, new_value: '28', outcome: 'ok' });
      expect(first).toMatchObject({ author: 'local', via: 'lan', new_value: '27', outcome: 'ok' });
      expect(await throughProxy.settingWrites({ limit: 1, before: second?.id ?? 0 })).toEqual([first]);
    });
  });
}
