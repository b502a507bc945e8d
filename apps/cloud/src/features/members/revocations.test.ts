import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PROXY_SECRET, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { type Scene, setScene } from './testing/scene.ts';

let cloud: TestCloud;
let scene: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  cloud.clock.advance(8 * DAY_MS);
  scene = await setScene(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What a proxy is told when it announces itself. */
async function told(since?: string): Promise<unknown> {
  const query = since === undefined ? '' : `?revocations_since=${encodeURIComponent(since)}`;
  const { status, body } = await cloud.call(`PUT /api/v1/proxies/us-1${query}`, {
    token: PROXY_SECRET,
    body: { host: 'us-1.example.org', url: 'https://us-1.example.org', region: 'us', sessions: [] },
  });
  expect(status).toBe(200);
  return body.revocations;
}

const now = () => new Date(cloud.clock.now()).toISOString();
const remove = (userId: number) =>
  cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${userId}`, { token: scene.owner.token });
const make = (userId: number, role: string) =>
  cloud.call(`PATCH /api/v1/sites/${scene.site}/users/${userId}`, {
    token: scene.owner.token,
    body: { role },
  });

it('proxies are told who lost access or writing access, the oldest first', async () => {
  const { site, admin, member } = scene;
  const first = now();
  await make(admin.id, 'member');
  cloud.clock.advance(MINUTE_MS);
  await remove(member.id);
  expect(await told()).toEqual([
    { site_id: site, user_id: admin.id, revoked_at: first },
    { site_id: site, user_id: member.id, revoked_at: now() },
  ]);
});

it('gaining rights, and staying able to write after handing over, revokes nothing', async () => {
  await make(scene.member.id, 'admin');
  await make(scene.member.id, 'owner');
  expect(await told()).toEqual([]);
});

it('only the newest of several counts', async () => {
  const { site, admin } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(MINUTE_MS);
  await remove(admin.id);
  expect(await told()).toEqual([{ site_id: site, user_id: admin.id, revoked_at: now() }]);
});

it('a proxy that knows some is told the rest, and a minute again', async () => {
  const { admin, member, guest } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(2 * MINUTE_MS);
  await remove(member.id);
  cloud.clock.advance(MINUTE_MS / 2);
  const known = now();
  cloud.clock.advance(MINUTE_MS);
  await remove(guest.id);
  expect(await told(known)).toMatchObject([{ user_id: member.id }, { user_id: guest.id }]);
});

it('they are told for as long as a site token lives', async () => {
  const { admin } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(7 * DAY_MS);
  expect(await told()).toHaveLength(1);
  cloud.clock.advance(1);
  expect(await told()).toEqual([]);
  for (const since of ['2000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59Z']) {
    expect(await told(since)).toEqual([]);
  }
});

it.each(['yesterday', '', '2026-13-45T00:00:00Z', '0'])('since "%s" is refused with 400', async (since) => {
  const { status } = await cloud.call(`PUT /api/v1/proxies/us-1?revocations_since=${since}`, {
    token: PROXY_SECRET,
    body: { host: 'us-1.example.org', url: 'https://us-1.example.org', region: 'us', sessions: [] },
  });
  expect(status).toBe(400);
});
