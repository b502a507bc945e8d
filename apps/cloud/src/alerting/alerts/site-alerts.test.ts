import type { AlertAssignee, SiteAlert, SiteAlertChange } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const DAY_MS = 24 * 60 * 60_000;

let cloud: TestCloud;
let siteId: number;
let otherSiteId: number;
let owner: TestUser;
let member: TestUser;
let installer: TestUser;
let clerk: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user({ firstName: 'Olga', lastName: 'Owner' });
  member = await cloud.make.user({ firstName: 'Max', lastName: 'Member' });
  await cloud.db.updateTable('users').set({ locale: 'de' }).where('id', '=', member.id).execute();
  const organization = await cloud.make.organization();
  installer = await cloud.make.employee(organization, 'admin', { firstName: 'Ines', lastName: 'Installer' });
  clerk = await cloud.make.employee(organization, 'member', { firstName: 'Cleo', lastName: 'Clerk' });
  const site = await cloud.make.site({ ownerId: owner.id, organizationId: organization, name: 'Scheune' });
  siteId = site.id;
  await cloud.db
    .insertInto('site_members')
    .values({ site_id: siteId, user_id: member.id, role: 'member' })
    .execute();
  await cloud.make.alert(siteId);
  const elsewhere = await cloud.make.organization();
  const ofElsewhere = await cloud.make.employee(elsewhere, 'owner', {
    firstName: 'Emil',
    lastName: 'Elsewhere',
  });
  const other = await cloud.make.site({ ownerId: ofElsewhere.id, organizationId: elsewhere });
  otherSiteId = other.id;
  const neighbour = await cloud.make.user({ firstName: 'Nils', lastName: 'Neighbour' });
  await cloud.make.member(other.id, neighbour.id, 'admin');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('a listed alert has whether the reader may change it', async () => {
  const mayChange = async ({ token }: TestUser) => {
    const { body } = await cloud.call<SiteAlert[]>('GET /api/v1/alerts', { token });
    return body.map(({ may_change: may }) => may);
  };
  expect(await mayChange(owner)).toEqual([true]);
  expect(await mayChange(installer)).toEqual([true]);
  expect(await mayChange(member)).toEqual([false]);
});

it('an owner assigns alerts to the household, and an installer to colleagues, too', async () => {
  const assignees = async ({ token }: TestUser) => {
    const { body } = await cloud.call<AlertAssignee[]>(`GET /api/v1/sites/${siteId}/alert_assignees`, {
      token,
    });
    return body.map(({ name }) => name);
  };
  expect(await assignees(owner)).toEqual(['Max Member', 'Olga Owner']);
  const all = ['Cleo Clerk', 'Ines Installer', 'Max Member', 'Olga Owner'];
  expect(await assignees(installer)).toEqual(all);
  expect(await assignees(await cloud.make.user({ staff: true }))).toEqual(all);
});

it('an account is an assignee once it has accepted the site, be it a member or the new owner', async () => {
  const { id: buyerId } = await cloud.make.user({ firstName: 'Nora', lastName: 'New' });
  const { id } = await cloud.make.site({ ownerId: buyerId });
  const seller = await cloud.make.user({ firstName: 'Saul', lastName: 'Seller' });
  await cloud.make.member(id, seller.id, 'admin');
  const guest = await cloud.make.user({ firstName: 'Gus', lastName: 'Guest' });
  await cloud.make.siteInvitation(id, guest.id);
  const names = async () => {
    const { body } = await cloud.call<AlertAssignee[]>(`GET /api/v1/sites/${id}/alert_assignees`, seller);
    return body.map(({ name }) => name);
  };
  const accept = (userId: number) =>
    cloud.db.deleteFrom('site_invitations').where('site_id', '=', id).where('user_id', '=', userId).execute();
  const alertId = await cloud.make.alert(id);
  const assign = async (assigneeId: number) =>
    (
      await cloud.call(`PATCH /api/v1/sites/${id}/alerts/${alertId}`, {
        token: seller.token,
        body: { assignee_id: assigneeId },
      })
    ).status;
  expect(await names()).toEqual(['Nora New', 'Saul Seller']);
  expect([await assign(guest.id), await assign(buyerId)]).toEqual([422, 200]);
  await accept(guest.id);
  expect(await names()).toEqual(['Gus Guest', 'Nora New', 'Saul Seller']);
  expect(await assign(guest.id)).toBe(200);
  await cloud.db
    .insertInto('site_invitations')
    .values({
      ...{ site_id: id, user_id: buyerId, email: 'given@example.org', first_name: 'Nora', last_name: '' },
      ...{ invited_by: seller.id, created_at: new Date(cloud.clock.now()) },
    })
    .execute();
  expect(await names()).toEqual(['Gus Guest', 'Saul Seller']);
});

