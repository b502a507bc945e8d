import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let operator: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  operator = await cloud.make.user({ staff: true });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const show = (id: number | string) => cloud.call(`GET /api/v1/organizations/${id}`);
const change = (id: number, token: string, body: unknown) =>
  cloud.call(`PATCH /api/v1/organizations/${id}`, { token, body });

/** An organization and its owner. */
async function founded(): Promise<{ id: number; owner: TestUser }> {
  const id = await cloud.make.organization();
  return { id, owner: await cloud.make.employee(id, 'owner') };
}

describe('GET /organizations/:id', () => {
  it('the answer needs no token and is cacheable for a minute', async () => {
    const { id, owner } = await founded();
    await change(id, owner.token, {
      name: `Sun ${id}`,
      cloud_host: `sun-${id}.example.com`,
      color1: '#AA0000',
    });
    const { status, body, headers } = await show(id);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      name: `Sun ${id}`,
      logo: null,
      color1: '#aa0000',
      color_dark1: null,
      color2: null,
      color_dark2: null,
      color_primary: '#aa0000',
      color_dark_primary: '#94a3b8',
      cloud_host: `sun-${id}.example.com`,
    });
    expect(headers.get('cache-control')).toBe('public, max-age=60');
  });

  it.each([999_999, 2_147_483_648, 0, -1, 'mine', '1.5'])('the id %s is answered 404', async (id) => {
    expect(await show(id)).toMatchObject({ status: 404, body: { error: 'Not found' } });
  });
});

describe('GET /organizations', () => {
  const list = async (token: string, query = '') => {
    const { body } = await cloud.call<{ id: number; role: string | null }[]>(
      `GET /api/v1/organizations${query}`,
      { token },
    );
    return body.map(({ id, role }) => [id, role]);
  };

  it('employees list their employers, customers and strangers get an empty list', async () => {
    const { id, owner } = await founded();
    const other = await cloud.make.organization(owner.id);
    expect(await list(owner.token)).toEqual([
      [id, 'owner'],
      [other, 'member'],
    ]);
    expect(await list(owner.token, '?limit=1&offset=1')).toEqual([[other, 'member']]);
    expect(await list((await cloud.make.user({ customerOf: id })).token)).toEqual([]);
  });

  it('a token of an organization lists that organization only', async () => {
    const { id, owner } = await founded();
    const other = await cloud.make.organization(owner.id);
    expect(await list(await cloud.make.token(owner.id, { organizationId: other }))).toEqual([
      [other, 'member'],
    ]);
    expect(await list(await cloud.make.token(operator.id, { organizationId: id }))).toEqual([[id, null]]);
    const stranger = await cloud.make.user();
    expect(await list(await cloud.make.token(stranger.id, { organizationId: id }))).toEqual([]);
  });

  it('operators list all organizations by name and find them by name, host or id', async () => {
    const named = async (name: string, cloud_host: string | null = null) => {
      const { body } = await cloud.call<{ id: number }>('POST /api/v1/organizations', {
        token: operator.token,
        body: { name, cloud_host },
      });
      return body.id;
    };
    const zebra = await named('zebra 100% Solar');
    const apple = await named('Apple Solar', 'apples.example.com');
    const ids = async (q: string) =>
      (await list(operator.token, `?q=${encodeURIComponent(q)}`)).map(([id]) => id);
    expect(await ids(' SOLAR')).toEqual([apple, zebra]);
    expect(await ids('apples.')).toEqual([apple]);
    expect(await ids(String(zebra))).toContain(zebra);
    expect(await ids('0%')).toEqual([zebra]);
    expect(await ids('zebra_')).toEqual([]);
    expect((await list(operator.token, '?limit=1000')).length).toBeGreaterThan(2);
  });

  it('a token of a third party gets an empty list', async () => {
    const { id, owner } = await founded();
    await cloud.make.token(owner.id, { scopes: ['openid', 'sites:read_single'] });
    await cloud.db.updateTable('tokens').set({ kind: 'oauth' }).where('user_id', '=', owner.id).execute();
    expect(await list(owner.token)).toEqual([]);
    expect((await change(id, owner.token, { color2: '#000000' })).status).toBe(200);
  });
});

