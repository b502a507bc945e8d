import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
/** The stranger's organization: registration is open to everyone, for any organization. */
let elsewhere: number;
let installer: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  elsewhere = await cloud.make.organization();
  installer = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const STRANGERS_PASSWORD = 'Strangers-horse-7';
const OWN_PASSWORD = 'My-own-horse-7';
const NAMES = { first_name: 'Grace', last_name: 'Hopper' };
let count = 0;

/** Registers an address, not necessarily the caller's own. */
async function register(organizationId = elsewhere) {
  const email = `victim-${++count}@example.org`;
  const { status, body } = await cloud.call('POST /api/v1/register', {
    body: {
      email,
      password: STRANGERS_PASSWORD,
      first_name: 'Eve',
      last_name: 'Stranger',
      phone_number: '+1 555 666',
      locale: 'pt',
      accepted_terms: true,
      organization_id: organizationId,
      verification_token: await cloud.make.oneTimeToken('bot_check'),
    },
  });
  expect(status).toBe(201);
  const { token: confirmToken } = await cloud.mail(email);
  return { email, confirmToken, pendingToken: String(body.pending_token) };
}
type Registered = Awaited<ReturnType<typeof register>>;

const signIn = (body: object) => cloud.call('POST /api/v1/sign_in', { body });
const poll = ({ email, pendingToken }: Registered, organizationId: number | 'none' = 'none') =>
  signIn({ email, pending_token: pendingToken, organization_id: organizationId });
const signInWith = (email: string, password: string) => signIn({ email, password, organization_id: 'none' });
const setPassword = (token: string) =>
  cloud.call(`PUT /api/v1/password/set/${token}`, {
    body: { password: OWN_PASSWORD, organization_id: 'none' },
  });

async function siteOf(owner: TestUser, organizationId: number | null = installer) {
  return (await cloud.make.site({ ownerId: owner.id, organizationId })).id;
}

/** Invitations of an address by various callers. */
const INVITATIONS = {
  'to a site': async (email: string) => {
    const owner = await cloud.make.user();
    const route = `POST /api/v1/sites/${await siteOf(owner)}/users`;
    return cloud.call(route, { token: owner.token, body: { email, role: 'admin', ...NAMES } });
  },
  'to own a site': async (email: string) => {
    const owner = await cloud.make.user();
    const route = `POST /api/v1/sites/${await siteOf(owner, null)}/users`;
    return cloud.call(route, { token: owner.token, body: { email, role: 'owner', ...NAMES } });
  },
  'to a team': async (email: string) => {
    const { token } = await cloud.make.employee(installer, 'owner');
    const body = { email, role: 'admin', ...NAMES };
    return cloud.call(`POST /api/v1/organizations/${installer}/users`, { token, body });
  },
  'to a team, by an operator': async (email: string) => {
    const { token } = await cloud.make.user({ staff: true });
    const body = { email, role: 'admin', ...NAMES };
    return cloud.call(`POST /api/v1/organizations/${installer}/users`, { token, body });
  },
};

describe.each(Object.entries(INVITATIONS))(
  'an invitation %s of an address that a stranger registered',
  (_, invite) => {
    it('an invitation locks the stranger out, and the invited person signs in by mail', async () => {
      const registered = await register();
      const { email, confirmToken } = registered;
      expect((await poll(registered)).status).toBe(412);
      expect((await invite(email)).status).toBe(200);
      expect((await poll(registered)).status).toBe(401);
      expect((await signInWith(email, STRANGERS_PASSWORD)).status).toBe(401);
      const confirm = { token: confirmToken, organization_id: 'none' };
      expect((await cloud.call('POST /api/v1/user/confirm', { body: confirm })).status).toBe(422);

      const { link, token } = await cloud.mail(email);
      expect(link).toContain('#password/set/');
      expect((await setPassword(token)).status).toBe(200);
      expect((await poll(registered)).status).toBe(401);
      expect((await signInWith(email, STRANGERS_PASSWORD)).status).toBe(401);
      expect((await signInWith(email, OWN_PASSWORD)).status).toBe(200);
    });

    it("an invitation deletes all of the stranger's choices", async () => {
      const { email } = await register();
      const { body } = await invite(email);
      expect(body).toMatchObject({ email, ...NAMES });
      const { token } = await cloud.mail(email);
      const { body: session } = await setPassword(token);
      expect(session.user).toMatchObject({ email, ...NAMES, phone_number: null, locale: 'en' });
      const stranger = await cloud.make.employee(elsewhere, 'owner');
      const directory = await cloud.call<{ email: string }[]>('GET /api/v1/users', { token: stranger.token });
      expect(directory.body.map((user) => user.email)).not.toContain(email);
    });
  },
);

