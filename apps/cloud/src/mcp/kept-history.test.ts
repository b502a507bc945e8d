import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestAgent } from '../../test/mcp/agent.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('agents get the energy and the last values of a site that is offline, where its owner agreed', async () => {
  const owner = await cloud.make.user();
  const [kept, other] = [
    await cloud.make.site({ ownerId: owner.id, name: 'kept' }),
    await cloud.make.site({ ownerId: owner.id, name: 'other' }),
  ];
  await cloud.make.siteHistory(kept.id);
  const at = new Date(cloud.clock.now() - 3_600_000);
  const day = at.toISOString().slice(0, 10);
  await cloud.db
    .insertInto('site_newest_values')
    .values({ site_id: kept.id, at, day, pv_power: 1200, grid_power: -300, state_of_charge: 81, pv: 4 })
    .execute();
  const agent = new TestAgent(cloud, owner.token);
  const energy = await agent.output('site_get_energy', { site_id: kept.id, from: '-2d', step: 'day' });
  expect(energy).toMatchObject({ time_zone: 'Europe/Berlin', total: { pv_kwh: 0.25, load_kwh: null } });
  const refused = await agent.call('site_get_energy', { site_id: other.id });
  expect(refused.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('offline') }],
  });
  const compared = await agent.output('compare_sites', { site_ids: [kept.id, other.id] });
  expect(compared.sites).toMatchObject([
    {
      answered: false,
      reason: expect.stringContaining(at.toISOString()),
      read_at: at.toISOString(),
      battery_percent: 81,
      pv_w: 1200,
      grid_w: -300,
      load_w: null,
      pv_kwh_today: null,
    },
    { answered: false, read_at: null, pv_w: null },
  ]);
});
