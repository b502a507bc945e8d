import type { Locale } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const NAMES = { first_name: 'Grace', last_name: 'Hopper' };

let cloud: TestCloud;
let organization: number;
/** Owner of the organization, and of its site; speaks German. */
let inviter: TestUser;
let site: number;
let count = 0;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  organization = await cloud.make.organization();
  inviter = await cloud.make.employee(organization, 'owner');
  await speak(inviter, 'de');
  site = (await cloud.make.site({ ownerId: inviter.id, organizationId: organization })).id;
});

const speak = ({ token }: TestUser, locale: Locale) =>
  cloud.call('PATCH /api/v1/user', { token, body: { locale } });
const setLanguage = (locale: Locale | null) =>
  cloud.call(`PATCH /api/v1/organizations/${organization}`, { token: inviter.token, body: { locale } });

/** Invites an address as the inviter does. @returns the subject of the mail that it gets */
async function invite(to: 'site' | 'team', email: string): Promise<string> {
  const route = to === 'site' ? `sites/${site}` : `organizations/${organization}`;
  const { status } = await cloud.call(`POST /api/v1/${route}/users`, {
    token: inviter.token,
    body: { email, role: 'member', ...NAMES },
  });
  expect(status).toBe(200);
  return (await cloud.mail(email)).subject;
}

const newAddress = () => `invited-${++count}@example.org`;

describe.each(['site', 'team'] as const)('an invitation to a %s', (to) => {
  it("an invitation to an address without an account is in the organization's language", async () => {
    expect(await setLanguage('fr')).toMatchObject({ status: 200, body: { locale: 'fr' } });
    expect(await invite(to, newAddress())).toMatch(/^Invitation à rejoindre/);
    expect(await setLanguage(null)).toMatchObject({ status: 200, body: { locale: null } });
    expect(await invite(to, newAddress())).toMatch(/^Einladung/);
  });

  it("an invitation is in the inviter's language when the organization has none", async () => {
    expect(await invite(to, newAddress())).toMatch(/^Einladung/);
    await speak(inviter, 'en');
    expect(await invite(to, newAddress())).toMatch(/^You are invited/);
  });

  it.each([
    ['fr', { site: /^Vous avez/, team: /vous invite/ }],
    ['en', { site: /^You have been given access/, team: /invites you to its team$/ }],
  ] as const)("an invitation to an account is in the account's language: %s", async (locale, subjects) => {
    await setLanguage('pl');
    const account = await cloud.make.user();
    await speak(account, locale);
    expect(await invite(to, account.email)).toMatch(subjects[to]);
  });
});

it("an invitation to a site of no organization is in the inviter's language", async () => {
  await setLanguage('fr');
  site = (await cloud.make.site({ ownerId: inviter.id })).id;
  expect(await invite('site', newAddress())).toMatch(/^Einladung/);
});

it('the language of an organization is one that the service has, and is seen by its employees alone', async () => {
  const body = { locale: 'tlh' };
  const route = `/api/v1/organizations/${organization}`;
  const { status } = await cloud.call(`PATCH ${route}`, { token: inviter.token, body });
  expect(status).toBe(422);
  await setLanguage('fr');
  const own = await cloud.call<object[]>('GET /api/v1/organizations', { token: inviter.token });
  expect(own.body).toMatchObject([{ id: organization, locale: 'fr' }]);
  expect((await cloud.call(`GET ${route}`)).body).not.toHaveProperty('locale');
});