const later = (ms: number) => new Date(cloud.clock.now() + ms).toISOString();

it('a change of an alert changes what it names, of this alert alone, and refuses a snooze outside of 90 days', async () => {
  const [id, besides] = [await cloud.make.alert(siteId), await cloud.make.alert(siteId)];
  const elsewhere = await cloud.make.alert(otherSiteId);
  const change = async (body: SiteAlertChange, by = owner, alertId = id) => {
    const { token } = by;
    const { status, body: answer } = await cloud.call<SiteAlert & { errors?: unknown }>(
      `PATCH /api/v1/sites/${siteId}/alerts/${alertId}`,
      { token, body },
    );
    if (status !== 200) return { status, errors: answer.errors };
    const { state, acknowledged_by: by_, snoozed_until: until, assignee, note } = answer;
    return [state, by_, until, assignee?.name ?? null, note];
  };
  const rows = () =>
    cloud.db
      .selectFrom('alerts')
      .selectAll()
      .where('id', 'in', [String(besides), String(elsewhere)])
      .orderBy('id')
      .execute();
  const untouched = await rows();
  const [soon, inNinetyDays] = [later(1), later(90 * DAY_MS)];
  const stranger = await cloud.make.user();
  const nameless = await cloud.make.user({ firstName: '', lastName: '' });
  await cloud.make.member(siteId, nameless.id, 'admin');
  const handyman = await cloud.make.user({ firstName: 'Hans', lastName: 'Handy' });
  await cloud.make.member(siteId, handyman.id, 'member');
  const hans = 'Hans Handy';
  const steps: [string, SiteAlertChange, TestUser, unknown][] = [
    ['nothing', {}, owner, ['raised', null, null, null, null]],
    ['a note with spaces around it', { note: '  Fuse? ' }, owner, ['raised', null, null, null, 'Fuse?']],
    [
      'a snooze of 90 days',
      { snoozed_until: inNinetyDays },
      owner,
      ['raised', null, inNinetyDays, null, 'Fuse?'],
    ],
    ['a snooze of a moment', { snoozed_until: soon }, owner, ['raised', null, soon, null, 'Fuse?']],
    [
      'a snooze until now',
      { snoozed_until: later(0), note: 'lost' },
      owner,
      { status: 422, errors: { snoozed_until: ['must be in the future'] } },
    ],
    [
      'a snooze for longer than 90 days',
      { snoozed_until: later(90 * DAY_MS + 1), note: 'lost' },
      owner,
      { status: 422, errors: { snoozed_until: ['must be within 90 days'] } },
    ],
    ['an assignee', { assignee_id: handyman.id }, owner, ['raised', null, soon, hans, 'Fuse?']],
    [
      'an assignee without a name',
      { assignee_id: nameless.id },
      owner,
      ['raised', null, soon, nameless.email, 'Fuse?'],
    ],
    [
      'an assignee who does not see the site',
      { assignee_id: stranger.id, note: 'lost' },
      owner,
      { status: 422, errors: { assignee_id: ['must be the account of someone who sees the site'] } },
    ],
    ['the first again', { assignee_id: handyman.id }, owner, ['raised', null, soon, hans, 'Fuse?']],
    ['that it is not acknowledged', { acknowledged: false }, owner, ['raised', null, soon, hans, 'Fuse?']],
    [
      'that it is acknowledged',
      { acknowledged: true },
      nameless,
      ['acknowledged', nameless.email, soon, hans, 'Fuse?'],
    ],
    [
      'the same by another person',
      { acknowledged: true },
      owner,
      ['acknowledged', nameless.email, soon, hans, 'Fuse?'],
    ],
    ['no snooze', { snoozed_until: null }, owner, ['acknowledged', nameless.email, null, hans, 'Fuse?']],
    ['no assignee', { assignee_id: null }, owner, ['acknowledged', nameless.email, null, null, 'Fuse?']],
    ['a blank note', { note: '  ' }, owner, ['acknowledged', nameless.email, null, null, null]],
    ['a note again', { note: 'Yes' }, owner, ['acknowledged', nameless.email, null, null, 'Yes']],
    ['no note', { note: null }, owner, ['acknowledged', nameless.email, null, null, null]],
    ['that it is not acknowledged', { acknowledged: false }, owner, ['raised', null, null, null, null]],
    [
      'that it is acknowledged',
      { acknowledged: true },
      owner,
      ['acknowledged', 'Olga Owner', null, null, null],
    ],
  ];
  for (const [what, body, by, expected] of steps) expect(await change(body, by), what).toEqual(expected);
  // Each is an event when it becomes acknowledged, and not when it is so already.
  const events = await cloud.db
    .selectFrom('events')
    .select(['type', 'organization_id as of'])
    .where('site_id', '=', siteId)
    .where(sql<number>`(data ->> 'alert_id')::int`, '=', id)
    .execute();
  const { organization_id: of } = await cloud.db
    .selectFrom('sites')
    .select('organization_id')
    .where('id', '=', siteId)
    .executeTakeFirstOrThrow();
  const acknowledged = { type: 'alert.acknowledged', of };
  expect(events).toEqual([acknowledged, acknowledged]);
  // An alert of another site is not there.
  expect(await change({ note: 'lost' }, owner, elsewhere)).toMatchObject({ status: 404 });
  expect(await rows()).toEqual(untouched);
});

