import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROXY_SECRET, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const state = (uid: string) =>
  cloud.db
    .selectFrom('devices')
    .select(['online', 'proxy_name as proxy', 'last_seen_at as seen'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow();

async function newSession(): Promise<{ uid: string; site_id: number }> {
  const site = await cloud.make.site();
  return { uid: site.uid, site_id: site.id };
}

const now = () => new Date(cloud.clock.now());

describe('a proxy that announces itself', () => {
  it('brings exactly the devices it lists online', async () => {
    const [listed, unlisted] = [await newSession(), await newSession()];
    expect(await cloud.announce('a-1', { sessions: [listed] })).toMatchObject({ status: 200, body: {} });
    expect(await state(listed.uid)).toEqual({ online: true, proxy: 'a-1', seen: now() });
    expect(await state(unlisted.uid)).toEqual({ online: false, proxy: null, seen: null });
  });

  it('takes those it lists no longer offline, and keeps when they were last seen', async () => {
    const [stays, goes] = [await newSession(), await newSession()];
    await cloud.announce('b-1', { sessions: [stays, goes] });
    const seen = now();
    cloud.clock.advance(5_000);
    await cloud.announce('b-1', { sessions: [stays] });
    expect(await state(goes.uid)).toEqual({ online: false, proxy: 'b-1', seen });
    expect(await state(stays.uid)).toMatchObject({ online: true });
    cloud.clock.advance(3_600_000);
    await cloud.announce('b-1', { sessions: [] });
    expect(await state(stays.uid)).toMatchObject({ online: false });
    expect(await state(goes.uid)).toEqual({ online: false, proxy: 'b-1', seen });
  });

  it('moves last_seen_at of a device that stays about once a minute', async () => {
    const session = await newSession();
    const moves = new Set<number | undefined>();
    for (let elapsedS = 0; elapsedS < 300; elapsedS += 10) {
      await cloud.announce('c-1', { sessions: [session] });
      const { seen } = await state(session.uid);
      moves.add(seen?.getTime());
      expect(cloud.clock.now() - (seen?.getTime() ?? 0)).toBeLessThan(75_000);
      cloud.clock.advance(10_000);
    }
    expect(moves.size).toBeGreaterThanOrEqual(4);
    expect(moves.size).toBeLessThanOrEqual(6);
  });

  it('takes over a device that came from another proxy', async () => {
    const session = await newSession();
    await cloud.announce('d-1', { sessions: [session] });
    await cloud.announce('d-2', { sessions: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'd-2' });
    await cloud.announce('d-1', { sessions: [] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'd-2' });
  });

  it('does not take back a device that was told to dial another proxy and did', async () => {
    const session = await newSession();
    await cloud.announce('e-1', { sessions: [session] });
    await cloud.announce('e-2');
    await cloud.db
      .updateTable('devices')
      .set({ assigned_proxy: 'e-2' })
      .where('uid', '=', session.uid)
      .execute();
    await cloud.announce('e-2', { sessions: [session] });
    // The other end of the old connection has not noticed yet.
    await cloud.announce('e-1', { sessions: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'e-2' });
    // It is true all the same when nobody else has the device.
    await cloud.announce('e-2', { sessions: [] });
    await cloud.announce('e-1', { sessions: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'e-1' });
  });

  it('shows in the site', async () => {
    const owner = await cloud.make.user();
    const site = await cloud.make.site({ ownerId: owner.id });
    await cloud.announce('f-1', { sessions: [{ uid: site.uid, site_id: site.id }] });
    const { body } = await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token });
    expect(body).toMatchObject({ proxy: 'f-1', last_seen_at: now().toISOString() });
    const online = await cloud.call('GET /api/v1/sites?q=online:true', { token: owner.token });
    expect(online.body).toHaveLength(1);
  });

  it('may list thousands, and devices nobody knows', async () => {
    const sessions = Array.from({ length: 20_000 }, (_, i) => ({
      uid: `unknown-device-number-${i}`,
      site_id: i,
    }));
    expect((await cloud.announce('g-1', { sessions })).status).toBe(200);
  });

  it('may announce the same devices as others at the same moment', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, newSession));
    const rounds = Array.from({ length: 40 }, (_, i) =>
      cloud.announce(`h-${i % 4}`, { sessions: i % 3 === 0 ? sessions.toReversed() : sessions }),
    );
    const answers = await Promise.all(rounds);
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it.each<[string, string | undefined]>([
    ['no secret', undefined],
    ['another secret', `${PROXY_SECRET}x`],
    ['a part of the secret', PROXY_SECRET.slice(0, -1)],
  ])('is refused with %s', async (_what, token) => {
    const body = { host: 'evil.example.org', url: 'https://evil.example.org', region: 'us', sessions: [] };
    expect((await cloud.call('PUT /api/v1/proxies/evil', { token, body })).status).toBe(401);
    const known = await cloud.db.selectFrom('proxies').select('name').where('name', '=', 'evil').execute();
    expect(known).toEqual([]);
  });

  it("is refused with a user's token", async () => {
    const { token } = await cloud.make.user({ staff: true });
    expect((await cloud.call('PUT /api/v1/proxies/evil', { token, body: {} })).status).toBe(401);
  });

  it.each([
    ['host with a path', { host: 'a.example.org/x' }],
    ['empty host', { host: '' }],
    ['url of another scheme', { url: 'ftp://a.example.org' }],
    ['url that is none', { url: 'nonsense' }],
    ['sessions of another type', { sessions: {} }],
  ])('is refused with a %s', async (_what, changes) => {
    const body = {
      host: 'a.example.org',
      url: 'https://a.example.org',
      region: 'us',
      sessions: [],
      ...changes,
    };
    const { status } = await cloud.call('PUT /api/v1/proxies/a', { token: PROXY_SECRET, body });
    expect(status).toBe(400);
  });
});
