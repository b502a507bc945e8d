import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditOf, connect, newDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { issueRegistrationCode } from '../../db/registration-codes.ts';

/** Devices wait for activation, as at most services. */
let cloud: TestCloud;
let owner: TestUser;
let site: { id: number; uid: string; name: string | null };
beforeAll(async () => {
  cloud = await startTestCloud({ deviceActivation: 'manual' });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user();
  site = await cloud.make.site({ ownerId: owner.id });
});

const replace = (
  uid: string,
  { token = owner.token, id = site.id, code = undefined as string | undefined } = {},
) => cloud.call(`POST /api/v1/sites/${id}/device`, { token, body: { uid, ...(code && { code }) } });

const stored = (uid: string) =>
  cloud.db.selectFrom('devices').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();

describe('replacing the device of a site', () => {
  it('the site keeps its name, members and tokens, and the former device is refused at once', async () => {
    const former = await newDevice();
    await connect(cloud, former);
    const now = new Date(cloud.clock.now());
    await cloud.db.updateTable('devices').set({ site_id: null }).where('uid', '=', site.uid).execute();
    await cloud.db
      .updateTable('devices')
      .set({ site_id: site.id, activated_at: now })
      .where('uid', '=', former.uid)
      .execute();
    const member = await cloud.make.user();
    await cloud.make.member(site.id, member.id, 'member');
    const session = { uid: former.uid, site_id: site.id };
    await cloud.announce('us-1', { sessions: [session] });
    const next = await newDevice();
    expect((await connect(cloud, next)).body.status).toBe('inactive');

    const answer = await replace(next.uid);
    expect(answer).toMatchObject({ status: 200, body: { id: site.id, name: site.name } });
    expect((await cloud.announce('us-1', { sessions: [session] })).body.revoked).toEqual([former.uid]);
    expect(await connect(cloud, former)).toMatchObject({
      status: 403,
      body: { error: 'The device was revoked' },
    });
    expect((await connect(cloud, next)).body).toMatchObject({ status: 'ready', site_id: site.id });
    const seen = await cloud.call(`GET /api/v1/sites/${site.id}`, { token: member.token });
    expect(seen.status).toBe(200);
  });

  it('the audit log has both devices, and the owner is mailed', async () => {
    const uid = await cloud.make.device();
    await replace(uid);
    expect(await auditOf(cloud, uid)).toMatchObject([
      { action: 'site.device_replaced', actorId: owner.id, details: { from: site.uid, to: uid } },
    ]);
    const { subject, text } = await cloud.mail(owner.email);
    expect(subject).toBe(`The device of ${site.name} was replaced`);
    expect(text).toContain('the former device is revoked');
  });

  it('a free device inherits the activation, and one of another organization does not', async () => {
    const waiting = await cloud.make.device({ activated: false });
    expect((await replace(waiting)).status).toBe(200);
    expect((await stored(waiting)).activated_at).not.toBeNull();
    expect(await auditOf(cloud, waiting)).toMatchObject([
      { action: 'device.activated', details: { by: 'replacement' } },
      { action: 'site.device_replaced' },
    ]);
    const organizationId = await cloud.make.organization();
    const foreign = await cloud.make.device({ activated: false, organizationId });
    expect(await replace(foreign)).toMatchObject({
      status: 422,
      body: { error: 'The device is not activated yet' },
    });
  });

  it('a site whose device is revoked gets another one with an activation code', async () => {
    const operator = await cloud.make.user({ staff: true });
    await cloud.call(`POST /api/v1/devices/${site.uid}/revoke`, { token: operator.token });
    const uid = await cloud.make.device({ activated: false });
    expect((await replace(uid)).status).toBe(422);
    const made = await cloud.call('POST /api/v1/activation_codes', { token: operator.token, body: {} });
    expect(await replace(uid, { code: String(made.body.code) })).toMatchObject({ status: 200 });
    expect((await stored(site.uid)).site_id).toBeNull();
  });

  it('a released device takes its code here too, and the replaced one does when it is restored', async () => {
    const released = await cloud.make.site();
    await cloud.db.deleteFrom('sites').where('id', '=', released.id).execute();
    const operator = await cloud.make.user({ staff: true });
    const locked = { status: 422, body: { next_step: 'registration_code' } };
    expect(await replace(released.uid)).toMatchObject(locked);
    const made = await cloud.call('POST /api/v1/activation_codes', { token: operator.token, body: {} });
    expect(await replace(released.uid, { code: String(made.body.code) })).toMatchObject(locked);
    expect((await stored(site.uid)).site_id).toBe(site.id);
    const expiresAt = new Date(cloud.clock.now() + 1000);
    const code = await issueRegistrationCode(cloud.db, released.uid, expiresAt);
    expect(await replace(released.uid, { code: String(code) })).toMatchObject({ status: 200 });

    await cloud.call(`POST /api/v1/devices/${site.uid}/restore`, { token: operator.token });
    const body = { uid: site.uid };
    expect(await cloud.call('POST /api/v1/sites/register', { token: owner.token, body })).toMatchObject(
      locked,
    );
  });

  it('a device of another account does not exist, and one of an own site is to be released first', async () => {
    const foreign = await cloud.make.site();
    const own = await cloud.make.site({ ownerId: owner.id });
    expect((await replace(foreign.uid)).status).toBe(404);
    expect((await replace('nosuchdevice')).status).toBe(404);
    expect(await replace(own.uid)).toMatchObject({
      status: 422,
      body: { errors: { uid: [expect.any(String)] } },
    });
    expect((await replace(site.uid)).status).toBe(200);
    expect((await stored(site.uid)).revoked_at).toBeNull();
  });

  it('admins do not replace a device, and a session does with a fresh sign-in alone', async () => {
    const admin = await cloud.make.user();
    await cloud.make.member(site.id, admin.id, 'admin');
    const uid = await cloud.make.device();
    expect((await replace(uid, { token: admin.token })).status).toBe(403);
    const session = (ageMs: number) =>
      cloud.make.token(owner.id, {
        kind: 'session',
        scopes: SESSION_SCOPES,
        authenticatedAt: new Date(cloud.clock.now() - ageMs),
      });
    expect((await replace(uid, { token: await session(16 * 60_000) })).status).toBe(403);
    expect((await replace(uid, { token: await session(0) })).status).toBe(200);
  });

  it('two replacements at once leave the site with one device', async () => {
    const uids = await Promise.all([cloud.make.device(), cloud.make.device()]);
    const answers = await Promise.all(uids.map((uid) => replace(uid)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const devices = await cloud.db
      .selectFrom('devices')
      .select('uid')
      .where('site_id', '=', site.id)
      .execute();
    expect(devices).toHaveLength(1);
  });
});
