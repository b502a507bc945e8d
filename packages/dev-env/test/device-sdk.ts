import { CloudClient, DeviceClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

/** The SDK's client of a device, on both ways to it. */
export function describeDeviceSdk(systemOf: () => TestSystem): void {
  const SETTING = 'inverter_1/battery_reserve';

  let system: TestSystem;
  /** The same device, both ways. */
  let onLan: DeviceClient;
  let throughProxy: DeviceClient;

  beforeAll(async () => {
    system = systemOf();
    const { cloud, account, device, site } = system.run;
    onLan = new DeviceClient({ address: new URL(device.url).host, password: device.password });
    const client = new CloudClient({ url: cloud.url, token: account.api_token });
    throughProxy = await client.device(site.id, { schemeOf: () => 'http' });
  });

  describe('the past of a running device', () => {
    it('is there to plot, on the local network and through the proxy', async () => {
      const to = new Date();
      const part = { topic: 'total/*', from: new Date(to.getTime() - 3_600_000), to, stepS: 60 };
      await expect.poll(async () => (await onLan.history(part)).series, { timeout: 10_000 }).not.toEqual([]);
      const { from, step, series } = await throughProxy.history(part);
      expect([from, step]).toEqual([Math.floor(part.from.getTime() / 1000), 60]);
      expect(series.map(({ topic }) => topic)).toContain('total/pv_power');
      for (const { times, min, mean, max, last } of series) {
        expect([min, mean, max, last].map(({ length }) => length)).toEqual(Array(4).fill(times.length));
      }
    });

    it('is that of the last day when nothing is said, texts too', async () => {
      const { from, to, states } = await onLan.history();
      expect(to - from).toBeGreaterThanOrEqual(86_400);
      expect(states.map(({ topic }) => topic)).toContain('inverter_1/device_mode');
    });

    it('is refused in plain words', async () => {
      const from = new Date();
      const backwards = onLan.history({ from, to: new Date(from.getTime() - 1_000) });
      await expect(backwards).rejects.toMatchObject({ status: 400, message: 'from must be before to' });
      await expect(onLan.history({ signal: AbortSignal.abort() })).rejects.toThrow('given up');
    });
  });

  describe('the log of writes of a running device', () => {
    it('tells who changed what, page by page', async () => {
      await onLan.set(SETTING, 27);
      await throughProxy.set(SETTING, 28);
      const [second, first] = await onLan.settingWrites({ limit: 2 });
      expect(second).toMatchObject({ via: 'proxy', topic: SETTING, new_value: '28', outcome: 'ok' });
      expect(first).toMatchObject({ author: 'local', via: 'lan', new_value: '27', outcome: 'ok' });
      expect(await throughProxy.settingWrites({ limit: 1, before: second?.id ?? 0 })).toEqual([first]);
    });
  });
}