it('an invitation of an unconfirmed address requires names, like that of an unknown one', async () => {
  const { email } = await register();
  const errors = { first_name: ["can't be blank"], last_name: ["can't be blank"] };
  const owner = await cloud.make.user();
  const route = `POST /api/v1/sites/${await siteOf(owner)}/users`;
  const answer = await cloud.call(route, { token: owner.token, body: { email, role: 'admin' } });
  expect(answer).toMatchObject({ status: 422, body: { errors } });
});

it('a queued confirmation is not mailed once its address is invited', async () => {
  const registered = await register();
  await INVITATIONS['to a site'](registered.email);
  cloud.clock.advance(60_000);
  expect((await signInWith(registered.email, STRANGERS_PASSWORD)).status).toBe(401);
  await cloud.mail(registered.email);
  const mails = await cloud.mails(registered.email);
  expect(mails.filter(({ link }) => link.includes('#confirm/'))).toHaveLength(1);
});

it('an address that was invited and is not confirmed cannot be registered', async () => {
  const email = `invited-${++count}@example.org`;
  await INVITATIONS['to a site'](email);
  const { status, body } = await cloud.call('POST /api/v1/register', {
    body: {
      email: email.toUpperCase(),
      password: STRANGERS_PASSWORD,
      organization_id: elsewhere,
      verification_token: await cloud.make.oneTimeToken('bot_check'),
    },
  });
  expect({ status, body }).toMatchObject({
    status: 422,
    body: { errors: { email: ['has already been taken'] } },
  });
  expect((await signInWith(email, STRANGERS_PASSWORD)).status).toBe(401);
});

it('a second registration of an unconfirmed address changes nothing of the first', async () => {
  const registered = await register();
  const { status } = await cloud.call('POST /api/v1/register', {
    body: {
      email: registered.email,
      password: OWN_PASSWORD,
      organization_id: installer,
      verification_token: await cloud.make.oneTimeToken('bot_check'),
    },
  });
  expect(status).toBe(422);
  expect((await signInWith(registered.email, OWN_PASSWORD)).status).toBe(401);
});

it('a reset link from before an invitation remains valid', async () => {
  const { email } = await register();
  const verification_token = await cloud.make.oneTimeToken('bot_check');
  await cloud.call('POST /api/v1/password/reset', { body: { email, verification_token } });
  const { token } = await cloud.mail(email);
  await INVITATIONS['to a site'](email);
  const body = { password: OWN_PASSWORD, organization_id: 'none' };
  expect((await cloud.call(`PUT /api/v1/password/reset/${token}`, { body })).status).toBe(200);
  expect((await signInWith(email, STRANGERS_PASSWORD)).status).toBe(401);
});

it('an invitation of a pending member changes the role without names', async () => {
  const owner = await cloud.make.user();
  const route = `POST /api/v1/sites/${await siteOf(owner)}/users`;
  const email = `slow-${++count}@example.org`;
  await cloud.call(route, { token: owner.token, body: { email, role: 'member', ...NAMES } });
  const again = await cloud.call(route, { token: owner.token, body: { email, role: 'admin' } });
  expect(again).toMatchObject({ status: 200, body: { ...NAMES, role: 'admin' } });
});

it('a voided registration is in the audit log of operators, not in that of the site', async () => {
  const { email } = await register();
  const owner = await cloud.make.user();
  const site = await siteOf(owner);
  const body = { email, role: 'member', ...NAMES };
  await cloud.call(`POST /api/v1/sites/${site}/users`, { token: owner.token, body });
  const log = await cloud.call<{ action: string }[]>(`GET /api/v1/sites/${site}/audit`, {
    token: owner.token,
  });
  expect(log.body.map(({ action }) => action)).toEqual(['site_member.added']);
  const operator = await cloud.make.user({ staff: true });
  const query = `actor_id=${owner.id}&action=account.registration_voided`;
  const all = await cloud.call<object[]>(`GET /api/v1/audit?${query}`, { token: operator.token });
  expect(all.body).toHaveLength(1);
});
