import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSystem, type TestSystem } from '../src/testing/test-system.ts';

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

/** Of the panels, at noon: a few kilowatts that count up fast. */
async function energy(): Promise<number> {
  const answer = await viaProxy('/api/v1/metrics?topic=total/pv_energy&value=1');
  return answer.ok ? Number(await answer.text()) : Number.NaN;
}

const readable = () =>
  expect
    .poll(async () => (await viaProxy('/api/v1/metrics?topic=total/*').catch(() => undefined))?.status, {
      timeout: 20_000,
      interval: 200,
    })
    .toBe(200);

describe('when a part is killed', () => {
  it('the device comes back by itself with its energy totals', async () => {
    await expect.poll(energy, { timeout: 15_000 }).toBeGreaterThan(0);
    const before = await energy();
    system.parts.device.kill('SIGKILL');
    await expect.poll(async () => (await viaProxy('/api/v1/metrics')).status, { interval: 20 }).not.toBe(200);
    await readable();
    await expect.poll(energy, { timeout: 20_000 }).toBeGreaterThanOrEqual(before);
    expect(await energy()).toBeLessThan(before + 1);
  });

  it('the tunnel comes back when the proxy was killed', async () => {
    system.parts.proxy.kill('SIGKILL');
    await expect
      .poll(
        () =>
          viaProxy('/healthz').then(
            () => 'up',
            () => 'down',
          ),
        { interval: 20 },
      )
      .toBe('down');
    await readable();
  });

  it('a request in flight gets 502 or 503 at once when its device dies', async () => {
    await readable();
    system.parts.plant.kill('SIGSTOP');
    try {
      const started = performance.now();
      const inFlight = viaProxy('/api/v1/metrics', {
        method: 'POST',
        body: JSON.stringify({ topic: 'inverter_1/battery_reserve', value: '30' }),
      });
      await expect.poll(() => performance.now() - started, { interval: 50 }).toBeGreaterThan(300);
      system.parts.device.kill('SIGKILL');
      expect([502, 503]).toContain((await inFlight).status);
      expect(performance.now() - started).toBeLessThan(5_000);
    } finally {
      system.parts.plant.kill('SIGCONT');
    }
    await readable();
  });
});
