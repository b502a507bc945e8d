import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditOf, connect, newDevice } from '../../../test/device-calls.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const [FIRST, SECOND, THIRD] = ['A', 'B', 'C'].map((letter) => letter.repeat(22));

it('a device that was restored on another computer replaces the former one, also when that calls later', async () => {
  const device = await newDevice();
  const at = (installation: string | undefined, from = '203.0.113.7') =>
    connect(cloud, device, { from, ...(installation === undefined ? {} : { installation }) });
  await at(FIRST);
  const owner = await cloud.make.user();
  const body = { uid: device.uid, name: 'barn' };
  const { body: site } = await cloud.call('POST /api/v1/sites/register', { token: owner.token, body });
  const session = { uid: device.uid, site_id: Number(site.id) };
  await cloud.announce('us-1', { sessions: [session], run: 'first', sequence: 1 });
  expect((await at(FIRST)).body.status).toBe('ready');

  expect((await at(SECOND, '198.51.100.9')).body.status).toBe('ready');
  expect((await cloud.announceChange('us-1', { sequence: 2 })).body.revoked).toEqual([device.uid]);
  const refused = {
    status: 403,
    body: { error: expect.stringMatching(/restored from a backup on another/) },
  };
  expect(await at(FIRST)).toMatchObject(refused);
  expect((await at(SECOND)).body.status).toBe('ready');
  // A backup that is restored on the first computer is an installation of its own.
  expect((await at(THIRD)).body.status).toBe('ready');
  expect(await at(SECOND)).toMatchObject(refused);
  expect(await at(FIRST)).toMatchObject(refused);

  const actions = (await auditOf(cloud, device.uid)).map(({ action }) => action);
  expect(actions.filter((action) => action === 'device.recovered')).toHaveLength(2);
  // The two mails are sent side by side, so either may come first.
  const mails = [await cloud.mail(owner.email), await cloud.mail(owner.email)];
  for (const { subject } of mails) expect(subject).toBe('The device of barn was restored from a backup');
  const texts = mails.map(({ text }) => text).join();
  for (const address of ['198.51.100.9', '203.0.113.7']) expect(texts).toContain(address);
});

it('a device whose version reports no installation goes on as before', async () => {
  const device = await newDevice();
  await connect(cloud, device, { installation: FIRST ?? '' });
  expect((await connect(cloud, device)).status).toBe(200);
  expect((await connect(cloud, device, { installation: 'too short' })).status).toBe(400);
});
