import { type AuditEntry, SESSION_SCOPES, type Site } from '@heliograph/contracts';
import { DAY_MS } from '@heliograph/kit/local-time';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let heir: TestUser;
let site: { readonly id: number; readonly name: string | null };
beforeAll(async () => {
  cloud = await startTestCloud({}, undefined, { lookIntervalMs: 50 });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user({ firstName: 'Olga', lastName: 'Owner' });
  heir = await cloud.make.user({ firstName: 'Hanna', lastName: 'Heir' });
  site = await cloud.make.site({ ownerId: owner.id });
});

const sessionOf = (userId: number) => cloud.make.token(userId, { kind: 'session', scopes: SESSION_SCOPES });
const handover = async () => {
  const body = { email: heir.email, role: 'owner', first_name: 'Some', last_name: 'Neighbour' };
  const answer = await cloud.call(`POST /api/v1/sites/${site.id}/users`, { token: owner.token, body });
  expect(answer.status).toBe(200);
};
const recall = async () =>
  (await cloud.call(`POST /api/v1/sites/${site.id}/recall`, { token: owner.token })).status;
const shown = async (token = heir.token) =>
  (await cloud.call<Site>(`GET /api/v1/sites/${site.id}`, { token })).body;
const invitation = () => `/api/v1/user/site_invitations/${site.id}`;
const subjects = async ({ email }: TestUser) => (await cloud.mails(email)).map(({ subject }) => subject);
const roles = async (token = heir.token) => (await shown(token)).users.map(({ id, role }) => [id, role]);

it('an owner who hands a site on before accepting it leaves no role to the owner before', async () => {
  await handover();
  const next = await cloud.make.user({ firstName: 'Nora', lastName: 'Next' });
  const body = { email: next.email, role: 'owner', first_name: 'Nora', last_name: 'Next' };
  const answer = await cloud.call(`POST /api/v1/sites/${site.id}/users`, { token: heir.token, body });
  expect(answer.status).toBe(200);
  expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token })).status).toBe(404);
  const { users } = await shown(next.token);
  expect(users.map(({ id, role }) => [id, role])).toEqual([
    [next.id, 'owner'],
    [heir.id, 'admin'],
  ]);
});

describe('a handover that is not accepted', () => {
  it('the former owner is reminded after 23 days, can recall the site until then, and loses it after 30', async () => {
    await handover();
    const { transfer } = await shown();
    expect(Date.parse(transfer?.until ?? '') - Date.parse(transfer?.at ?? '')).toBe(30 * DAY_MS);
    expect((await cloud.mail(owner.email)).text).toContain('After July 21, 2026');
    expect((await cloud.mail(heir.email)).text).toContain('After July 21, 2026');

    cloud.clock.advance(23 * DAY_MS);
    const reminder = await cloud.mail(owner.email);
    expect(reminder.subject).toBe(`Some Neighbour (${heir.email}) has not accepted ${site.name} yet`);
    expect(reminder.text).toContain('You can take it back');
    expect(reminder.text).toContain('at 10:00 AM UTC the handover is final');
    expect((await shown(owner.token)).transfer?.former_owner_id).toBe(owner.id);

    cloud.clock.advance(7 * DAY_MS);
    expect(await recall()).toBe(404);
    const end = await cloud.mail(owner.email);
    expect(end.subject).toBe(`The handover of ${site.name} is final`);
    expect(end.text).toContain('your access to the site has ended');
    expect(await roles()).toEqual([[heir.id, 'owner']]);
    expect((await shown()).transfer).toBeNull();
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token })).status).toBe(404);
    const { body: log } = await cloud.call<AuditEntry[]>(`GET /api/v1/sites/${site.id}/audit`, {
      token: heir.token,
    });
    expect(log[0]).toMatchObject({
      action: 'site_member.removed',
      user: { id: owner.id },
      details: { from: 'admin', to: null },
    });
  });

  it('a new owner who has not accepted gets one mail alone, and can still accept but not decline', async () => {
    await handover();
    cloud.clock.advance(31 * DAY_MS);
    await expect.poll(() => subjects(owner)).toContain(`The handover of ${site.name} is final`);
    const token = await sessionOf(heir.id);
    expect((await cloud.call(`DELETE ${invitation()}`, { token })).status).toBe(403);
    expect((await cloud.call(`POST ${invitation()}/accept`, { token, body: {} })).status).toBe(204);
    expect(await roles()).toEqual([[heir.id, 'owner']]);
    expect(await subjects(heir)).toEqual([`You are now the owner of ${site.name}`]);
  });

  it('a new owner who was a member before is mailed that the site can no longer be taken back', async () => {
    await cloud.make.member(site.id, heir.id, 'member');
    await handover();
    cloud.clock.advance(30 * DAY_MS);
    await cloud.mail(heir.email);
    const end = await cloud.mail(heir.email);
    expect(end.subject).toBe(`The handover of ${site.name} is final`);
    expect(end.text).toContain('can no longer take it back');
  });

  it('a former owner who was removed gets no further mail', async () => {
    await cloud.make.member(site.id, heir.id, 'member');
    await handover();
    await cloud.mail(owner.email);
    const removal = `DELETE /api/v1/sites/${site.id}/users/${owner.id}`;
    expect((await cloud.call(removal, { token: heir.token })).status).toBe(204);
    cloud.clock.advance(23 * DAY_MS);
    cloud.clock.advance(7 * DAY_MS);
    await expect.poll(() => subjects(heir)).toContain(`The handover of ${site.name} is final`);
    expect(await subjects(owner)).toHaveLength(1);
  });
});