it('the alerts of a tag are those of sites that have it, in any letter case', async () => {
  const account = await cloud.make.user();
  const tagged = async (...tags: string[]) => {
    const { id } = await cloud.make.site({ ownerId: account.id });
    await cloud.db.updateTable('sites').set({ tags }).where('id', '=', id).execute();
    await cloud.make.alert(id);
    return id;
  };
  const sites = [await tagged('Barn', 'north'), await tagged('barns'), await tagged()];
  const listed = async (query: string) =>
    (await cloud.call<SiteAlert[]>(`GET /api/v1/alerts${query}`, account)).body.map(({ site_id: id }) => id);
  expect(await listed('?tag=bARN')).toEqual(sites.slice(0, 1));
  expect(await listed('?tag=attic')).toEqual([]);
  // The newest come first.
  expect(await listed('')).toEqual(sites);
  expect(await listed('?limit=1&offset=1')).toEqual(sites.slice(1, 2));
});

const assign = async (assigneeId: number, { token }: TestUser, alertId: number) =>
  (
    await cloud.call(`PATCH /api/v1/sites/${siteId}/alerts/${alertId}`, {
      token,
      body: { assignee_id: assigneeId },
    })
  ).status;

it('an owner assigns no alert to employees, whose names are not the owner’s to know', async () => {
  const id = await cloud.make.alert(siteId, { rule: 'fan' });
  expect(await assign(clerk.id, owner, id)).toBe(422);
  expect(await assign(clerk.id, installer, id)).toBe(200);
  // It stays as it is, where a program sends it with other changes.
  expect(await assign(clerk.id, owner, id)).toBe(200);
});

it('the assignee of an alert gets one message about it from another person, and none about one that they took themselves', async () => {
  const id = await cloud.make.alert(siteId, {
    ...{ rule: 'fault', kind: 'complaint', severity: 1, topic: 'inverter_1/fault', detail: 'DC busbar' },
  });
  for (const assigneeId of [installer.id, member.id])
    expect(await assign(assigneeId, installer, id)).toBe(200);
  const { subject } = await cloud.mail(member.email);
  expect(subject).toBe('Scheune: Ihnen zugewiesen: Wechselrichter 1 meldet: DC busbar');
  for (const assigneeId of [installer.id, member.id])
    expect(await assign(assigneeId, installer, id)).toBe(200);
  const messages = await cloud.db
    .selectFrom('notifications')
    .select(['user_id', 'channel', 'kind'])
    .where('alert_id', '=', String(id))
    .execute();
  expect(messages).toEqual([{ user_id: member.id, channel: 'mail', kind: 'assigned' }]);
});

