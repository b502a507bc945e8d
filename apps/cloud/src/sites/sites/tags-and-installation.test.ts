import type { Site, SiteSummary } from '@heliograph/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

it('tags are kept once in any letter case, found by the search in any other, and recorded', async () => {
  const { id, token } = await cloud.make.user();
  const [tagged, other] = [await cloud.make.site({ ownerId: id }), await cloud.make.site({ ownerId: id })];
  const site = `/api/v1/sites/${tagged.id}`;
  const tags = [' Südhang', 'südhang', 'Service "gold"'];
  for (const _ of ['once', 'and the same again']) {
    const answer = await cloud.call(`PUT ${site}/tags`, { token, body: { tags } });
    expect(answer).toMatchObject({ status: 200, body: { tags: ['Service "gold"', 'Südhang'] } });
  }
  await cloud.call(`PUT /api/v1/sites/${other.id}/tags`, { token, body: { tags: ['Süd'] } });

  const found = async (q: string) => {
    const { body } = await cloud.call<SiteSummary[]>(`GET /api/v1/sites?q=${encodeURIComponent(q)}`, {
      token,
    });
    return body.map((each) => each.id);
  };
  const comma = await cloud.call(`PUT ${site}/tags`, { token, body: { tags: ['a,b'] } });
  expect(comma).toMatchObject({ status: 422, body: { errors: { tags: ["can't have commas"] } } });
  expect(await found('tag:SÜDHANG')).toEqual([tagged.id]);
  expect(await found('tag:süd')).toEqual([other.id]);
  expect(await found('tag:nothing')).toEqual([]);

  const { body: audit } = await cloud.call<{ action: string }[]>(`GET ${site}/audit`, { token });
  expect(audit.filter(({ action }) => action === 'site.tags_changed')).toMatchObject([
    { details: { from: '', to: 'Service "gold", Südhang' } },
  ]);
});

it('the peak power and location of a site are entered and removed, but never half a location', async () => {
  const { id, token } = await cloud.make.user();
  const { id: siteId } = await cloud.make.site({ ownerId: id });
  const path = `PUT /api/v1/sites/${siteId}/installation`;
  const installation = { peak_power_kwp: 9.84, latitude: 48.1374, longitude: -11.5755 };
  expect(await cloud.call(path, { token, body: installation })).toMatchObject({
    status: 200,
    body: installation,
  });
  const half = await cloud.call(path, { token, body: { ...installation, longitude: null } });
  expect(half).toMatchObject({ status: 422, body: { errors: { longitude: ["can't be blank"] } } });
  const { body: site } = await cloud.call<Site>(`GET /api/v1/sites/${siteId}`, { token });
  expect(site).toMatchObject({ ...installation, tags: [] });
  const nothing = { peak_power_kwp: null, latitude: null, longitude: null };
  expect(await cloud.call(path, { token, body: nothing })).toMatchObject({ status: 200, body: nothing });
});

it('the location of a site is shown to those who manage it, and to no member, viewer or third party', async () => {
  const owner = await cloud.make.user();
  const home = await cloud.make.organization();
  const { id } = await cloud.make.site({ ownerId: owner.id, organizationId: home });
  const installation = { peak_power_kwp: 9.84, latitude: 48.1374, longitude: 11.5755 };
  await cloud.call(`PUT /api/v1/sites/${id}/installation`, { token: owner.token, body: installation });
  const [admin, member] = [await cloud.make.user(), await cloud.make.user()];
  await cloud.make.member(id, admin.id, 'admin');
  await cloud.make.member(id, member.id, 'member');
  const located = async (token: string) => {
    const { body: site } = await cloud.call<Site>(`GET /api/v1/sites/${id}`, { token });
    expect(site.peak_power_kwp).toBe(9.84);
    for (const query of ['', '?sort=name']) {
      const { body: list } = await cloud.call<SiteSummary[]>(`GET /api/v1/sites${query}`, { token });
      expect(list.map(({ latitude }) => latitude)).toEqual([site.latitude]);
    }
    return site.latitude !== null && site.longitude !== null;
  };
  const boss = await cloud.make.employee(home, 'admin');
  for (const token of [owner.token, admin.token, boss.token]) expect(await located(token)).toBe(true);
  const clerk = await cloud.make.employee(home);
  const reader = await cloud.make.token(owner.id, { scopes: ['sites:read_all'] });
  for (const token of [member.token, clerk.token, reader]) expect(await located(token)).toBe(false);
});

it('tags that a former release stored as they were typed have the order of names in answers', async () => {
  const { id: ownerId } = await cloud.make.user();
  const token = await cloud.make.token(ownerId, { kind: 'session' });
  const { id } = await cloud.make.site({ ownerId });
  const stored = ['Dach 10', 'äußere', 'Dach 2'];
  await cloud.db.updateTable('sites').set({ tags: stored }).where('id', '=', id).execute();
  const body = { team_tags: stored };
  const settings = (method: string, options = {}) =>
    cloud.call<{ team_tags: string[] }>(`${method} /api/v1/user/notification_settings`, {
      token,
      ...options,
    });
  await settings('PATCH', { body });
  const ordered = ['äußere', 'Dach 2', 'Dach 10'];
  const { body: sites } = await cloud.call<{ tags: string[] }[]>('GET /api/v1/sites', { token });
  expect(sites.map(({ tags }) => tags)).toEqual([ordered]);
  expect((await settings('GET')).body.team_tags).toEqual(ordered);
});
