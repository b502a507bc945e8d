import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let site: { id: number; uid: string; name: string | null };
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user();
  site = await cloud.make.site({ ownerId: owner.id });
});

const release = (id = site.id, token = owner.token) => cloud.call(`DELETE /api/v1/sites/${id}`, { token });

describe('releasing a site', () => {
  it('a released site is gone with its name, and its device is registered again by another account', async () => {
    const name = `roof-${site.id}`;
    await cloud.call(`PATCH /api/v1/sites/${site.id}/name`, { token: owner.token, body: { name } });
    expect((await release()).status).toBe(204);
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token })).status).toBe(404);
    expect((await release()).status).toBe(404);
    const other = await cloud.make.user();
    const body = { uid: site.uid, name };
    const again = await cloud.call('POST /api/v1/sites/register', { token: other.token, body });
    expect(again).toMatchObject({ status: 200, body: { name } });
    expect(again.body.id).not.toBe(site.id);
  });

  it('the proxy that holds the device ends its session, and connections of the site end', async () => {
    const client = await cloud.make.application(await cloud.make.organization());
    await cloud.make.grant(owner.id, { clientId: client, siteId: site.id });
    const session = { uid: site.uid, site_id: site.id };
    await cloud.announce('us-1', { sessions: [session] });
    expect((await release()).status).toBe(204);
    const { body } = await cloud.announce('us-1', { sessions: [session] });
    expect(body.revoked).toEqual([site.uid]);
    expect((await cloud.call('GET /api/v1/user/connections', { token: owner.token })).body).toEqual([]);
  });

  it('the audit log of the service has who released which device', async () => {
    await release();
    const operator = await cloud.make.user({ staff: true });
    const route = 'GET /api/v1/audit?action=site.released';
    const { body } = await cloud.call<object[]>(route, { token: operator.token });
    expect(body[0]).toMatchObject({
      actor: { id: owner.id },
      site_id: site.id,
      device_uid: site.uid,
      details: { name: site.name },
    });
  });

  it('members read that a released site is gone, and the owner who released it is not mailed', async () => {
    const [admin, member] = [await cloud.make.user(), await cloud.make.user()];
    await cloud.db.updateTable('users').set({ locale: 'de' }).where('id', '=', member.id).execute();
    await cloud.make.member(site.id, admin.id, 'admin');
    await cloud.make.member(site.id, member.id, 'member');
    expect((await release()).status).toBe(204);
    const toAdmin = await cloud.mail(admin.email);
    expect(toAdmin.subject).toBe(`${site.name} was released`);
    expect(toAdmin.text).toContain('Your access to it has ended.');
    expect(toAdmin.text).toContain(`${cloud.url}/sites`);
    expect(toAdmin.text).not.toContain(owner.email);
    expect((await cloud.mail(member.email)).subject).toBe(`${site.name} wurde freigegeben`);
    expect(await cloud.mails(owner.email)).toEqual([]);
  });

  it('an owner whose site an operator released reads when that was, and no name of the operator', async () => {
    const operator = await cloud.make.user({ staff: true, lastName: 'Operatoria' });
    const token = await cloud.make.token(operator.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await release(site.id, token)).status).toBe(204);
    const { subject, text } = await cloud.mail(owner.email);
    expect(subject).toBe(`${site.name} was released`);
    expect(text).toContain('Heliograph did this on');
    expect(text).not.toContain('Operatoria');
    expect(await cloud.mails(operator.email)).toEqual([]);
  });

  it('an account that has not confirmed its address, and one of a site that was not released, get no mail', async () => {
    const stranger = await cloud.make.user({ confirmed: false });
    const heir = await cloud.make.user();
    await cloud.make.member(site.id, stranger.id, 'member');
    await cloud.make.member(site.id, heir.id, 'member');
    expect((await release(site.id, heir.token)).status).toBe(403);
    expect((await release()).status).toBe(204);
    await cloud.mail(heir.email);
    expect(await cloud.mails(heir.email)).toHaveLength(1);
    expect(await cloud.mails(stranger.email)).toEqual([]);
  });

  it('admins, members and employees do not release a site, and operators do in person', async () => {
    const organizationId = await cloud.make.organization();
    const { id } = await cloud.make.site({ ownerId: owner.id, organizationId });
    const admin = await cloud.make.user();
    await cloud.make.member(id, admin.id, 'admin');
    const boss = await cloud.make.employee(organizationId, 'owner');
    expect((await release(id, admin.token)).status).toBe(403);
    expect((await release(id, boss.token)).status).toBe(403);
    expect((await release(id, (await cloud.make.user()).token)).status).toBe(404);
    const operator = await cloud.make.user({ staff: true });
    expect((await release(id, operator.token)).status).toBe(403);
    const token = await cloud.make.token(operator.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await release(id, token)).status).toBe(204);
  });

  it('a session releases a site only with a fresh sign-in', async () => {
    const session = (authenticatedAt: Date) =>
      cloud.make.token(owner.id, { kind: 'session', scopes: SESSION_SCOPES, authenticatedAt });
    const now = cloud.clock.now();
    expect((await release(site.id, await session(new Date(now - 16 * 60_000)))).status).toBe(403);
    expect((await release(site.id, await session(new Date(now)))).status).toBe(204);
  });

  it('a site that is released twice at once is released once, and one that is handed over meanwhile is whole', async () => {
    const both = await Promise.all([release(), release()]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404]);
    const heir = await cloud.make.user();
    const { id } = await cloud.make.site({ ownerId: owner.id });
    const body = { email: heir.email, role: 'owner', first_name: 'He', last_name: 'Ir' };
    const [released, handed] = await Promise.all([
      release(id),
      cloud.call(`POST /api/v1/sites/${id}/users`, { token: owner.token, body }),
    ]);
    const seen = await cloud.call(`GET /api/v1/sites/${id}`, { token: heir.token });
    // Handed over before, the site has another owner; handed over meanwhile, it is no longer the caller's to release.
    expect([204, 403, 404]).toContain(released.status);
    expect(seen.status).toBe(released.status === 204 ? 404 : 200);
    expect([200, 404]).toContain(handed.status);
  });
});
