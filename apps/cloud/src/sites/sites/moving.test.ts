import { SESSION_SCOPES, type SiteOrganization } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
/** The installer that looks after the site, and the one that the owner goes to. */
let former: { id: number; boss: TestUser; clerk: TestUser };
let next: { id: number; boss: TestUser; clerk: TestUser };
let site: { id: number; uid: string; name: string | null };
beforeAll(async () => {
  cloud = await startTestCloud();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  former = await firm();
  next = await firm();
  owner = await cloud.make.user({ customerOf: next.id });
  site = await cloud.make.site({ ownerId: owner.id, organizationId: former.id });
});

async function firm() {
  const id = await cloud.make.organization();
  return { id, boss: await cloud.make.employee(id, 'admin'), clerk: await cloud.make.employee(id) };
}

const route = () => `/api/v1/sites/${site.id}/organization`;
const move = (to: number | null, { token }: { token: string } = owner) =>
  cloud.call(`PUT ${route()}`, { token, body: { organization_id: to } });
const show = ({ token }: { token: string }) => cloud.call(`GET /api/v1/sites/${site.id}`, { token });
const authorize = ({ token }: { token: string }) =>
  cloud.call(`POST /api/v1/sites/${site.id}/authorize`, { token });
const choicesOf = async ({ token }: { token: string }) =>
  (await cloud.call<SiteOrganization>(`GET ${route()}`, { token })).body.choices.map(({ id }) => id);
const revokedSubjects = async () => {
  const { body } = await cloud.announce('us-1');
  const revocations = body.revocations as { site_id: number; subject: string }[];
  return revocations.filter(({ site_id: id }) => id === site.id).map(({ subject }) => subject);
};

describe('moving a site to another organization', () => {
  it('employees of the former organization lose the site at once, and those of the new one see it', async () => {
    expect((await show(former.clerk)).status).toBe(200);
    expect((await show(next.clerk)).status).toBe(404);
    expect((await move(next.id)).status).toBe(204);
    expect((await show(former.clerk)).status).toBe(404);
    expect((await authorize(former.clerk)).status).toBe(404);
    expect((await show(next.clerk)).body).toMatchObject({ organization: { id: next.id } });
  });

  it('proxies end the streams of the former employees and of its tokens, and no others', async () => {
    const ofFormer = await cloud.make.token(owner.id, { kind: 'session', organizationId: former.id });
    for (const who of [former.clerk, owner, { token: ofFormer }])
      expect((await authorize(who)).status).toBe(200);
    await move(next.id);
    const subjects = await revokedSubjects();
    expect(subjects).toContain(`user:${former.clerk.id}`);
    expect(subjects).toContain(`user:${former.boss.id}`);
    expect(subjects).not.toContain(`user:${owner.id}`);
    expect(subjects.filter((subject) => subject.startsWith('token:'))).toHaveLength(1);
    expect((await show({ token: ofFormer })).status).toBe(404);
  });

  it('a former employee with a role on the site keeps it', async () => {
    await cloud.make.member(site.id, former.clerk.id, 'member');
    await move(next.id);
    expect((await show(former.clerk)).status).toBe(200);
    expect(await revokedSubjects()).not.toContain(`user:${former.clerk.id}`);
  });

  it('a site that leaves its organization belongs to none', async () => {
    expect((await move(null)).status).toBe(204);
    expect((await show(owner)).body).toMatchObject({ organization: null });
    expect((await show(former.boss)).status).toBe(404);
    expect((await move(null)).status).toBe(204);
  });

  it('the device of a site goes along, unless a third organization activated it', async () => {
    const device = (uid: string, { token }: TestUser) => cloud.call(`GET /api/v1/devices/${uid}`, { token });
    const set = (organizationId: number) =>
      cloud.db
        .updateTable('devices')
        .set({ organization_id: organizationId })
        .where('uid', '=', site.uid)
        .execute();
    await set(former.id);
    await move(next.id);
    expect((await device(site.uid, former.boss)).status).toBe(404);
    expect((await device(site.uid, next.boss)).status).toBe(200);
    const third = await firm();
    await set(third.id);
    await move(null);
    expect((await device(site.uid, third.boss)).status).toBe(200);
  });

  it('a support session with the former organization ends', async () => {
    const session = await cloud.make.recoverySession(site.id, former.id, { isActive: true });
    const read = async () =>
      (
        await cloud.call(`GET /api/v1/sites/${site.id}/recovery_sessions/${session}`, {
          token: await sessionOf(owner),
        })
      ).body;
    expect(await read()).toMatchObject({ state: 'active' });
    await move(next.id);
    expect(await read()).toMatchObject({ state: 'ended', end_reason: 'access_lost' });
  });

  it('each organization has it in its log, and the former one does not learn where the site went', async () => {
    await move(next.id);
    const log = async (organizationId: number, { token }: TestUser) =>
      (await cloud.call<object[]>(`GET /api/v1/organizations/${organizationId}/audit`, { token })).body[0];
    const about = { action: 'site.moved', actor: { id: owner.id } };
    expect(await log(next.id, next.boss)).toMatchObject({
      ...about,
      details: { name: site.name, from: former.id, to: next.id },
    });
    expect(await log(former.id, former.boss)).toMatchObject({
      ...about,
      details: { name: site.name, from: former.id, to: null },
    });
    const { body } = await cloud.call<object[]>(`GET /api/v1/sites/${site.id}/audit`, owner);
    expect(body[0]).toMatchObject({ ...about, details: { to: next.id } });
  });
});

