import { SESSION_SCOPES, type Site, type SiteInvitation, type SiteMember } from '@heliograph/contracts';
import { canonicalEmail } from '@heliograph/contracts/email-address';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { requireEmail } from '../../common/require-email.ts';
import { appendEvents } from '../../db/events.ts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
let site: { readonly id: number; readonly name: string | null };
/** An account that can sign in, unknown to the owner of the site. */
let dora: TestUser & { readonly session: string };
beforeAll(async () => {
  cloud = await startTestCloud({}, undefined, { lookIntervalMs: 50 });
  organization = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user({ firstName: 'Olga', lastName: 'Owner' });
  site = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
  const user = await cloud.make.user({ firstName: 'Dora', lastName: 'Private' });
  dora = { ...user, session: await sessionOf(user.id) };
});

const GIVEN = { first_name: 'Some', last_name: 'Neighbour' };
const PASSWORD = 'A-very-long-horse-7';
let count = 0;
const newEmail = () => `unknown-${++count}@example.org`;

const sessionOf = (userId: number) => cloud.make.token(userId, { kind: 'session', scopes: SESSION_SCOPES });
const users = (id = site.id) => `/api/v1/sites/${id}/users`;
const invite = (email: string, role = 'admin', names: object = GIVEN, token = owner.token) =>
  cloud.call<SiteMember>(`POST ${users()}`, { token, body: { email, role, ...names } });
const accept = (token: string, body = {}, id = site.id) =>
  cloud.call(`POST /api/v1/user/site_invitations/${id}/accept`, { token, body });
const decline = (token: string, id = site.id) =>
  cloud.call(`DELETE /api/v1/user/site_invitations/${id}`, { token });
const recall = (token: string) => cloud.call(`POST /api/v1/sites/${site.id}/recall`, { token });
const received = async (token: string) =>
  (await cloud.call<SiteInvitation[]>('GET /api/v1/user/site_invitations', { token })).body;
const shown = async (token = owner.token) =>
  (await cloud.call<Site>(`GET /api/v1/sites/${site.id}`, { token })).body;
const subjects = async (email: string) => (await cloud.mails(email)).map(({ subject }) => subject);

/** A critical alert of the site, of which an account has the mail. */
async function raiseAlert(known = owner.email): Promise<void> {
  const alerts = async () =>
    (await subjects(known)).filter((subject) => subject.startsWith(`${site.name}: `)).length;
  const before = await alerts();
  const id = await cloud.make.alert(site.id, { rule: 'fault', kind: 'complaint', severity: 3 });
  const at = new Date(cloud.clock.now());
  await appendEvents(cloud.db, [{ type: 'alert.raised', at, siteId: site.id, data: { alert_id: id } }]);
  await expect.poll(alerts, { timeout: 20_000 }).toBe(before + 1);
}

/** Sets the first password of an account with the link of its mail. */
async function setPassword(email: string): Promise<string> {
  const { token } = await cloud.mail(email);
  const body = { password: PASSWORD, organization_id: 'none' };
  const { status, body: session } = await cloud.call(`PUT /api/v1/password/set/${token}`, { body });
  expect(status).toBe(200);
  return String(session.token);
}

