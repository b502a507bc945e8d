import type { SiteRevocation } from '@heliograph/contracts';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Scene, setScene } from '../../../test/sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let scene: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
});
beforeEach(async () => {
  // A handover of a test before ends after thirty days, and revokes what its former owner had.
  await cloud.db.deleteFrom('site_transfers').execute();
  cloud.clock.advance(8 * DAY_MS);
  scene = await setScene(cloud);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The revocations in the answer to an announcement. */
async function revocations(since?: string): Promise<unknown> {
  return (await answerTo(since)).revocations;
}

async function answerTo(since?: string): Promise<Record<string, unknown>> {
  const query = since === undefined ? '' : `?revocations_since=${encodeURIComponent(since)}`;
  const { status, body } = await cloud.call(`PUT /api/v1/proxies/us-1${query}`, {
    token: await cloud.proxyCredential('us-1'),
    body: { host: 'us-1.example.org', url: 'https://us-1.example.org', region: 'us', sessions: [] },
  });
  expect(status).toBe(200);
  return body;
}

const now = () => new Date(cloud.clock.now()).toISOString();
const remove = (userId: number) =>
  cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${userId}`, { token: scene.owner.token });
const make = (userId: number, role: string) =>
  cloud.call(`PATCH /api/v1/sites/${scene.site}/users/${userId}`, {
    token: scene.owner.token,
    body: { role },
  });

it('proxies get the accounts that lost access or write access, the oldest revocation first', async () => {
  const { site, admin, member } = scene;
  const first = now();
  await make(admin.id, 'member');
  cloud.clock.advance(MINUTE_MS);
  await remove(member.id);
  expect(await revocations()).toEqual([
    { site_id: site, subject: `user:${admin.id}`, user_id: admin.id, revoked_at: first },
    { site_id: site, subject: `user:${member.id}`, user_id: member.id, revoked_at: now() },
  ]);
});

it('nothing is revoked when an account gains rights or keeps write access after a transfer', async () => {
  await make(scene.member.id, 'admin');
  await make(scene.member.id, 'owner');
  expect(await revocations()).toEqual([]);
});

it('the newest revocation of an account replaces the older ones', async () => {
  const { site, admin } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(MINUTE_MS);
  await remove(admin.id);
  expect(await revocations()).toEqual([
    { site_id: site, subject: `user:${admin.id}`, user_id: admin.id, revoked_at: now() },
  ]);
});

it('a proxy gets the revocations it lacks, and those of the last minute again', async () => {
  const { admin, member, guest } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(2 * MINUTE_MS);
  await remove(member.id);
  cloud.clock.advance(MINUTE_MS / 2);
  const { revocations_next: next, revocations_more: more } = await answerTo();
  expect(more).toBe(false);
  cloud.clock.advance(MINUTE_MS);
  await remove(guest.id);
  expect(await revocations(String(next))).toMatchObject([{ user_id: member.id }, { user_id: guest.id }]);
});

it('revocations beyond the limit of one answer follow in the next, with none left out', async () => {
  const [SITES, SUBJECTS] = [100, 105];
  const { site, member, admin } = scene;
  await sql`insert into sites (name, region, owner_id, organization_id)
    select 'many-' || i, region, owner_id, organization_id from sites, generate_series(1, ${SITES}::integer) as i
    where sites.id = ${site}`.execute(cloud.db);
  await make(admin.id, 'member');
  cloud.clock.advance(1_000);
  await sql`insert into site_token_revocations
    select id, 'token:' || nth, ${member.id}::integer, ${now()}::timestamptz from sites, generate_series(1, ${SUBJECTS}::integer) as nth
    where name like 'many-%'`.execute(cloud.db);
  const received = new Set<string>();
  const receive = async (since?: string): Promise<string> => {
    const answer = await answerTo(since);
    for (const one of answer.revocations as SiteRevocation[]) received.add(`${one.site_id} ${one.subject}`);
    const next = String(answer.revocations_next);
    return answer.revocations_more === true ? receive(next) : next;
  };
  const next = await receive();
  expect(received.size).toBe(SITES * SUBJECTS + 1);
  cloud.clock.advance(5_000);
  await remove(member.id);
  await receive(next);
  expect(received).toContain(`${site} user:${member.id}`);
  cloud.clock.advance(2 * MINUTE_MS);
  expect(await revocations(await receive(next))).toEqual([]);
});

it('revocations are listed for the lifetime of a site token', async () => {
  const { admin } = scene;
  await make(admin.id, 'member');
  cloud.clock.advance(7 * DAY_MS);
  expect(await revocations()).toHaveLength(1);
  cloud.clock.advance(1);
  expect(await revocations()).toEqual([]);
  for (const since of ['2000-01-01T00:00:00Z', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59Z']) {
    expect(await revocations(since)).toEqual([]);
  }
});

it.each(['yesterday', '', '2026-13-45T00:00:00Z', '0'])(
  'the parameter revocations_since "%s" is refused with 400',
  async (since) => {
    const { status } = await cloud.call(`PUT /api/v1/proxies/us-1?revocations_since=${since}`, {
      token: await cloud.proxyCredential('us-1'),
      body: { host: 'us-1.example.org', url: 'https://us-1.example.org', region: 'us', sessions: [] },
    });
    expect(status).toBe(400);
  },
);

describe('a site token and the removal of the member who holds it', () => {
  /** The issue date in a site token, in milliseconds. */
  async function issued(token: string): Promise<number> {
    const { status, body } = await cloud.call(`POST /api/v1/sites/${scene.site}/authorize`, { token });
    expect(status).toBe(200);
    return (decodeJwt(String(body.token)).iat ?? 0) * 1000;
  }

  async function revokedAt(): Promise<number> {
    const [revocation] = (await revocations()) as SiteRevocation[];
    return Date.parse(revocation?.revoked_at ?? '');
  }

  beforeEach(async () => {
    cloud.clock.advance(1_000 - (cloud.clock.now() % 1_000));
    await revocations();
  });

  it('a removal ends a token issued in the same second, and no token issued after the member is back', async () => {
    const { admin, owner, site } = scene;
    const before = await issued(admin.token);
    await remove(admin.id);
    expect(await revokedAt()).toBeGreaterThan(before);
    cloud.clock.advance(500);
    await cloud.call(`POST /api/v1/sites/${site}/users`, {
      token: owner.token,
      body: { email: admin.email, role: 'admin', first_name: 'Ad', last_name: 'Min' },
    });
    const after = await issued(admin.token);
    expect(after).toBeGreaterThanOrEqual(await revokedAt());
    await remove(admin.id);
    expect(await revokedAt()).toBeGreaterThan(after);
  });

  it('a removal ends a token issued by a process whose clock is ahead', async () => {
    cloud.clock.advance(5_000);
    const ahead = await issued(scene.admin.token);
    cloud.clock.advance(-5_000);
    await issued(scene.admin.token);
    await remove(scene.admin.id);
    const first = await revokedAt();
    expect(first).toBeGreaterThan(ahead);
    // A second revocation does not restore tokens that the first one ended.
    await cloud.make.member(scene.site, scene.admin.id, 'member');
    await remove(scene.admin.id);
    expect(await revokedAt()).toBeGreaterThanOrEqual(first);
  });
});
