import type { AlertAssignee, SiteAlert } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let cloud: TestCloud;
let siteId: number;
let owner: TestUser;
let member: TestUser;
let installer: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user({ firstName: 'Olga', lastName: 'Owner' });
  member = await cloud.make.user({ firstName: 'Max', lastName: 'Member' });
  const organization = await cloud.make.organization();
  installer = await cloud.make.employee(organization, 'admin', { firstName: 'Ines', lastName: 'Installer' });
  await cloud.make.employee(organization, 'member', { firstName: 'Cleo', lastName: 'Clerk' });
  const site = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
  siteId = site.id;
  await cloud.db
    .insertInto('site_members')
    .values({ site_id: siteId, user_id: member.id, role: 'member' })
    .execute();
  await cloud.make.alert(siteId);
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
  expect(await assignees(installer)).toEqual(['Cleo Clerk', 'Ines Installer', 'Max Member', 'Olga Owner']);
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