describe('the answer to an invitation', () => {
  it('an account is linked without names, as existing clients do, and the answer has none then', async () => {
    const { status, body } = await invite(dora.email, 'admin', {});
    const nameless = { email: dora.email, first_name: '', last_name: '', role: 'admin', pending: true };
    expect([status, body]).toEqual([200, { id: dora.id, ...nameless }]);
    const missing = { first_name: ["can't be blank"], last_name: ["can't be blank"] };
    expect(await invite(newEmail(), 'admin', {})).toMatchObject({ status: 422, body: { errors: missing } });
  });

  it('the answer to names is the same for an address with an account and one without', async () => {
    const unknown = newEmail();
    for (const email of [dora.email.toUpperCase(), unknown]) {
      const given = {
        id: expect.any(Number),
        email: canonicalEmail(email),
        ...GIVEN,
        role: 'admin',
        pending: true,
      };
      expect(await invite(email)).toMatchObject({ status: 200, body: given });
      expect((await invite(email, 'member', {})).body).toEqual({ ...given, role: 'member' });
    }
    const statuses = async (email: string) => {
      const answers: number[] = [];
      for (let i = 0; i < 4; i += 1) answers.push((await invite(email)).status);
      return answers;
    };
    expect(await statuses(dora.email)).toEqual(await statuses(unknown));
  });

  it('the log of a site does not reveal whether an address had an account', async () => {
    await invite(dora.email);
    await invite(newEmail());
    const { body } = await cloud.call<object[]>(`GET /api/v1/sites/${site.id}/audit`, { token: owner.token });
    const added = { action: 'site_member.added', user: { name: '' }, details: { from: null, to: 'admin' } };
    expect(body).toMatchObject([added, added]);
    expect(body).toHaveLength(2);
  });
});

