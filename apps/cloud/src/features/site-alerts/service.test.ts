import type { AlertAssignee, SiteAlert } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
let siteId: number;
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
  for (const assigneeId of [installer.id, member.id, installer.id, member.id])
    expect(await assign(assigneeId, installer, id)).toBe(200);
  const { subject } = await cloud.mail(member.email);
  expect(subject).toBe('Scheune: Ihnen zugewiesen: Wechselrichter 1 meldet: DC busbar');
  const messages = await cloud.db
    .selectFrom('notifications')
    .select(['user_id', 'channel', 'kind'])
    .where('alert_id', '=', String(id))
    .execute();
  expect(messages).toEqual([{ user_id: member.id, channel: 'mail', kind: 'assigned' }]);
});

it('an assignment that was taken back before its message left gives none', async () => {
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
  expect(entries.map(({ details }) => details)).toEqual([
    { from: '15 min', to: '60 min' },
    { from: '60 min', to: '' },
  ]);
});