describe('what became of the former owner before the end', () => {
  const users = () => `/api/v1/sites/${site.id}/users`;
  const act = async (route: string, token: string, body?: unknown): Promise<undefined> => {
    expect((await cloud.call(route, { token, body })).status).toBeLessThan(300);
  };
  const remove = (by = heir) => act(`DELETE ${users()}/${owner.id}`, by.token);
  const give = (role: 'admin' | 'member', by = heir) =>
    act(`POST ${users()}`, by.token, { email: owner.email, role });
  const change = (role: 'admin' | 'member') => act(`PATCH ${users()}/${owner.id}`, heir.token, { role });
  const handOn = async (): Promise<TestUser> => {
    const next = await cloud.make.user();
    await act(`POST ${users()}`, heir.token, { email: next.email, role: 'owner' });
    return next;
  };

  it.each<{
    before: string;
    /** Returns the owner at the end, where it is another one. */
    events: () => Promise<TestUser | undefined>;
    recalled: 204 | 404;
    role: 'admin' | 'member' | undefined;
  }>([
    { before: 'nothing', events: async () => undefined, recalled: 204, role: undefined },
    { before: 'removed', events: () => remove(), recalled: 404, role: undefined },
    {
      before: 'removed, and added again as an admin',
      events: () => remove().then(() => give('admin')),
      recalled: 404,
      role: 'admin',
    },
    {
      before: 'left, and added again as a member',
      events: () => remove(owner).then(() => give('member')),
      recalled: 404,
      role: 'member',
    },
    { before: 'made a member', events: () => change('member'), recalled: 204, role: undefined },
    {
      before: 'made a member, and an admin again',
      events: () => change('member').then(() => change('admin')),
      recalled: 204,
      role: undefined,
    },
    {
      before: 'added again by the person whom the site was handed on to',
      events: async () => {
        const next = await handOn();
        await give('admin', next);
        return next;
      },
      recalled: 404,
      role: 'admin',
    },
  ])('$before: a recall is answered $recalled, the end leaves the role $role', async (row) => {
    await handover();
    await row.events();
    const { body } = await cloud.call<Site>(`GET /api/v1/sites/${site.id}`, { token: owner.token });
    expect(body.transfer?.former_owner_id === owner.id).toBe(row.recalled === 204);
    expect(await recall()).toBe(row.recalled);

    site = await cloud.make.site({ ownerId: owner.id });
    await handover();
    const { token } = (await row.events()) ?? heir;
    cloud.clock.advance(30 * DAY_MS);
    await expect.poll(async () => (await shown(token)).transfer).toBeNull();
    expect((await shown(token)).users.find(({ id }) => id === owner.id)?.role).toBe(row.role);
  });
});