describe('a person who has not accepted', () => {
  it('the person sees the site at once, and is shown with the names of the inviter until then', async () => {
    await invite(dora.email);
    expect((await shown(dora.token)).id).toBe(site.id);
    const log = () => cloud.call(`GET /api/v1/sites/${site.id}/audit`, { token: owner.token });
    const listed = () => cloud.call(`GET ${users()}`, { token: owner.token });
    await cloud.call(`PATCH ${users()}/${dora.id}`, { token: owner.token, body: { role: 'member' } });
    const read = async () => JSON.stringify([await listed(), await shown(), await log()]);
    expect(await read()).not.toContain('Private');
    await cloud.db
      .updateTable('users')
      .set({ email: requireEmail(`new-${dora.email}`) })
      .where('id', '=', dora.id)
      .execute();
    expect(await read()).not.toContain('new-');
    await cloud.db
      .updateTable('users')
      .set({ email: requireEmail(dora.email) })
      .where('id', '=', dora.id)
      .execute();
    expect((await shown()).users).toMatchObject([{}, { ...GIVEN, pending: true }]);
    expect((await accept(dora.session)).status).toBe(204);
    expect((await shown()).users[1]).toEqual({
      ...{ id: dora.id, email: dora.email, role: 'member', first_name: 'Dora', last_name: 'Private' },
    });
    expect(await received(dora.session)).toEqual([]);
    expect((await accept(dora.session)).status).toBe(404);
  });

  it('the person gets one mail, and messages after accepting', async () => {
    await invite(dora.email);
    await cloud.mail(dora.email);
    await raiseAlert();
    expect(await subjects(dora.email)).toEqual([`You have been given access to ${site.name}`]);
    const [mail] = await cloud.mails(dora.email);
    expect(mail?.text).toContain(`${cloud.url}/user/invitations\n`);
    await accept(dora.session);
    await raiseAlert(dora.email);
  });

  it('the person gets no mail about support, and none when the site is released', async () => {
    await invite(dora.email);
    await cloud.mail(dora.email);
    const operator = await cloud.make.user({ staff: true });
    const request = { reason: 'The battery is not found', access: 'diagnose', hours: 24 };
    const token = await sessionOf(operator.id);
    const route = `POST /api/v1/sites/${site.id}/recovery_sessions`;
    expect((await cloud.call(route, { token, body: request })).status).toBe(201);
    expect((await cloud.mail(owner.email)).subject).toContain('asks');
    await cloud.call(`DELETE /api/v1/sites/${site.id}`, { token: owner.token });
    expect(await subjects(dora.email)).toHaveLength(1);
  });

  it('a former owner who was removed gets no registration code when the site is released', async () => {
    expect((await invite(dora.email, 'owner')).status).toBe(200);
    expect((await cloud.call(`DELETE ${users()}/${owner.id}`, { token: dora.token })).status).toBe(204);
    const operator = await cloud.make.user({ staff: true });
    const token = await sessionOf(operator.id);
    expect((await cloud.call(`DELETE /api/v1/sites/${site.id}`, { token })).status).toBe(204);
    await expect
      .poll(async () => JSON.stringify(await cloud.mails(dora.email)), { timeout: 30_000 })
      .toContain('takes a code');
    expect(JSON.stringify(await cloud.mails(owner.email))).not.toContain('takes a code');
  });

  it('the feed has no events of the site for the person, and its alerts are not assigned to the person', async () => {
    await invite(dora.email);
    await raiseAlert();
    const types = async () => {
      const { body } = await cloud.call<{ type: string; site_id: number | null }[]>('GET /api/v1/events', {
        token: dora.token,
      });
      return body.map(({ type }) => type);
    };
    expect(await types()).toEqual([]);
    const assignees = () =>
      cloud.call<object[]>(`GET /api/v1/sites/${site.id}/alert_assignees`, { token: owner.token });
    expect((await assignees()).body).toHaveLength(1);
    await accept(dora.session);
    await expect.poll(types).toContain('alert.raised');
    expect((await assignees()).body).toHaveLength(2);
  });

  it('a person who declined is not mailed again when added again', async () => {
    await invite(dora.email);
    await cloud.mail(dora.email);
    expect((await decline(dora.session)).status).toBe(204);
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: dora.token })).status).toBe(404);
    expect((await shown()).users).toHaveLength(1);
    const log = await cloud.call(`GET /api/v1/sites/${site.id}/audit`, { token: owner.token });
    expect(log.body).toMatchObject([
      { action: 'site_member.removed', actor: { name: '' }, user: { name: '' }, address: null },
      {},
    ]);
    expect((await invite(dora.email)).status).toBe(200);
    expect(await received(dora.session)).toMatchObject([{ site: { id: site.id }, role: 'admin' }]);
    await raiseAlert();
    expect(await subjects(dora.email)).toHaveLength(1);
  });

  it('messages that were queued before the person was removed and added again are not sent', async () => {
    await invite(dora.email);
    await cloud.mail(dora.email);
    await accept(dora.session);
    const settings = { token: dora.session, body: { digest: 'hourly' } };
    expect((await cloud.call('PATCH /api/v1/user/notification_settings', settings)).status).toBe(200);
    await raiseAlert();
    await cloud.call(`DELETE ${users()}/${dora.id}`, { token: owner.token });
    await invite(dora.email);
    cloud.clock.advance(3_600_000);
    await raiseAlert();
    expect(await subjects(dora.email)).toEqual([`You have been given access to ${site.name}`]);
  });

  it('the person accepts in a session alone, and with the first password the site of the mail alone', async () => {
    await invite(dora.email);
    for (const call of [accept, decline]) expect((await call(dora.token)).status).toBe(403);
    const email = newEmail();
    await invite(email);
    const other = await cloud.make.site({ ownerId: owner.id });
    await cloud.call(`POST ${users(other.id)}`, {
      token: owner.token,
      body: { email, role: 'member', ...GIVEN },
    });
    const session = await setPassword(email);
    expect(await received(session)).toMatchObject([{ site: { id: other.id }, invited_by: 'Olga Owner' }]);
    expect((await shown()).users.filter(({ pending }) => pending)).toMatchObject([{ email: dora.email }]);
  });
});

