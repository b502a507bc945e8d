import type { Site, SiteSummary, SiteUpdates } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, newDevice } from '../../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('an owner chooses the releases of the device, which learns it at its next call', async () => {
  const { token } = await cloud.make.user();
  const device = await newDevice();
  await connect(cloud, device);
  const registered = await cloud.call<{ id: number }>('POST /api/v1/sites/register', {
    token,
    body: { uid: device.uid },
  });
  const site = `/api/v1/sites/${registered.body.id}`;
  const before = { channel: 'stable', automatic: false };
  expect((await cloud.call<Site>(`GET ${site}`, { token })).body.updates).toEqual(before);
  expect((await connect(cloud, device)).body).toMatchObject({ status: 'ready', updates: before });

  const updates: SiteUpdates = { channel: 'beta', automatic: true };
  for (const _ of ['once', 'and the same again']) {
    const answer = await cloud.call(`PUT ${site}/updates`, { token, body: updates });
    expect(answer).toMatchObject({ status: 200, body: updates });
  }
  expect((await cloud.call<Site>(`GET ${site}`, { token })).body.updates).toEqual(updates);
  expect((await connect(cloud, device)).body).toMatchObject({ status: 'ready', updates });

  const { body: audit } = await cloud.call<{ action: string }[]>(`GET ${site}/audit`, { token });
  expect(audit.filter(({ action }) => action === 'site.updates_changed')).toMatchObject([
    { details: { from: 'stable, by hand', to: 'beta, automatic' } },
  ]);
});

it('the channel of a site shows at once, until the device reports what it made of the choice', async () => {
  const { token } = await cloud.make.user();
  const device = await newDevice();
  await connect(cloud, device, { facts: { beta: false } });
  const { body: site } = await cloud.call<{ id: number }>('POST /api/v1/sites/register', {
    token,
    body: { uid: device.uid },
  });
  const isBeta = async () => {
    const found = await cloud.call<SiteSummary[]>('GET /api/v1/sites?q=channel:beta', { token });
    const { body } = await cloud.call<Site>(`GET /api/v1/sites/${site.id}`, { token });
    expect(found.body.map(({ id }) => id)).toEqual(body.beta ? [site.id] : []);
    return body.beta;
  };
  const choose = (channel: string) =>
    cloud.call(`PUT /api/v1/sites/${site.id}/updates`, { token, body: { channel, automatic: false } });
  expect(await isBeta()).toBe(false);
  await choose('beta');
  expect(await isBeta()).toBe(true);
  // It learns the choice from the answer.
  await connect(cloud, device, { facts: { beta: false } });
  expect(await isBeta()).toBe(true);
  await connect(cloud, device, { facts: { beta: true } });
  expect(await isBeta()).toBe(true);
  await choose('stable');
  expect(await isBeta()).toBe(false);
  await connect(cloud, device, { facts: { beta: true } });
  // Its own configuration comes first.
  await connect(cloud, device, { facts: { beta: true } });
  expect(await isBeta()).toBe(true);
});

it('sites are found by the release of their device', async () => {
  const { id, token } = await cloud.make.user();
  const site = await cloud.make.site({ ownerId: id });
  await cloud.db
    .updateTable('devices')
    .set({ version: '0.7.0-beta.1' })
    .where('site_id', '=', site.id)
    .execute();
  const found = async (version: string) => {
    const q = encodeURIComponent(`version:${version}`);
    return (await cloud.call<SiteSummary[]>(`GET /api/v1/sites?q=${q}`, { token })).body.map((each) => [
      each.id,
      each.version,
    ]);
  };
  expect(await found('0.7.0-beta.1')).toEqual([[site.id, '0.7.0-beta.1']]);
  expect(await found('0.7.0')).toEqual([]);
});