describe('a handover to an address that has no account', () => {
  const ADDRESS = 'mistyped';
  const handoverTo = async (email: string) => {
    const body = { email, role: 'owner', first_name: 'Some', last_name: 'Neighbour' };
    const answer = await cloud.call(`POST /api/v1/sites/${site.id}/users`, { token: owner.token, body });
    expect(answer.status).toBe(200);
  };
  const transfer = async (token = owner.token) => (await shown(token)).transfer;

  it('the former owner is shown and mailed that it has none, no one else is, and takes the site back after any time', async () => {
    const email = `${ADDRESS}-${site.id}@example.org`;
    const reader = await cloud.make.user();
    await cloud.make.member(site.id, reader.id, 'member');
    await handoverTo(email);
    const sentence = `There is no account for ${email} yet`;
    const mail = await cloud.mail(owner.email);
    expect(mail.text).toContain(sentence);
    expect(mail.text).not.toContain('the handover is final');
    expect(await transfer()).toMatchObject({ former_owner_id: owner.id, new_owner_has_account: false });
    expect((await transfer(reader.token))?.new_owner_has_account).toBeNull();

    cloud.clock.advance(23 * DAY_MS);
    expect((await cloud.mail(owner.email)).text).toContain(sentence);
    const until = (await transfer())?.until;
    cloud.clock.advance(7 * DAY_MS);
    await expect.poll(async () => (await transfer())?.until).not.toBe(until);
    cloud.clock.advance(23 * DAY_MS);
    expect((await cloud.mail(owner.email)).text).toContain(sentence);
    expect(await recall()).toBe(204);
    expect(await roles(owner.token)).toEqual([
      [owner.id, 'owner'],
      [reader.id, 'member'],
    ]);
  });

  const setUp = async () => {
    const { users } = await shown(owner.token);
    const newOwnerId = users[0]?.id ?? 0;
    await cloud.db
      .updateTable('users')
      .set({ confirmed_at: new Date(cloud.clock.now()), password_hash: 'x' })
      .where('id', '=', newOwnerId)
      .execute();
    expect((await transfer())?.new_owner_has_account).toBe(true);
  };

  it('a handover whose account is set up after the reminder becomes final seven days after a mail with that time', async () => {
    await handoverTo(`${ADDRESS}-${site.id}@example.org`);
    await cloud.mail(owner.email);
    cloud.clock.advance(23 * DAY_MS);
    expect((await cloud.mail(owner.email)).text).not.toContain('the handover is final');
    const end = (await transfer())?.until ?? '';
    await setUp();
    expect(Date.parse((await transfer())?.until ?? '') - Date.parse(end)).toBe(7 * DAY_MS);

    cloud.clock.advance(7 * DAY_MS);
    const reminder = await cloud.mail(owner.email);
    expect(reminder.subject).toContain(`has not accepted ${site.name} yet`);
    expect(reminder.text).toContain('at 10:00 AM UTC the handover is final');
    const { until } = (await transfer()) ?? {};
    expect(Date.parse(until ?? '') - Date.parse(end)).toBe(7 * DAY_MS);

    cloud.clock.advance(7 * DAY_MS);
    expect((await cloud.mail(owner.email)).subject).toBe(`The handover of ${site.name} is final`);
    expect((await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token })).status).toBe(404);
  });

  it('the handover becomes final where a person has set up the account by the end without accepting', async () => {
    await handoverTo(`${ADDRESS}-${site.id}@example.org`);
    await setUp();
    cloud.clock.advance(30 * DAY_MS);
    await expect.poll(() => subjects(owner)).toContain(`The handover of ${site.name} is final`);
  });
});

it('a handover that was accepted in time does not end, and a kept admin stays', async () => {
  await handover();
  const token = await sessionOf(heir.id);
  const body = { keep_former_owner: true };
  expect((await cloud.call(`POST ${invitation()}/accept`, { token, body })).status).toBe(204);
  const other = await cloud.make.site({ ownerId: owner.id, name: 'Other home' });
  const handed = site;
  site = other;
  await handover();
  cloud.clock.advance(30 * DAY_MS);
  await expect.poll(() => subjects(owner)).toContain('The handover of Other home is final');
  site = handed;
  expect(await roles()).toEqual([
    [heir.id, 'owner'],
    [owner.id, 'admin'],
  ]);
});
