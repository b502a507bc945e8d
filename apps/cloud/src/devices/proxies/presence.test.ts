import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inBatches } from '../../../test/in-batches.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let staff: string;
beforeAll(async () => {
  cloud = await startTestCloud();
  staff = (await cloud.make.user({ staff: true })).token;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** The presence of a device as operators see it. */
async function state(uid: string) {
  const { body } = await cloud.call(`GET /api/v1/devices/${uid}`, { token: staff });
  return { online: body.online, proxy: body.proxy, seen: body.last_seen_at };
}

async function newSession(): Promise<{ uid: string; site_id: number }> {
  const site = await cloud.make.site();
  return { uid: site.uid, site_id: site.id };
}

const now = () => new Date(cloud.clock.now()).toISOString();

describe('PUT /proxies/:name', () => {
  it('the listed devices are online, and no others', async () => {
    const [listed, unlisted] = [await newSession(), await newSession()];
    expect(await cloud.announce('a-1', { sessions: [listed] })).toMatchObject({ status: 200, body: {} });
    expect(await state(listed.uid)).toEqual({ online: true, proxy: 'a-1', seen: now() });
    expect(await state(unlisted.uid)).toEqual({ online: false, proxy: null, seen: null });
  });

  it('devices no longer listed go offline, last seen at the announcement before', async () => {
    const [stays, goes] = [await newSession(), await newSession()];
    await cloud.announce('b-1', { sessions: [stays, goes] });
    const seen = now();
    cloud.clock.advance(5_000);
    await cloud.announce('b-1', { sessions: [stays] });
    expect(await state(goes.uid)).toEqual({ online: false, proxy: 'b-1', seen });
    expect(await state(stays.uid)).toEqual({ online: true, proxy: 'b-1', seen: now() });
    cloud.clock.advance(3_600_000);
    await cloud.announce('b-1', { sessions: [] });
    expect(await state(stays.uid)).toMatchObject({ online: false });
    expect(await state(goes.uid)).toEqual({ online: false, proxy: 'b-1', seen });
  });

  it('an announcement updates last_seen_at of its devices without writing their rows', async () => {
    const session = await newSession();
    const row = () =>
      sql<{ version: string }>`select xmin::text as version from devices where uid = ${session.uid}`
        .execute(cloud.db)
        .then(({ rows }) => rows[0]?.version);
    await cloud.announce('c-1', { sessions: [session] });
    const written = await row();
    for (let n = 0; n < 3; n++) {
      cloud.clock.advance(10_000);
      await cloud.announce('c-1', { sessions: [session] });
      expect(await state(session.uid)).toEqual({ online: true, proxy: 'c-1', seen: now() });
    }
    expect(await row()).toBe(written);
    const seen = now();
    // Killed, and started again an hour later.
    cloud.clock.advance(3_600_000);
    expect(await state(session.uid)).toEqual({ online: false, proxy: 'c-1', seen });
    await cloud.announce('c-1');
    expect(await state(session.uid)).toEqual({ online: false, proxy: 'c-1', seen });
  });

  it('a search by last_seen_after finds the devices of a proxy', async () => {
    const owner = await cloud.make.user();
    const [here, gone] = [
      await cloud.make.site({ ownerId: owner.id, name: 'here' }),
      await cloud.make.site({ ownerId: owner.id, name: 'gone' }),
    ];
    const [stays, leaves] = [here, gone].map(({ uid, id }) => ({ uid, site_id: id }));
    if (stays === undefined || leaves === undefined) throw new Error('no sessions');
    const before = new Date(cloud.clock.now() - 1).toISOString();
    await cloud.announce('c-2', { sessions: [stays, leaves] });
    const meanwhile = now();
    cloud.clock.advance(5_000);
    await cloud.announce('c-2', { sessions: [stays] });
    const seenAfter = async (date: string) => {
      const { body } = await cloud.call<{ name: string }[]>(`GET /api/v1/sites?q=last_seen_after:${date}`, {
        token: owner.token,
      });
      return body.map(({ name }) => name);
    };
    expect(await seenAfter(before)).toEqual(['gone', 'here']);
    expect(await seenAfter(meanwhile)).toEqual(['here']);
    expect(await seenAfter(now())).toEqual([]);
    // The silence of a proxy does not change their last_seen_at.
    cloud.clock.advance(60_000);
    expect(await seenAfter(meanwhile)).toEqual(['here']);
  });

  it("sessions for another site than the device's are ended and not online", async () => {
    const [good, moved] = [await newSession(), await newSession()];
    const sessions = [good, { ...moved, site_id: good.site_id }, { uid: 'nobody-knows-it', site_id: 1 }];
    const { body } = await cloud.announce('c-3', { sessions });
    expect(new Set(body.revoked as string[])).toEqual(new Set([moved.uid, 'nobody-knows-it']));
    expect(await state(good.uid)).toMatchObject({ online: true });
    expect(await state(moved.uid)).toMatchObject({ online: false, proxy: null });
    const { body: unlikely } = await cloud.announce('c-3', { sessions: [{ ...good, site_id: 1e300 }] });
    expect(unlikely.revoked).toEqual([good.uid]);
    expect(await state(good.uid)).toMatchObject({ online: false });
  });

  it('devices returning to a restarted proxy stay online until its next full announcement', async () => {
    const [back, lost] = [await newSession(), await newSession()];
    await cloud.announce('r-1', { sessions: [back, lost] });
    await cloud.announce('r-1', { sessions: [], returning: true });
    expect(await state(back.uid)).toMatchObject({ online: true });
    expect(await state(lost.uid)).toMatchObject({ online: true });
    await cloud.announce('r-1', { sessions: [back] });
    expect(await state(back.uid)).toMatchObject({ online: true });
    expect(await state(lost.uid)).toMatchObject({ online: false });
  });

  it('devices of a proxy that was silent for long go offline, last seen before its silence', async () => {
    const lost = await newSession();
    await cloud.announce('r-2', { sessions: [lost] });
    const seen = now();
    cloud.clock.advance(60_000);
    await cloud.announce('r-2', { sessions: [], returning: true });
    expect(await state(lost.uid)).toMatchObject({ online: false, seen });
  });

  it('a device that came from another proxy is online on the new one', async () => {
    const session = await newSession();
    await cloud.announce('d-1', { sessions: [session] });
    await cloud.assign('d-2', [session.uid]);
    await cloud.announce('d-2', { sessions: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'd-2' });
    await cloud.announce('d-1', { sessions: [] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'd-2' });
  });

  it('a device that moved to its assigned proxy stays there', async () => {
    const session = await newSession();
    await cloud.announce('e-1', { sessions: [session] });
    await cloud.announce('e-2');
    await cloud.assign('e-2', [session.uid]);
    await cloud.announce('e-2', { sessions: [session] });
    // The other end of the old connection has not noticed yet.
    await cloud.announce('e-1', { sessions: [session] });
    expect(await state(session.uid)).toMatchObject({ online: true, proxy: 'e-2' });
    // When no other proxy has the device, it has to call the cloud.
    await cloud.announce('e-2', { sessions: [] });
    const { body } = await cloud.announce('e-1', { sessions: [session] });
    expect(body.revoked).toEqual([session.uid]);
    expect(await state(session.uid)).toMatchObject({ online: false, proxy: 'e-2' });
  });

  it('a proxy cannot claim a device that the cloud never sent to it', async () => {
    const [online, offline] = [await newSession(), await newSession()];
    await cloud.announce('own-1', { sessions: [online, offline] });
    await cloud.announce('own-1', { sessions: [online] });
    const claimed = await cloud.announce('thief-1', {
      run: 'first',
      sequence: 1,
      sessions: [online, offline],
    });
    expect(claimed.body.revoked).toEqual([offline.uid]);
    await cloud.announceChange('thief-1', { sequence: 2, added: [online, offline] });
    expect(await state(online.uid)).toMatchObject({ online: true, proxy: 'own-1' });
    expect(await state(offline.uid)).toMatchObject({ online: false, proxy: 'own-1' });
  });

  it('the site shows the proxy and the presence of its device', async () => {
    const owner = await cloud.make.user();
    const site = await cloud.make.site({ ownerId: owner.id });
    await cloud.announce('f-1', { sessions: [{ uid: site.uid, site_id: site.id }] });
    const { body } = await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token });
    expect(body).toMatchObject({ proxy: 'f-1', last_seen_at: now() });
    const online = await cloud.call('GET /api/v1/sites?q=online:true', { token: owner.token });
    expect(online.body).toHaveLength(1);
  });

  it('an announcement of thousands of devices, known and unknown, is accepted', async () => {
    const [KNOWN, UNKNOWN] = [500, 19_500];
    const owner = await cloud.make.user();
    const { rows: real } = await sql<{ uid: string; site_id: number }>`
      with made as (
        insert into sites (name, region, owner_id)
        select 'many-' || i, 'us', ${owner.id} from generate_series(1, ${KNOWN}::int) as i returning id
      )
      insert into devices (uid, site_id) select 'many-' || id, id from made returning uid, site_id`.execute(
      cloud.db,
    );
    const unknown = Array.from({ length: UNKNOWN }, (_, i) => ({ uid: `unknown-device-${i}`, site_id: i }));
    const held = async () => {
      const { count } = await cloud.db
        .selectFrom('devices')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('online', '=', true)
        .where('proxy_name', '=', 'g-1')
        .executeTakeFirstOrThrow();
      return Number(count);
    };
    const { status, body } = await cloud.announce('g-1', { sessions: [...unknown, ...real] });
    expect({ status, revoked: (body.revoked as string[]).length }).toEqual({ status: 200, revoked: UNKNOWN });
    expect(await held()).toBe(KNOWN);
    expect((await cloud.announce('g-1')).status).toBe(200);
    expect(await held()).toBe(0);
  });

  it('the newest of two overlapping announcements of a proxy counts', async () => {
    const session = await newSession();
    await cloud.assign('g-2', [session.uid]);
    const run = 'first';
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const blocker = cloud.db.transaction().execute(async (tx) => {
      await tx.selectFrom('devices').select('uid').where('uid', '=', session.uid).forUpdate().execute();
      lock();
      await released;
    });
    await locked;
    const slow = cloud.announce('g-2', { run, sequence: 0, sessions: [session] });
    await expect.poll(() => cloud.waitingForLocks()).toBe(1);
    const next = cloud.announce('g-2', { run: 'second', sequence: 0 });
    await expect.poll(() => cloud.waitingForLocks()).toBe(2);
    release();
    await blocker;
    expect([200, 409]).toContain((await slow).status);
    expect((await next).status).toBe(200);
    expect(await state(session.uid)).toMatchObject({ online: false });
    expect((await cloud.announceChange('g-2', { run, sequence: 1 })).status).toBe(409);
  });

  it('several proxies can announce the same devices concurrently', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, newSession));
    const answers = await inBatches(40, (i) =>
      cloud.announce(`h-${i % 4}`, { sessions: i % 3 === 0 ? sessions.toReversed() : sessions }),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it.each([
    ['host with a path', { host: 'a.example.org/x' }],
    ['empty host', { host: '' }],
    ['url of another scheme', { url: 'ftp://a.example.org' }],
    ['url that is none', { url: 'nonsense' }],
    ['region domain with a port', { region_domain: 'us.example.org:8443' }],
    ['region domain that is empty', { region_domain: '' }],
    ['capacity of none', { capacity: 0 }],
    ['sessions of another type', { sessions: {} }],
  ])('an announcement with a %s is refused with 400', async (_what, changes) => {
    const body = {
      host: 'a.example.org',
      url: 'https://a.example.org',
      region: 'us',
      sessions: [],
      ...changes,
    };
    const { status } = await cloud.call('PUT /api/v1/proxies/a', {
      token: await cloud.proxyCredential('a'),
      body,
    });
    expect(status).toBe(400);
  });
});
