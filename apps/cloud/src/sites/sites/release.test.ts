import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

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

interface RegisterCall {
  readonly uid?: string;
  readonly token?: string;
  readonly name?: string;
  readonly code?: string;
}

const release = (id = site.id, token = owner.token) => cloud.call(`DELETE /api/v1/sites/${id}`, { token });

const register = ({ uid = site.uid, token = owner.token, ...body }: RegisterCall) =>
  cloud.call('POST /api/v1/sites/register', { token, body: { uid, ...body } });

const CODE = /[0-9A-HJKMNP-TV-Z]{5}(?:-[0-9A-HJKMNP-TV-Z]{5}){3}/;

/** The code that the owner gets when the site is released. */
async function mailedCode(): Promise<string> {
  return CODE.exec((await cloud.mail(owner.email)).text)?.[0] ?? '';
}

const LOCKED = { status: 422, body: { next_step: 'registration_code' } };

describe('releasing a site', () => {
  it('a released site is gone with its name, and the code in the mail of its owner registers the device again', async () => {
    const name = `roof-${site.id}`;
    await cloud.call(`PATCH /api/v1/sites/${site.id}/name`, { token: owner.token, body: { name } });
    expect((await release()).status).toBe(204);
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token })).status).toBe(404);
    expect((await release()).status).toBe(404);
    const code = await mailedCode();
    const other = await cloud.make.user();
    const again = await register({ token: other.token, name, code });
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

  it('members read that a released site is gone, without the code that its owner gets', async () => {
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
    expect(toAdmin.text).not.toMatch(CODE);
    expect(await mailedCode()).not.toBe('');
  });

  it('an owner whose site an operator released reads when that was, and no name of the operator', async () => {
    const operator = await cloud.make.user({ staff: true, lastName: 'Operatoria' });
    const token = await cloud.make.token(operator.id, { kind: 'session', scopes: SESSION_SCOPES });
    expect((await release(site.id, token)).status).toBe(204);
    const { subject, text } = await cloud.mail(owner.email);
    expect(subject).toBe(`${site.name} was released`);
    expect(text).toContain('Heliograph did this on');
    expect(text).not.toContain('Operatoria');
    expect(await register({ code: CODE.exec(text)?.[0] ?? '' })).toMatchObject({ status: 200 });
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

/** Everyone who ever read the device knows its uid. */
describe('registering a released device', () => {
  it('the uid alone gets the refusal of a device that is not activated, which names the places of the code', async () => {
    const reader = await cloud.make.user();
    await cloud.make.member(site.id, reader.id, 'admin');
    await release();
    for (const { token } of [reader, owner, await cloud.make.user()]) {
      const refused = await register({ token });
      expect(refused).toMatchObject(LOCKED);
      expect(refused.body.error).toMatch(/not activated.*page "Account" of the device.*by mail/);
      const request = { token, body: { uid: site.uid, message: 'please' } };
      expect(await cloud.call('POST /api/v1/sites/request_activation', request)).toMatchObject({
        status: 422,
        body: { error: { message: refused.body.error } },
      });
    }
    expect(
      (await register({ token: (await cloud.make.user()).token, uid: await cloud.make.device() })).status,
    ).toBe(200);
  });

  it('a site that ends in any other way locks its device too', async () => {
    await cloud.db.deleteFrom('sites').where('id', '=', site.id).execute();
    expect(await register({})).toMatchObject(LOCKED);
  });

  it('activating it by an operator, an organization or an activation code does not unlock it', async () => {
    await release();
    const organizationId = await cloud.make.organization();
    const [boss, operator] = [
      await cloud.make.employee(organizationId, 'owner'),
      await cloud.make.user({ staff: true }),
    ];
    for (const { token } of [boss, operator])
      await cloud.call(`POST /api/v1/devices/${site.uid}/activate`, { token, body: {} });
    const made = await cloud.call('POST /api/v1/activation_codes', { token: operator.token, body: {} });
    const body = { uid: site.uid, code: String(made.body.code) };
    const redeemed = await cloud.call('POST /api/v1/sites/request_activation', { token: boss.token, body });
    expect(redeemed.status).toBe(422);
    expect(await register({ token: boss.token })).toMatchObject(LOCKED);
    const { body: device } = await cloud.call(`GET /api/v1/devices/${site.uid}`, { token: operator.token });
    expect(device).toMatchObject({ state: 'released', site_id: null });
    const listed = await cloud.call<{ uid: string }[]>('GET /api/v1/devices?state=released&limit=100', {
      token: operator.token,
    });
    expect(listed.body.map(({ uid }) => uid)).toContain(site.uid);
  });

  it('a code is for its device, for seven days, and no character of it is another', async () => {
    await release();
    const code = await mailedCode();
    const other = await cloud.make.site({ ownerId: owner.id });
    await release(other.id);
    for (const wrong of [code.slice(1), code.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z')), '', ' '])
      expect(await register({ code: wrong })).toMatchObject(LOCKED);
    expect(await register({ uid: other.uid, code })).toMatchObject(LOCKED);
    const { body } = await register({ code: `${code}A` });
    expect(body.error).toMatch(/^The code is not valid or has expired/);
    cloud.clock.advance(7 * 24 * 60 * 60_000);
    expect(await register({ code })).toMatchObject(LOCKED);
  });

  it('a code works until the last moment of its week, however it is typed, and not again after the next release', async () => {
    await release();
    const code = await mailedCode();
    cloud.clock.advance(7 * 24 * 60 * 60_000 - 1000);
    const registered = await register({ code: code.toLowerCase().replaceAll('-', ' ') });
    expect(registered.status).toBe(200);
    await release(Number(registered.body.id));
    expect(await register({ code })).toMatchObject(LOCKED);
  });

  it('a registration that fails for its name leaves the code', async () => {
    const taken = await cloud.make.site();
    await release();
    const code = await mailedCode();
    expect((await register({ code, name: String(taken.name) })).body).toMatchObject({
      errors: { name: [expect.any(String)] },
    });
    expect((await register({ code })).status).toBe(200);
  });

  it('one of two accounts with the same code gets the device', async () => {
    await release();
    const code = await mailedCode();
    const rivals = [await cloud.make.user(), await cloud.make.user()];
    const answers = await Promise.all(rivals.map(({ token }) => register({ token, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it('request_activation takes the code as well', async () => {
    await release();
    const body = { uid: site.uid, code: await mailedCode() };
    const activated = await cloud.call('POST /api/v1/sites/request_activation', { token: owner.token, body });
    expect(activated).toMatchObject({ status: 200, body: { status: 'activated' } });
  });

  it('the database has a digest of the code alone', async () => {
    await release();
    const code = await mailedCode();
    const stored = await cloud.db
      .selectFrom('registration_codes')
      .selectAll()
      .where('uid', '=', site.uid)
      .execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(code);
  });
});

describe('the code on the page of a released device', () => {
  /** A device that was a site and is none. */
  async function releasedDevice() {
    const device = await newDevice();
    await connect(cloud, device);
    const { body } = await register({ uid: device.uid });
    await release(Number(body.id));
    return device;
  }

  const offered = async (device: TestDevice) => {
    const { body } = await connect(cloud, device, { wants_registration_code: true });
    return (body.released as { registration_code: { code: string; expires_in_s: number } }).registration_code;
  };

  it('the cloud makes one when the device wants it, for 15 minutes, and others wait for their activation', async () => {
    const device = await releasedDevice();
    expect((await connect(cloud, device)).body).toEqual({
      status: 'inactive',
      retry_after_s: 60,
      released: { registration_code: null },
    });
    const [first, second] = [await offered(device), await offered(device)];
    expect(second).toEqual({ code: expect.stringMatching(CODE), expires_in_s: 900 });
    cloud.clock.advance(899_000);
    const heir = await cloud.make.user();
    expect(await register({ uid: device.uid, token: heir.token, code: first.code })).toMatchObject({
      status: 200,
    });
    await cloud.announce('us-1', {});
    expect((await connect(cloud, device, { wants_registration_code: true })).body.status).toBe('ready');
  });

  it('a code expires, and one of a release before the last is not valid', async () => {
    const device = await releasedDevice();
    const [first, second] = [await offered(device), await offered(device)];
    cloud.clock.advance(900_000);
    expect(await register({ uid: device.uid, code: first.code })).toMatchObject(LOCKED);
    const third = await offered(device);
    const { body } = await register({ uid: device.uid, code: third.code });
    const fourth = await releasedAgain(Number(body.id), device);
    for (const { code } of [second, third])
      expect(await register({ uid: device.uid, code })).toMatchObject(LOCKED);
    expect((await register({ uid: device.uid, code: fourth.code })).status).toBe(200);
  });

  async function releasedAgain(id: number, device: TestDevice) {
    await release(id);
    return offered(device);
  }

  it('a device that was never registered gets none, and registers by its uid', async () => {
    const device = await newDevice();
    const { body } = await connect(cloud, device, { wants_registration_code: true });
    expect(body).toEqual({ status: 'unregistered', retry_after_s: expect.any(Number) });
    expect((await register({ uid: device.uid })).status).toBe(200);
  });
});