describe('a site that was handed over', () => {
  const transfer = () => invite(dora.email, 'owner', GIVEN, owner.token);
  const roles = async (token = owner.token) =>
    (await shown(token)).users.map(({ id, role }) => [id, role] as const);

  it('the site goes back to the former owner, who recalls it: both are mailed', async () => {
    expect((await transfer()).body).toMatchObject({ ...GIVEN, role: 'owner', pending: true });
    expect(await shown()).toMatchObject({ transfer: { former_owner_id: owner.id }, owner: GIVEN });
    const [former, toNew] = [await cloud.mail(owner.email), await cloud.mail(dora.email)];
    expect(former.text).toContain(`Some Neighbour (${dora.email})`);
    expect(former.text).toContain('you can take it back');
    expect(toNew.text).toContain('Sign in to accept or decline');
    expect((await recall(dora.token)).status).toBe(404);
    expect((await recall(owner.token)).status).toBe(204);
    expect(await roles()).toEqual([[owner.id, 'owner']]);
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: dora.token })).status).toBe(404);
    const back = await cloud.mail(owner.email);
    expect(back.subject).toBe(`You are the owner of ${site.name} again`);
    expect(back.text).not.toContain('Private');
    expect((await cloud.mail(dora.email)).subject).toBe(`${site.name} is no longer handed over to you`);
    expect((await recall(owner.token)).status).toBe(404);
  });

  it('the site goes back to the former owner when the new one declines', async () => {
    await transfer();
    expect(await received(dora.session)).toMatchObject([{ role: 'owner', former_owner: 'Olga Owner' }]);
    expect((await decline(dora.session)).status).toBe(204);
    expect(await roles()).toEqual([[owner.id, 'owner']]);
    const { body } = await cloud.call(`GET /api/v1/sites/${site.id}/audit`, { token: owner.token });
    expect(body).toMatchObject([
      {
        action: 'site.ownership_returned',
        actor: { name: '' },
        details: { from: dora.id, to: owner.id, outcome: 'declined' },
      },
      { action: 'site.ownership_transferred' },
    ]);
  });

  it('a member who declines has the former role again', async () => {
    await cloud.make.member(site.id, dora.id, 'member');
    await transfer();
    expect((await decline(dora.session)).status).toBe(204);
    expect(await roles()).toEqual([
      [owner.id, 'owner'],
      [dora.id, 'member'],
    ]);
  });

  it.each([
    [{}, [['new', 'owner']]],
    [
      { keep_former_owner: true },
      [
        ['new', 'owner'],
        ['former', 'admin'],
      ],
    ],
  ])('a site accepted with %j has the roles %j', async (body, expected) => {
    await transfer();
    expect((await accept(dora.session, body)).status).toBe(204);
    const named = (await roles(dora.token)).map(([id, role]) => [id === dora.id ? 'new' : 'former', role]);
    expect(named).toEqual(expected);
    expect((await recall(owner.token)).status).toBe(404);
    const subjects = async () => (await cloud.mails(owner.email)).map(({ subject }) => subject);
    await expect.poll(subjects).toContain(`Dora Private (${dora.email}) has accepted ${site.name}`);
  });

  it('a site is recalled or accepted, never both', async () => {
    for (let i = 0; i < 5; i += 1) {
      site = await cloud.make.site({ ownerId: owner.id });
      const heir = await cloud.make.user();
      await invite(heir.email, 'owner');
      const answers = await Promise.all([recall(owner.token), accept(await sessionOf(heir.id))]);
      const [recalled, accepted] = answers.map(({ status }) => status);
      expect([recalled, accepted].toSorted()).toEqual([204, 404]);
      const winner = recalled === 204 ? owner : heir;
      expect(await roles(winner.token)).toEqual([[winner.id, 'owner']]);
    }
  });

  it('the former owner gets the alerts until the new one accepts', async () => {
    await transfer();
    await cloud.mail(dora.email);
    await raiseAlert();
    expect(await subjects(dora.email)).toHaveLength(1);
  });

  it('a former owner who was removed cannot recall the site, and gets it when the new one declines', async () => {
    await transfer();
    const removed = await cloud.call(`DELETE ${users()}/${owner.id}`, { token: dora.token });
    expect(removed.status).toBe(204);
    expect((await recall(owner.token)).status).toBe(404);
    expect((await decline(dora.session)).status).toBe(204);
    expect(await roles()).toEqual([[owner.id, 'owner']]);
  });

  it('the site stays with its new owner when the account of the former one is gone', async () => {
    await transfer();
    await cloud.db.deleteFrom('users').where('id', '=', owner.id).execute();
    expect((await decline(dora.session)).status).toBe(403);
    expect((await accept(dora.session)).status).toBe(204);
  });
});
