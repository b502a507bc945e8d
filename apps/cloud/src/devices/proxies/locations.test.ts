import { JwksKeys, verifyRelayToken } from '@heliograph/wire';
import type { JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let site: { id: number; uid: string };
beforeAll(async () => {
  cloud = await startTestCloud();
  site = await cloud.make.site({ name: 'Meadow' });
});
beforeEach(async () => {
  await cloud.announce('us-1', { sessions: [{ uid: site.uid, site_id: site.id }] });
  await cloud.announce('us-2');
  await cloud.announce('eu-1', { region: 'eu' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const where = async (asking: string, what: string, token?: string) =>
  cloud.call(`GET /api/v1/proxies/${asking}/${what}`, {
    token: token ?? (await cloud.proxyCredential(asking)),
  });

it('the location of a site is the proxy of its device, with a relay token', async () => {
  const { status, body } = await where('us-2', `sites/${site.id}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      site_id: site.id,
      site_name: 'Meadow',
      online: true,
      last_seen_at: new Date(cloud.clock.now()).toISOString(),
      proxy: { name: 'us-1', url: 'https://us-1.example.org' },
      relay_token: expect.any(String),
    },
  });
  const keys = new JwksKeys({
    fetch: async () => (await (await fetch(`${cloud.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
  });
  const verify = (proxy: string) =>
    verifyRelayToken(String(body.relay_token), keys, proxy, cloud.clock.now());
  expect(await verify('us-1')).toEqual({ from: 'us-2', to: 'us-1' });
  await expect(verify('eu-1')).rejects.toThrow('another proxy');
});

it('the proxy that holds a device gets no relay token', async () => {
  expect((await where('us-1', `sites/${site.id}`)).body).toMatchObject({ online: true, relay_token: null });
});

it.each([
  ['us-2', 'meadow', 200],
  ['us-1', 'MEADOW', 200],
  ['us-2', 'mead', 404],
  ['eu-1', 'meadow', 404],
  ['unheard-of', 'meadow', 404],
  ['us-2', '%00', 400],
  ['us-2', '%25', 404],
])('the proxy %s looks up the name %s in its own region: %i', async (asking, name, expected) => {
  const { status, body } = await where(asking, `site_names/${name}`);
  expect(status).toBe(expected);
  if (expected === 200) expect(body).toMatchObject({ site_id: site.id, site_name: 'Meadow', online: true });
});

it.each([[0], [2_147_483_647], [2_147_483_648], ['x']])(
  'the location of site %s is answered 404',
  async (id) => {
    expect((await where('us-1', `sites/${id}`)).status).toBe(404);
  },
);

it('a call without the credential of a proxy is refused', async () => {
  const { token } = await cloud.make.user({ staff: true });
  for (const what of [`sites/${site.id}`, 'site_names/meadow']) {
    expect((await where('us-1', what, token)).status).toBe(401);
  }
});

it('a site is offline without a device and after its proxy fell silent, then with last_seen_at', async () => {
  const bare = await cloud.make.site();
  const nowhere = { online: false, proxy: null, relay_token: null };
  expect((await where('us-2', `sites/${bare.id}`)).body).toMatchObject({ ...nowhere, last_seen_at: null });
  const seen = new Date(cloud.clock.now()).toISOString();
  cloud.clock.advance(21_000);
  await cloud.announce('us-2');
  expect((await where('us-2', `sites/${site.id}`)).body).toMatchObject({ ...nowhere, last_seen_at: seen });
});
