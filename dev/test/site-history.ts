import { createCloudClient } from '@heliograph/client';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';

/** Energy is kept to a tenth of a watt-hour. */
const KEPT_TO_KWH = 0.0001;

const PATIENCE = { timeout: 30_000, interval: 250 };

/** The history of a site at the cloud, with its own device. */
export function describeSiteHistory(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });

  describe('the history of a site in the cloud', () => {
    it('an owner agrees, and the cloud has the newest values and the energy of the device', async () => {
      const { run, parts } = system;
      const cloud = createCloudClient({ url: run.cloud.url, token: run.account.api_token });
      const { id } = run.site;
      expect((await cloud.getSite({ id })).newest_values).toBeNull();
      await cloud.setSiteHistoryConsent({ id, agreed: true });
      const device = await cloud.device(id);
      const { total } = await device.energy({ step: 'year' });
      expect(total.pv).toBeGreaterThan(0);
      // A device calls in each quarter of an hour, and when it starts: it sends at least what it had counted by then.
      await parts.device.kill('SIGTERM');
      const newest = async () => (await cloud.getSite({ id })).newest_values;
      await expect
        .poll(newest, PATIENCE)
        .toMatchObject({ pv_power: expect.any(Number), pv: expect.any(Number) });
      const kept = () =>
        cloud.getSiteEnergy({ id, step: 'year' }).then(
          (answer) => answer.total.pv,
          () => 0,
        );
      await expect.poll(kept, PATIENCE).toBeGreaterThanOrEqual((total.pv ?? Number.NaN) - KEPT_TO_KWH);
      await cloud.setSiteHistoryConsent({ id, agreed: false });
      expect(await newest()).toBeNull();
    }, 60_000);
  });
}