it('an assignment that was taken back before its message left gives none, and one when it is made again', async () => {
  const id = await cloud.make.alert(siteId, { rule: 'relay' });
  const settings = await cloud.call('PATCH /api/v1/user/notification_settings', {
    token: await cloud.make.token(clerk.id, { kind: 'session' }),
    body: { digest: 'hourly' },
  });
  expect(settings.status).toBe(200);
  expect(await assign(clerk.id, installer, id)).toBe(200);
  expect(await assign(installer.id, installer, id)).toBe(200);
  const later = await cloud.make.alert(siteId, { rule: 'fuse', kind: 'complaint', detail: 'F1' });
  expect(await assign(clerk.id, installer, later)).toBe(200);
  cloud.clock.advance(61 * 60_000);
  expect((await cloud.mail(clerk.email)).subject).toContain('Assigned to you: ');
  const states = () =>
    cloud.db.selectFrom('notifications').select('state').where('alert_id', '=', String(id)).execute();
  await expect.poll(states, { timeout: 30_000 }).toEqual([{ state: 'skipped' }]);
  expect(await assign(clerk.id, installer, id)).toBe(200);
  cloud.clock.advance(61 * 60_000);
  expect((await cloud.mail(clerk.email)).subject).toContain('Assigned to you: ');
});

it('an alert of a person who has lost the site is noted without another assignment', async () => {
  const former = await cloud.make.user();
  const membership = { site_id: siteId, user_id: former.id, role: 'member' } as const;
  await cloud.db.insertInto('site_members').values(membership).execute();
  const alertId = await cloud.make.alert(siteId, { rule: 'fault' });
  const change = (body: object) =>
    cloud.call(`PATCH /api/v1/sites/${siteId}/alerts/${alertId}`, { token: owner.token, body });
  expect((await change({ assignee_id: former.id })).status).toBe(200);
  await cloud.db.deleteFrom('site_members').where('user_id', '=', former.id).execute();
  expect(await change({ assignee_id: former.id, note: 'Moved away' })).toMatchObject({
    status: 200,
    body: { assignee: { id: former.id }, note: 'Moved away' },
  });
  expect((await change({ assignee_id: null })).status).toBe(200);
  expect((await change({ assignee_id: former.id })).status).toBe(422);
});

it('those who manage a site set after how many minutes it is offline for an alert', async () => {
  const route = `/api/v1/sites/${siteId}/offline_alert`;
  const read = async () => (await cloud.call(`GET ${route}`, { token: member.token })).body;
  expect(await read()).toEqual({ minutes: 15 });
  for (const minutes of [60, 60, null]) {
    const answer = await cloud.call(`PUT ${route}`, { token: installer.token, body: { minutes } });
    expect(answer).toMatchObject({ status: 200, body: { minutes } });
    expect(await read()).toEqual({ minutes });
  }
  const refused = await cloud.call(`PUT ${route}`, { token: owner.token, body: { minutes: 4 } });
  expect(refused).toMatchObject({ status: 422, body: { errors: { minutes: [expect.any(String)] } } });
  const entries = await cloud.db
    .selectFrom('audit_events')
    .select('details')
    .where('action', '=', 'site.offline_alert_changed')
    .orderBy('id')
    .execute();
  const { minutes: elsewhere } = await cloud.db
    .selectFrom('sites')
    .select('offline_minutes as minutes')
    .where('id', '=', otherSiteId)
    .executeTakeFirstOrThrow();
  expect(elsewhere).toBe(15);
  expect(entries.map(({ details }) => details)).toEqual([
    { from: '15 min', to: '60 min' },
    { from: '60 min', to: '' },
  ]);
});
