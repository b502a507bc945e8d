import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { SITE_ID, startTestCloud, type TestCloud } from '../../../test/cloud/uplink/test-cloud.ts';
import { startWholeDevice, type WholeDevice } from '../../../test/whole-device.ts';
import { READ_ONLY } from '../../access/caller.ts';

/** Patience for a loaded machine, in milliseconds. */
const PATIENCE_MS = 30_000;

let cloud: TestCloud;
let device: WholeDevice;
beforeAll(async () => {
  cloud = await startTestCloud();
  cloud.answer = {
    status: 'ready',
    site_id: SITE_ID,
    site_name: null,
    proxy: { name: 'away', url: 'http://127.0.0.1:1' },
    tunnel_token: 'a tunnel token',
  };
  device = await startWholeDevice('connections: []\nmdns: false\n', { env: { CLOUD_URL: cloud.url } });
  await vi.waitFor(
    async () => expect(await device.answer('/api/v1/session')).toMatchObject({ site_id: SITE_ID }),
    PATIENCE_MS,
  );
});
afterAll(async () => {
  await device?.stop();
  await cloud?.stop();
});

const CONFIGURING: readonly (readonly [string, string])[] = [
  ['GET', '/api/v1/configuration'],
  ['PATCH', '/api/v1/configuration'],
  ['POST', '/api/v1/probe'],
  ['GET', '/api/v1/links'],
  ['GET', '/api/v1/claim'],
];

const call = async (method: string, path: string, token: string) => {
  const answer = await fetch(device.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

it.each(CONFIGURING)(
  '%s %s is for site tokens that may configure, not for all that may write',
  async (method, path) => {
    const [reads, writes, configures] = await Promise.all([
      cloud.siteToken({ access: 'read' }),
      cloud.siteToken(),
      cloud.siteToken({ mayConfigure: true }),
    ]);
    expect(await call(method, path, reads)).toEqual({
      status: 403,
      body: { error: READ_ONLY },
    });
    expect(await call(method, path, writes)).toEqual({
      status: 403,
      body: {
        error: expect.stringMatching(/^This token may change settings, but not configure the device: /),
      },
    });
    expect((await call(method, path, configures)).status).not.toBe(403);
  },
);

it('the session answers whether its token may write and whether it may configure', async () => {
  const session = async (claims: Parameters<TestCloud['siteToken']>[0]) =>
    (await call('GET', '/api/v1/session', await cloud.siteToken(claims))).body;
  expect(await session({ access: 'read' })).toMatchObject({ may_write: false, may_configure: false });
  expect(await session({})).toMatchObject({ may_write: true, may_configure: false });
  expect(await session({ mayConfigure: true })).toMatchObject({ may_write: true, may_configure: true });
});
