import { DeviceClient } from '@heliograph/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';

/** For a loaded machine, in milliseconds. */
const PATIENCE_MS = 60_000;

let system: TestSystem;
let authorization: { host: string; token: string; site_id: number; site_key: string };

beforeAll(async () => {
  system = await startTestSystem();
  const { cloud, account, site } = system.run;
  const answer = await fetch(`${cloud.url}/api/v1/sites/${site.id}/authorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.api_token}` },
  });
  authorization = (await answer.json()) as typeof authorization;
});
afterAll(() => system?.stop());

const viaProxy = (path: string, init: RequestInit = {}) =>
  fetch(`http://${authorization.host}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${authorization.token}`,
      'site-id': String(authorization.site_id),
      'site-key': authorization.site_key,
      'content-type': 'application/json',
    },
  });

/** The PV energy in kWh: at noon a few kilowatts, which count up fast. */
async function energy(): Promise<number> {
  const answer = await viaProxy('/api/v1/metrics?topic=total/pv_energy&value=1');
  return answer.ok ? Number(await answer.text()) : Number.NaN;
}

/** The newest entry of the device's log of writes. */
async function lastWrite(): Promise<unknown> {
  const { url, password } = system.run.device;
  const client = new DeviceClient({ address: new URL(url).host, password });
  return (await client.settingWrites({ limit: 1 }))[0];
}

/** Kills a part; resolves once another process of it has started. */
async function killed(part: {
  readonly pid: number | undefined;
  kill(signal: 'SIGKILL'): void;
}): Promise<void> {
  const { pid } = part;
  part.kill('SIGKILL');
  await expect.poll(() => part.pid).not.toBe(pid);
}

const readable = () =>
  expect
    .poll(async () => (await viaProxy('/api/v1/metrics?topic=total/*').catch(() => undefined))?.status, {
      timeout: PATIENCE_MS,
      interval: 200,
    })
    .toBe(200);

describe('after a kill of a part', () => {
  it('the device comes back by itself with its energy totals', async () => {
    await expect.poll(energy).toBeGreaterThan(0);
    const before = await energy();
    await killed(system.parts.device);
    await readable();
    await expect.poll(energy).toBeGreaterThanOrEqual(before);
    expect(await energy()).toBeLessThan(before + 1);
  });

  it('the tunnel comes back when the proxy was killed', async () => {
    await killed(system.parts.proxy);
    await readable();
  });

  it('a request in flight gets 502 or 503 when its device dies, not a timeout', async () => {
    await readable();
    system.parts.plant.kill('SIGSTOP');
    try {
      const inFlight = viaProxy('/api/v1/metrics', {
        method: 'POST',
        body: JSON.stringify({ topic: 'inverter_1/battery_reserve', value: '30' }),
      });
      // The device logs a write before it sends it to the hardware.
      await expect.poll(lastWrite).toMatchObject({ new_value: '30', outcome: 'unknown' });
      system.parts.device.kill('SIGKILL');
      expect([502, 503]).toContain((await inFlight).status);
    } finally {
      system.parts.plant.kill('SIGCONT');
    }
    await readable();
  });
});
