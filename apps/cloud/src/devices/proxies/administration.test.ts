import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let token: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  ({ token } = await cloud.make.user({ staff: true }));
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const operate = (route: string) => cloud.call(route, { token });
const list = async () => (await cloud.call<object[]>('GET /api/v1/proxies', { token })).body;

it('operators list, drain and delete proxies', async () => {
  expect(await list()).toEqual([]);
  await cloud.announce('us-2', { capacity: 7 });
  await cloud.announce('us-1', { region_domain: null });
  const announced = {
    region: 'us',
    drain_wanted: false,
    sessions: 0,
    announced_at: new Date(cloud.clock.now()).toISOString(),
  };
  const [first, second] = ['us-1', 'us-2'].map((name) => ({
    ...announced,
    name,
    host: `${name}.example.org`,
    url: `https://${name}.example.org`,
    state: 'open',
  }));
  expect(await list()).toEqual([
    { ...first, region_domain: null, capacity: 40_000 },
    { ...second, region_domain: 'us.example.org', capacity: 7 },
  ]);

  expect(await operate('POST /api/v1/proxies/us-1/drain')).toMatchObject({
    status: 200,
    body: { name: 'us-1', state: 'draining', drain_wanted: true },
  });
  expect((await cloud.announce('us-1')).body.drain).toBe(true);
  expect(await operate('POST /api/v1/proxies/us-1/undrain')).toMatchObject({
    body: { state: 'open', drain_wanted: false },
  });

  expect(await operate('DELETE /api/v1/proxies/us-1')).toMatchObject({
    status: 422,
    body: { error: expect.stringContaining('heard of') },
  });
  cloud.clock.advance(21_000);
  expect(await list()).toMatchObject([{ state: 'gone' }, { state: 'gone' }]);
  expect((await operate('DELETE /api/v1/proxies/us-1')).status).toBe(204);
  expect(await list()).toMatchObject([{ name: 'us-2' }]);
  const { body } = await cloud.call<object[]>('GET /api/v1/audit', { token });
  expect(body.slice(0, 3)).toMatchObject([
    { action: 'proxy.forgotten', via: 'api', details: { name: 'us-1' } },
    { action: 'proxy.drain_unwanted' },
    { action: 'proxy.drain_wanted' },
  ]);
});

it('an unknown proxy is answered 404', async () => {
  for (const route of [
    'POST /api/v1/proxies/nowhere/drain',
    'POST /api/v1/proxies/nowhere/undrain',
    'DELETE /api/v1/proxies/nowhere',
    'DELETE /api/v1/proxies/-',
  ]) {
    expect((await operate(route)).status).toBe(404);
  }
});
