import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const rename = (id: number, body: unknown, token = owner.token) =>
  cloud.call(`PATCH /api/v1/sites/${id}/name`, { token, body });

const newSite = (name?: string) =>
  cloud.make.site({ ownerId: owner.id, ...(name !== undefined && { name }) });

describe('PATCH /sites/:id/name', () => {
  it('the answer has the site, its new address and a token', async () => {
    const site = await newSite();
    const { status, body } = await rename(site.id, { name: 'Meadow' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: site.id, name: 'Meadow', url: 'https://meadow.us.example.org' });
    expect(decodeJwt(String(body.token))).toMatchObject({
      site: site.id,
      access: 'write',
      exp: new Date(cloud.clock.now() + SITE_TOKEN_LIFETIME_MS).toISOString(),
    });
    const { body: shown } = await cloud.call(`GET /api/v1/sites/${site.id}`, { token: owner.token });
    expect(shown).toMatchObject({ name: 'Meadow', owner: { email: owner.email } });
  });

  it('a new name is recorded once, an unchanged one not at all', async () => {
    const site = await newSite('before');
    for (const name of ['After', 'After', 'after']) {
      expect((await rename(site.id, { name })).status).toBe(200);
    }
    const records = await cloud.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('site_id', '=', site.id)
      .where('action', '=', 'site.renamed')
      .orderBy('id')
      .execute();
    expect(records).toEqual([
      { actor_id: owner.id, details: { from: 'before', to: 'After' } },
      { actor_id: owner.id, details: { from: 'After', to: 'after' } },
    ]);
  });

  it.each([
    [{ name: null }, 422, { errors: { name: ["can't be blank"] } }],
    [{ name: '' }, 422, { errors: { name: ["can't be blank"] } }],
    [{ name: ' ' }, 422, { errors: { name: ["can't be blank"] } }],
    [{ name: 'a b' }, 422, { errors: { name: [expect.stringMatching(/hostname label/)] } }],
    [{ name: 'WWW' }, 422, { errors: { name: [expect.stringMatching(/^is reserved/)] } }],
    [{ name: 'taken-Name' }, 422, { errors: { name: ['is already taken'] } }],
    [{}, 400, { error: expect.stringMatching(/name/) }],
    [{ name: 7 }, 400, { error: expect.any(String) }],
    [[], 400, { error: expect.any(String) }],
    [undefined, 400, { error: expect.any(String) }],
  ])('the body %j is refused', async (body, status, answer) => {
    await cloud.db
      .insertInto('sites')
      .values({
        name: 'taken-name',
        region: 'us',
        owner_id: owner.id,
        description: null,
        organization_id: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const site = await newSite();
    expect(await rename(site.id, body)).toMatchObject({ status, body: answer });
  });

  it('a site that has a name that is reserved now keeps it, and no other gets it', async () => {
    const site = await newSite();
    await cloud.db.updateTable('sites').set({ name: 'status' }).where('id', '=', site.id).execute();
    expect((await rename(site.id, { name: 'Status' })).status).toBe(200);
    expect((await rename(site.id, { name: 'support' })).status).toBe(422);
  });

  it('a name that is taken in another region is accepted', async () => {
    await cloud.db
      .insertInto('sites')
      .values({
        name: 'elsewhere',
        region: 'eu',
        owner_id: owner.id,
        description: null,
        organization_id: null,
      })
      .execute();
    expect((await rename((await newSite()).id, { name: 'elsewhere' })).status).toBe(200);
  });

  it.each<[string, number]>([
    ['owner', 200],
    ['admin', 200],
    ['member', 403],
    ['stranger', 404],
    ['staff', 200],
    ['employee', 403],
    ['admin of the organization', 200],
    ['admin who may only read', 403],
  ])('a change by the role "%s" is answered %i', async (who, expected) => {
    const user = who === 'owner' ? owner : await cloud.make.user({ staff: who === 'staff' });
    const organizationId = await cloud.make.organization();
    const site = await cloud.make.site({ ownerId: owner.id, organizationId });
    if (who.startsWith('admin')) {
      if (who !== 'admin of the organization') await cloud.make.member(site.id, user.id, 'admin');
    }
    if (who === 'member') await cloud.make.member(site.id, user.id, 'member');
    if (who === 'employee' || who === 'admin of the organization') {
      await cloud.db
        .insertInto('organization_members')
        .values({
          organization_id: organizationId,
          user_id: user.id,
          role: who === 'employee' ? 'member' : 'admin',
        })
        .execute();
    }
    const token =
      who === 'admin who may only read'
        ? await cloud.make.token(user.id, { scopes: ['sites:read_all'] })
        : user.token;
    expect((await rename(site.id, { name: `site-of-${site.id}` }, token)).status).toBe(expected);
  });

  it.each([
    ['an admin of it', false],
    ['an operator', true],
  ])('a rename by %s with a token of another organization is refused', async (_who, staff) => {
    const [own, other] = [await cloud.make.organization(), await cloud.make.organization()];
    const site = await cloud.make.site({ ownerId: owner.id, organizationId: own });
    await cloud.make.share(other, site.id);
    const user = staff ? await cloud.make.user({ staff }) : await cloud.make.employee(own, 'admin');
    const token = await cloud.make.token(user.id, { organizationId: other });
    if (!staff) {
      await cloud.db
        .insertInto('organization_members')
        .values({ organization_id: other, user_id: user.id, role: 'member' })
        .execute();
    }
    expect((await rename(site.id, { name: `renamed-${site.id}` }, token)).status).toBe(403);
    expect((await rename(site.id, { name: `renamed-${site.id}` }, user.token)).status).toBe(200);
  });

  it('exactly one of many concurrent renames gets the name', async () => {
    const sites = await Promise.all(Array.from({ length: 6 }, () => newSite()));
    const answers = await Promise.all(sites.map(({ id }) => rename(id, { name: 'wanted' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422, 422]);
  });
});
