import { LOCALES, SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let organization: number;
let owner: TestUser;
let site: { readonly id: number; readonly name: string | null };
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
});
beforeEach(async () => {
  owner = await cloud.make.user({ firstName: 'Olga', lastName: 'Owner' });
  site = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const users = () => `/api/v1/sites/${site.id}/users`;
const NAMES = { first_name: 'Ada', last_name: 'Adder' };
const invite = (email: string, role = 'member', token = owner.token) =>
  cloud.call(`POST ${users()}`, { token, body: { email, role, ...NAMES } });
const signIn = ({ id }: TestUser) => cloud.make.token(id, { kind: 'session', scopes: SESSION_SCOPES });
const speak = (user: TestUser, locale: string) =>
  cloud.call('PATCH /api/v1/user', { token: user.token, body: { locale } });

describe('the mail to a new member of a site', () => {
  it('the mail names the inviter, and leads to the page that accepts and declines', async () => {
    const ada = await cloud.make.user();
    await invite(ada.email);
    const { subject, text } = await cloud.mail(ada.email);
    expect(subject).toBe(`You have been given access to ${site.name}`);
    expect(text).toContain(`Olga Owner (${owner.email}) gave you this access.`);
    expect(text).toContain(`${cloud.url}/user/invitations\n`);
    expect(text).toContain('Until you accept, the site sends you no messages.');
    expect(text).not.toMatch(/hg1_/);
  });

  it('a URL in the name of the site is no link in the mail, with and without a password', async () => {
    const ada = await cloud.make.user();
    const name = 'Claim at https://evil.example';
    const { id } = await cloud.make.site({ ownerId: owner.id, organizationId: organization, name });
    for (const email of [ada.email, 'new-to-names@example.org']) {
      const body = { email, role: 'member', first_name: 'Grace', last_name: 'Hopper' };
      const route = `POST /api/v1/sites/${id}/users`;
      expect((await cloud.call(route, { token: owner.token, body })).status).toBe(200);
      const { subject, text, html } = await cloud.mail(email);
      expect(text).toContain('Claim at https: / /evil. example');
      expect(subject + text + html).not.toContain('evil.example');
    }
  });

  it.each(LOCALES)('the mail is in the language of its reader: %s', async (locale) => {
    const ada = await cloud.make.user();
    await speak(ada, locale);
    await invite(ada.email);
    const { subject, text } = await cloud.mail(ada.email);
    expect(subject).toContain(String(site.name));
    expect(subject.startsWith('You have been given')).toBe(locale === 'en');
    expect(text).toContain(owner.email);
    expect(text).not.toMatch(/[{}]/);
  });

  it('later changes of the role send no mail', async () => {
    const ada = await cloud.make.user();
    await invite(ada.email);
    await invite(ada.email, 'admin');
    await cloud.call(`PATCH ${users()}/${ada.id}`, { token: owner.token, body: { role: 'member' } });
    await cloud.mail(ada.email);
    expect(await cloud.mails(ada.email)).toHaveLength(1);
  });

  it('removing, inviting and handing over repeatedly sends a mail about each once', async () => {
    const ada = await cloud.make.user();
    for (let i = 0; i < 3; i += 1) {
      expect((await invite(ada.email)).status).toBe(200);
      // One about a role that has ended is not sent.
      await cloud.mail(ada.email);
      const handover = { token: owner.token, body: { role: 'owner' } };
      expect((await cloud.call(`PATCH ${users()}/${ada.id}`, handover)).status).toBe(200);
      expect((await cloud.call(`POST /api/v1/sites/${site.id}/recall`, { token: owner.token })).status).toBe(
        204,
      );
      await cloud.call(`DELETE ${users()}/${ada.id}`, { token: owner.token });
    }
    const waiting = () =>
      cloud.db.selectFrom('deliveries').select('id').where('due_at', 'is not', null).execute();
    await expect.poll(waiting, { timeout: 30_000 }).toEqual([]);
    expect(await cloud.mails(owner.email)).toHaveLength(6);
    expect(await cloud.mails(ada.email)).toHaveLength(3);
  });

  it('the mail does not name an operator who invites', async () => {
    const ada = await cloud.make.user();
    const operator = await cloud.make.user({ staff: true, firstName: 'Sam', lastName: 'Support' });
    await invite(ada.email, 'member', await signIn(operator));
    expect((await cloud.mail(ada.email)).text).not.toMatch(/Sam Support/);
  });
});

describe('people whom an installer lets read a site', () => {
  it('the owner is mailed when an installer adds a person, and removes one', async () => {
    const installer = await cloud.make.employee(organization, 'admin');
    const ada = await cloud.make.user({ firstName: 'Unknown', lastName: 'Yet' });
    const token = await signIn(installer);
    expect((await invite(ada.email, 'member', token)).status).toBe(200);
    const added = await cloud.mail(owner.email);
    expect(added.subject).toBe(`Ada Adder (${ada.email}) can now see ${site.name}`);
    expect(added.text).toContain(`(${installer.email}) did this on`);
    expect(added.text).toContain(`${cloud.url}/sites/${site.id}\n`);
    expect((await cloud.call(`DELETE ${users()}/${ada.id}`, { token })).status).toBe(204);
    expect((await cloud.mail(owner.email)).subject).toContain(`can no longer see ${site.name}`);
  });

  it('the owner is not mailed about the work of the own admins', async () => {
    const [admin, ada] = [await cloud.make.user(), await cloud.make.user()];
    await cloud.make.member(site.id, admin.id, 'admin');
    await invite(ada.email, 'member', admin.token);
    await cloud.call(`DELETE ${users()}/${ada.id}`, { token: admin.token });
    expect(await cloud.mails(owner.email)).toEqual([]);
  });

  it('beyond 30 accesses a day an installer is refused, and operators are mailed once', async () => {
    const operator = await cloud.make.user({ staff: true });
    const installer = await cloud.make.employee(organization, 'admin');
    const accomplice = await cloud.make.user();
    const token = await signIn(installer);
    const homes = await cloud.make.sites(32, { ownerId: owner.id, organizationId: organization });
    const statuses: number[] = [];
    for (const { id } of homes) {
      const body = { email: accomplice.email, role: 'member', ...NAMES };
      statuses.push((await cloud.call(`POST /api/v1/sites/${id}/users`, { token, body })).status);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429, 429]);
    const { subject, text } = await cloud.mail(operator.email);
    expect(subject).toContain(`(${installer.email}) has reached the limit for giving access`);
    expect(text).toContain('was given 30 times within a day');
    expect(await cloud.mails(operator.email)).toHaveLength(1);
  });

  it('beyond 100 accesses a day by all its installers an organization is refused, and another one is not', async () => {
    const [operator, accomplice] = [await cloud.make.user({ staff: true }), await cloud.make.user()];
    const [fleet, other] = [await cloud.make.organization(), await cloud.make.organization()];
    const installers: TestUser[] = [];
    for (let i = 0; i < 4; i += 1) installers.push(await cloud.make.employee(fleet, 'admin'));
    const tokens = await Promise.all(installers.map(signIn));
    const give = async (siteId: number, token: string | undefined) => {
      const body = { email: accomplice.email, role: 'member', ...NAMES };
      return (await cloud.call(`POST /api/v1/sites/${siteId}/users`, { token: token ?? '', body })).status;
    };
    const homes = await cloud.make.sites(101, { ownerId: owner.id, organizationId: fleet });
    const statuses: number[] = [];
    for (const [index, { id }] of homes.entries())
      statuses.push(await give(id, tokens[index % tokens.length]));
    expect(statuses).toEqual([...Array<number>(100).fill(200), 429]);
    expect((await cloud.mail(operator.email)).text).toContain('was given 100 times within a day');
    const elsewhere = await cloud.make.site({ ownerId: owner.id, organizationId: other });
    expect(await give(elsewhere.id, await signIn(await cloud.make.employee(other, 'admin')))).toBe(200);
  });
});

describe('the mails about a change of ownership', () => {
  const transfer = (id: number, token = owner.token) =>
    cloud.call(`PATCH ${users()}/${id}`, { token, body: { role: 'owner' } });

  it('both owners get a mail in their own language', async () => {
    const heir = await cloud.make.user({ firstName: 'Hanna', lastName: 'Heir' });
    await speak(owner, 'de');
    await speak(heir, 'fr');
    await cloud.make.member(site.id, heir.id, 'member');
    expect((await transfer(heir.id)).status).toBe(200);

    const toNew = await cloud.mail(heir.email);
    expect(toNew.subject).toBe(`Vous êtes désormais propriétaire de ${site.name}`);
    expect(toNew.text).toContain(`Olga Owner (${owner.email})`);
    expect(toNew.text).toContain('21 juin 2026');
    expect(toNew.text).toContain('Connectez-vous pour accepter ou refuser.');

    const toFormer = await cloud.mail(owner.email);
    expect(toFormer.subject).toBe(`${site.name} hat einen neuen Eigentümer`);
    expect(toFormer.text).toContain(`an Hanna Heir (${heir.email}) übergeben`);
    expect(toFormer.text).toContain('21. Juni 2026 um 10:00 UTC');
    expect(toFormer.text).toContain('ändern Sie sofort Ihr Passwort');
  });

  it('both owners get a mail when an invitation changes the owner', async () => {
    const first = await cloud.make.user();
    expect((await invite(first.email, 'owner')).status).toBe(200);
    expect((await cloud.mail(first.email)).subject).toBe(`You are now the owner of ${site.name}`);
    expect((await cloud.mail(owner.email)).subject).toBe(`${site.name} has a new owner`);
  });

  it('a new account gets the invitation only, the former owner gets the mail', async () => {
    const email = `heir-of-${site.id}@example.org`;
    const body = { email, role: 'owner', first_name: 'New', last_name: 'Heir' };
    await cloud.call(`POST ${users()}`, { token: owner.token, body });
    expect((await cloud.mail(email)).link).toContain('#password/set/');
    expect((await cloud.mail(owner.email)).text).toContain(`New Heir (${email})`);
  });
});