const sessionOf = ({ id }: TestUser, ageMs = 0) =>
  cloud.make.token(id, {
    kind: 'session',
    scopes: SESSION_SCOPES,
    authenticatedAt: new Date(cloud.clock.now() - ageMs),
  });

describe('who moves a site', () => {
  it('the household moves it to an organization where their account may sign in', async () => {
    const { id: stranger } = await firm();
    expect(await choicesOf(owner)).toEqual(expect.arrayContaining([former.id, next.id]));
    expect(await choicesOf(owner)).not.toContain(stranger);
    expect(await move(stranger)).toMatchObject({
      status: 422,
      body: { errors: { organization_id: [expect.any(String)] } },
    });
    expect((await move(2_000_000_000)).status).toBe(422);
    const admin = await cloud.make.user();
    await cloud.make.member(site.id, admin.id, 'admin');
    expect((await move(null, admin)).status).toBe(204);
  });

  it('an admin of its organization does not let another one in, not even one that employs them', async () => {
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: next.id, user_id: former.boss.id, role: 'owner' })
      .execute();
    expect(await choicesOf(former.boss)).toEqual([]);
    expect((await move(next.id, former.boss)).status).toBe(422);
    expect((await move(null, former.boss)).status).toBe(204);
  });

  it('an operator moves it to any organization, and the owner is mailed', async () => {
    const operator = await cloud.make.user({ staff: true });
    expect((await move(next.id, operator)).status).toBe(204);
    const { subject, text } = await cloud.mail(owner.email);
    expect(subject).toBe(`${site.name} belongs to another organization`);
    const { body } = await cloud.call<{ name: string }>(`GET /api/v1/organizations/${next.id}`);
    expect(text).toContain(body.name);
  });

  it('the owner is mailed when the organization gives the site up, and not about their own doing', async () => {
    expect((await move(null, former.boss)).status).toBe(204);
    const { subject } = await cloud.mail(owner.email);
    expect(subject).toBe(`${site.name} belongs to no organization`);
    await move(next.id);
    expect(await cloud.mails(owner.email)).toHaveLength(1);
  });

  it('members, plain employees and employees of others do not move it', async () => {
    const guest = await cloud.make.user();
    await cloud.make.member(site.id, guest.id, 'member');
    expect((await move(null, guest)).status).toBe(403);
    expect((await move(null, former.clerk)).status).toBe(403);
    expect((await move(next.id, next.boss)).status).toBe(404);
    expect((await cloud.call(`GET ${route()}`, next.boss)).status).toBe(404);
  });

  it('a token of an organization knows no other', async () => {
    const token = await cloud.make.token(owner.id, { kind: 'api', organizationId: former.id });
    expect(await choicesOf({ token })).toEqual([former.id]);
    expect((await move(next.id, { token })).status).toBe(422);
  });

  it('a session moves it only with a fresh sign-in', async () => {
    expect((await move(next.id, { token: await sessionOf(owner, 16 * 60_000) })).status).toBe(403);
    expect((await move(next.id, { token: await sessionOf(owner) })).status).toBe(204);
  });

  it('a site that is moved to two organizations at once is in one of them', async () => {
    const token = await sessionOf(owner);
    await Promise.all([move(next.id, { token }), move(null, { token }), move(former.id, { token })]);
    const seen = await Promise.all([show(former.clerk), show(next.clerk)]);
    expect(seen.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});