describe('POST /organizations', () => {
  it('an organization is created only by operators with a token of no organization', async () => {
    const { id, owner } = await founded();
    const posted = await cloud.make.token(operator.id, { organizationId: id });
    for (const token of [owner.token, posted]) {
      const answer = await cloud.call('POST /api/v1/organizations', { token, body: { name: 'Mine' } });
      expect(answer).toMatchObject({ status: 403, body: { error: expect.any(String) } });
    }
  });

  it('the answer is the new organization, and its creation is recorded', async () => {
    const body = { name: '  Helios  ', cloud_host: 'Portal.Helios.example:8443', color_dark1: '#ABCDEF' };
    const made = await cloud.call<{ id: number }>('POST /api/v1/organizations', {
      token: operator.token,
      body,
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'Helios',
        cloud_host: 'portal.helios.example:8443',
        cloud_host_vetted: true,
        color_dark_primary: '#abcdef',
        role: null,
      },
    });
    const records = await recordsOf(made.body.id);
    expect(records).toMatchObject([
      { action: 'organization.created', actor_id: operator.id, details: { name: 'Helios' } },
    ]);
  });
});

const recordsOf = (organizationId: number) =>
  cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'details'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();

describe('PATCH /organizations/:id', () => {
  it.each<[string, number, (id: number) => Promise<string>]>([
    ['its owner', 200, async (id) => (await cloud.make.employee(id, 'owner')).token],
    ['its admin', 200, async (id) => (await cloud.make.employee(id, 'admin')).token],
    ['its other employees', 403, async (id) => (await cloud.make.employee(id)).token],
    ['its customers', 403, async (id) => (await cloud.make.user({ customerOf: id })).token],
    ['strangers', 403, async () => (await cloud.make.user()).token],
    ['operators', 200, async () => operator.token],
    ['operators there', 200, (id) => cloud.make.token(operator.id, { organizationId: id })],
    [
      'operators elsewhere',
      403,
      async () => cloud.make.token(operator.id, { organizationId: await cloud.make.organization() }),
    ],
    [
      'its owner elsewhere',
      403,
      async (id) => {
        const owner = await cloud.make.employee(id, 'owner');
        return cloud.make.token(owner.id, { organizationId: await cloud.make.organization(owner.id) });
      },
    ],
    [
      'its owner with a token that may not write',
      403,
      async (id) => {
        const owner = await cloud.make.employee(id, 'owner');
        return cloud.make.token(owner.id, { scopes: ['sites:read_all', 'users:read_all'] });
      },
    ],
  ])('a change by %s is answered %i', async (_who, expected, tokenFor) => {
    const id = await cloud.make.organization();
    const { status } = await change(id, await tokenFor(id), { color1: '#123456' });
    expect(status).toBe(expected);
    expect((await show(id)).body.color1).toBe(expected === 200 ? '#123456' : null);
  });

  it('every invalid field of a change is refused in one answer', async () => {
    const operator = await cloud.make.user({ staff: true });
    const id = await cloud.make.organization();
    const invalid = {
      name: 1,
      cloud_host: 2,
      color1: 3,
      color_dark1: 4,
      color2: 5,
      color_dark2: 'red',
      locale: 'tlh',
      requires_second_factor: 6,
    };
    const answer = await cloud.call(`PATCH /api/v1/organizations/${id}`, {
      token: operator.token,
      body: invalid,
    });
    expect(answer.status).toBe(422);
    const errors = answer.body.errors as Record<string, string[]>;
    expect(Object.keys(errors).toSorted()).toEqual(Object.keys(invalid).toSorted());
    expect(errors.locale?.join()).toMatch(/ or "zh_TW", not a text$/);
  });

  it('an unknown organization is answered 404', async () => {
    expect((await change(999_999, operator.token, { color1: '#123456' })).status).toBe(404);
  });

  it('a change is recorded with the values before and after, no change not at all', async () => {
    const { id, owner } = await founded();
    await change(id, owner.token, { color1: '#111111', color2: null });
    await change(id, owner.token, { color1: '#111111' });
    await change(id, owner.token, {});
    expect(await recordsOf(id)).toEqual([
      {
        action: 'organization.changed',
        actor_id: owner.id,
        details: { color1: { from: null, to: '#111111' } },
      },
    ]);
  });

  const NO_HOST = 'must be a host name such as portal.example.com, with a port if it has one';
  it.each<[string, object, Record<string, string>]>([
    ['a blank name', { name: ' ' }, { name: "can't be blank" }],
    ['no name', { name: null }, { name: "can't be blank" }],
    ['a name that is no text', { name: ['x'] }, { name: 'must be a text, not a list' }],
    [
      'a colour by name',
      { color1: 'red', color_dark2: '#12345' },
      { color1: 'must be a colour such as #1a2b3c', color_dark2: 'must be a colour such as #1a2b3c' },
    ],
    ['a URL for a host', { cloud_host: 'https://x.example.com' }, { cloud_host: NO_HOST }],
    ['a path', { cloud_host: 'example.com/portal' }, { cloud_host: NO_HOST }],
    ['a password in a host', { cloud_host: 'a:b@example.com' }, { cloud_host: NO_HOST }],
    ['a space in a host', { cloud_host: 'exam ple.com' }, { cloud_host: NO_HOST }],
    ['a label too long', { cloud_host: `${'a'.repeat(64)}.example.com` }, { cloud_host: NO_HOST }],
    ['an impossible port', { cloud_host: 'example.com:70000' }, { cloud_host: NO_HOST }],
    ['an underscore', { cloud_host: 'a_b.example.com' }, { cloud_host: NO_HOST }],
    ['an empty host', { cloud_host: '' }, { cloud_host: NO_HOST }],
    [
      'a name and a host at fault',
      { name: null, cloud_host: 'a_b.example.com' },
      { name: "can't be blank", cloud_host: NO_HOST },
    ],
  ])('a change to %s is refused with 422', async (_what, body, errors) => {
    const { id, owner } = await founded();
    const expected = Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, [text]]));
    expect(await change(id, owner.token, body)).toMatchObject({ status: 422, body: { errors: expected } });
  });

  it.each([[[]], ['x'], [7]])('the body %j is refused with 400', async (body) => {
    const { id, owner } = await founded();
    expect((await change(id, owner.token, body)).status).toBe(400);
  });

  it.each([
    ['EXAMPLE-1.com', 'example-1.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['localhost:4000', 'localhost:4000'],
    ['standard.example:443', 'standard.example'],
  ])('the host %s is stored as %s', async (given, taken) => {
    const { id, owner } = await founded();
    expect((await change(id, owner.token, { cloud_host: given })).body.cloud_host).toBe(taken);
    expect((await change(id, owner.token, { cloud_host: null })).body.cloud_host).toBe(null);
  });

  it('the name and host of another organization and the host of the service are refused', async () => {
    const [first, second] = [await founded(), await founded()];
    const host = `shared-${first.id}.example.com`;
    await change(first.id, first.owner.token, { name: `Shared ${first.id}`, cloud_host: host });
    const tryToTake = async (body: object) => (await change(second.id, second.owner.token, body)).body.errors;
    const taken = ['has already been taken'];
    expect(await tryToTake({ name: `SHARED ${first.id}` })).toEqual({ name: taken });
    expect(await tryToTake({ cloud_host: host.toUpperCase() })).toEqual({ cloud_host: taken });
    expect(await tryToTake({ cloud_host: new URL(cloud.url).host })).toEqual({ cloud_host: taken });
  });
});

describe('the host of links in mails', () => {
  it('links use the host of the organization after an operator has set it', async () => {
    const { id, owner } = await founded();
    const cloud_host = `vetted-${id}.example.com`;
    const vetted = async (token: string, body: object) =>
      (await change(id, token, body)).body.cloud_host_vetted;
    expect(await vetted(owner.token, { cloud_host })).toBe(false);
    expect(await vetted(operator.token, { cloud_host })).toBe(true);
    expect(await vetted(owner.token, { cloud_host, color1: '#000000' })).toBe(true);
    expect(await vetted(owner.token, { cloud_host: `other-${id}.example.com` })).toBe(false);
  });
});
