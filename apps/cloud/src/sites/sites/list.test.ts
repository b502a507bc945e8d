import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let operator: TestUser;
let stranger: TestUser;
let organization: number;
const ids: Record<string, number> = {};
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  operator = await cloud.make.user({ staff: true });
  stranger = await cloud.make.user();
  organization = await cloud.make.organization(owner.id);
  const sites = [
    {
      name: 'meadow',
      description: 'Roof 100% north_side',
      device: {
        inverter: 'Deye',
        localIp: '10.0.0.7',
        inverterParams: { phases: 3, serial: '007', eco: true },
      },
    },
    { name: 'Barn', device: { inverter: 'SunSpec', battery: 'Pylontech', uid: 'uid-of-barn' } },
    { name: null, description: "Robert'); drop table sites;--" },
    { name: 'attic', organizationId: organization },
  ];
  for (const site of sites) {
    ids[site.name ?? 'unnamed'] = (await cloud.make.site({ ...site, ownerId: owner.id })).id;
  }
  ids.foreign = (await cloud.make.site({ name: 'foreign', ownerId: stranger.id })).id;
  await cloud.make.member(ids.foreign, owner.id, 'member');
  ids.hidden = (await cloud.make.site({ name: 'hidden', ownerId: stranger.id })).id;
});
/** Every test finds the same sites. */
afterEach(async () => {
  const last = ids.hidden ?? 0;
  await sql`delete from devices where site_id > ${last}`.execute(cloud.db);
  await sql`delete from site_members where site_id > ${last} or user_id = ${stranger.id}`.execute(cloud.db);
  await sql`delete from sites where id > ${last}`.execute(cloud.db);
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const list = async (query = '', token = owner.token): Promise<(string | null)[]> => {
  const { status, body } = await cloud.call<{ name: string | null }[]>(`GET /api/v1/sites${query}`, {
    token,
  });
  expect(status).toBe(200);
  return body.map(({ name }) => name);
};

describe('GET /sites', () => {
  it('numbers within names are in their order, in a list and in one that is sorted', async () => {
    for (const name of ['devc10', 'devc2', 'Devc1']) await cloud.make.site({ name, ownerId: stranger.id });
    const names = ['Devc1', 'devc2', 'devc10', 'foreign', 'hidden'];
    expect(await list('', stranger.token)).toEqual(names);
    expect(await list('?sort=name&direction=descending', stranger.token)).toEqual(names.toReversed());
    expect(await list('?offset=1&limit=2', stranger.token)).toEqual(['devc2', 'devc10']);
  });

  it('names of every language have one order, and pages of it follow one another', async () => {
    const { id, token } = await cloud.make.user();
    // The base letters of the root collation first, then accents, then letter case.
    const names = [
      'Aalborg',
      'Ader',
      'Äder',
      'Ådalen',
      'Dach 2',
      'DACH 9',
      'Dach 10',
      'ijskoud',
      'IJsselstein',
      'Ljubljana',
      'ökonom',
      'Oslo',
      'Zorn',
      'Ærø 1',
      'Ωμέγα',
      'Яблоко',
      '屋根',
    ];
    for (const name of names.toReversed()) await cloud.make.site({ name, ownerId: id });
    const all = await list('', token);
    expect(all).toEqual(names.toSorted(new Intl.Collator('en', { numeric: true }).compare));
    const pages: (string | null)[] = [];
    for (let offset = 0; offset < names.length; offset += 3)
      pages.push(...(await list(`?offset=${offset}&limit=3`, token)));
    expect(pages).toEqual(all);
    const sorted = await list('?sort=name', token);
    expect(sorted).toEqual(all);
  });

  it('an account lists its own and shared sites by name, the unnamed last', async () => {
    expect(await list()).toEqual(['attic', 'Barn', 'foreign', 'meadow', null]);
  });

  it('operators list every site, the newest first', async () => {
    expect(await list('', operator.token)).toEqual(['hidden', 'foreign', 'attic', null, 'Barn', 'meadow']);
  });

  it('a token of an organization lists the sites of that organization only', async () => {
    const ofOwner = await cloud.make.token(owner.id, { organizationId: organization });
    const ofOperator = await cloud.make.token(operator.id, { organizationId: organization });
    const ofStranger = await cloud.make.token(stranger.id, { organizationId: organization });
    expect(await list('', ofOwner)).toEqual(['attic']);
    expect(await list('', ofOperator)).toEqual(['attic']);
    expect(await list('', ofStranger)).toEqual([]);
  });

  it('a search finds several ids, and none of sites that the caller may not see', async () => {
    expect(await list(`?q=id:${ids.meadow},${ids.Barn},${ids.hidden}`)).toEqual(['Barn', 'meadow']);
    expect(await list(`?q=id:${ids.meadow}`)).toEqual(['meadow']);
    expect(await list(`?q=id:${ids.meadow},`)).toEqual([]);
  });

  it('the parameter organization_id limits the list like a token of that organization', async () => {
    const other = await cloud.make.organization(owner.id);
    const ofOther = await cloud.make.token(owner.id, { organizationId: other });
    const query = `?organization_id=${organization}`;
    expect(await list(query)).toEqual(['attic']);
    expect(await list(query, operator.token)).toEqual(['attic']);
    expect(await list(query, stranger.token)).toEqual([]);
    expect(await list(query, ofOther)).toEqual([]);
    expect(await list(`?organization_id=${other}`)).toEqual([]);
  });

  it('every field of a summary is present', async () => {
    await cloud.announce('us-htz-1');
    const { body } = await cloud.call('GET /api/v1/sites?q=name:meadow', { token: owner.token });
    expect(body).toEqual([
      {
        id: ids.meadow,
        name: 'meadow',
        description: 'Roof 100% north_side',
        proxy: null,
        arch: 'arm64',
        board: null,
        beta: false,
        version: '0.1.0',
        build_date: null,
        newest_values: null,
        open_alerts: { count: 0, severity: null },
        online: false,
        state: 'never_seen',
        last_seen_at: null,
        hardware_silent_since: null,
        local_ip: '10.0.0.7',
        inverter: 'Deye',
        inverter_count: 1,
        inverter_params: { phases: 3, serial: '007', eco: true },
        battery: null,
        battery_count: 1,
        battery_params: {},
        owner: {
          id: owner.id,
          email: owner.email,
          first_name: 'Ada',
          last_name: 'Example',
          role: 'owner',
        },
        url: 'https://meadow.us.example.org',
        tags: [],
        peak_power_kwp: null,
        latitude: null,
        longitude: null,
      },
    ]);
  });

  it.each([
    ['?limit=2', ['attic', 'Barn']],
    ['?limit=2&offset=3', ['meadow', null]],
    ['?limit=0', []],
    ['?offset=99999999999999999999', []],
    ['?limit=100000', ['attic', 'Barn', 'foreign', 'meadow', null]],
    ['?q=name:meadow', ['meadow']],
    ['?q=name%3ABARN&limit=1', ['Barn']],
    ['?q=name:mead', []],
    ['?q=name:hidden', []],
    ['?q=mead', ['meadow']],
    ['?q=ROOF+north', ['meadow']],
    ['?q=100%25', ['meadow']],
    ['?q=north_', ['meadow']],
    ['?q=n_rth', []],
    ['?q=inverter:sunspec', ['Barn']],
    ['?q=pylontech', ['Barn']],
    ['?q=uid:uid-of-barn', ['Barn']],
    ['?q=uid-of-barn', []],
    ['?q=online:true', []],
    ['?q=region:us+battery:pylontech', ['Barn']],
    ['?q=inverter_params_phases:3', ['meadow']],
    ['?q=inverter_params_phases:30', []],
    ['?q=inverter_params_serial:007', ['meadow']],
    ['?q=inverter_params_serial:7', []],
    ['?q=inverter_params_eco:true', ['meadow']],
    ['?q=battery_params_phases:3', []],
    // Escapes of JSON, which spell what no text in the database may hold.
    ['?q=inverter_params_serial:%22%5Cu0000%22', []],
    ['?q=inverter_params_serial:%22%5Cud800%22', []],
    ['?q=license:trial', []],
    ['?q=user_id:0', []],
    ['?q=last_seen_after:2020-01-01', []],
    ['?q=channel:stable+roof', ['meadow']],
    ['?q=online:false+region:us+name:barn', ['Barn']],
    ['?q=roof+%25', ['meadow']],
    ['?q=roof+barn', []],
    ['?q=colour:blue', []],
    ["?q='%20or%201=1--", []],
    ['?q=%5C', []],
    ['?q=drop', [null]],
    ['?q=', ['attic', 'Barn', 'foreign', 'meadow', null]],
    ['?nonsense=1', ['attic', 'Barn', 'foreign', 'meadow', null]],
  ])('the query %s finds %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it('a query with an unquoted model name with spaces finds the model', async () => {
    const keeper = await cloud.make.user();
    const models = { sunny: 'Sun Flower 6k', plain: 'Sun', other: 'Sun Flower 8k' };
    for (const [name, inverter] of Object.entries(models)) {
      await cloud.make.site({ name, ownerId: keeper.id, device: { inverter } });
    }
    expect(await list('?q=inverter:Sun+Flower+6k', keeper.token)).toEqual(['sunny']);
    expect(await list('?q=inverter:sun+flower+8K', keeper.token)).toEqual(['other']);
    expect(await list('?q=inverter:Sun', keeper.token)).toEqual(['plain']);
    expect(await list('?q=inverter:sun+plain', keeper.token)).toEqual(['plain']);
  });

  it('a filter finds a site by each model and family that its device reports', async () => {
    const keeper = await cloud.make.user();
    const reported = 'Simulated Hybrid 6k, Deye, Sol-Ark';
    const batteries = 'US5000, Pylontech';
    const make = (name: string, device: object) => cloud.make.site({ name, ownerId: keeper.id, device });
    await make('joined', { inverter: reported, battery: batteries });
    await make('lone', { inverter: 'Deye' });
    await make('longer', { inverter: 'Deye-2', battery: 'Deye' });
    const find = (q: string, token = keeper.token) => list(`?q=${encodeURIComponent(q)}`, token);
    expect(await find('inverter:deye')).toEqual(['joined', 'lone']);
    expect(await find('inverter:deye', operator.token)).toEqual(['lone', 'joined', 'meadow']);
    expect(await find('inverter:Dey')).toEqual([]);
    expect(await find('battery:us5000 inverter:SOL-ARK')).toEqual(['joined']);
    expect(await find('inverter:"simulated hybrid 6K"')).toEqual(['joined']);
    expect(await find('inverter:"Simulated Hybrid"')).toEqual([]);
    expect(await find(`inverter:"${reported}" battery:"${batteries}"`)).toEqual(['joined']);
    expect(await find('inverter:Simulated Hybrid 6k')).toEqual(['joined']);
  });

  it('a model is found whatever white space and control characters are around it', async () => {
    const keeper = await cloud.make.user();
    const inverter = '\tDeye,\u00a0Solo\u0085,\u3000Two Words\u2028\r\n,\u0007, \u200b';
    await cloud.make.site({ name: 'spaced', ownerId: keeper.id, device: { inverter } });
    const find = (model: string) => list(`?q=${encodeURIComponent(`inverter:"${model}"`)}`, keeper.token);

    for (const model of ['deye', 'solo', 'two words'])
      expect([model, await find(model)]).toEqual([model, ['spaced']]);
    const { rows } = await sql`select model from site_models join sites on sites.id = site_id
      where name = 'spaced' and model not like '%,%' order by model`.execute(cloud.db);
    expect(rows).toEqual([{ model: 'deye' }, { model: 'solo' }, { model: 'two words' }]);
  });

  it('a filter by model follows changes of the device and of its site', async () => {
    const keeper = await cloud.make.user();
    const old = await cloud.make.site({
      name: 'old-home',
      ownerId: keeper.id,
      device: { inverter: 'Deye, Solo' },
    });
    const next = await cloud.make.site({ name: 'new-home', ownerId: keeper.id });
    const find = (model: string) => list(`?q=inverter:${model}`, keeper.token);
    const change = (values: object) =>
      cloud.db.updateTable('devices').set(values).where('uid', '=', old.uid).execute();
    await change({ inverter: 'SunSpec, Solo' });
    expect([await find('deye'), await find('sunspec')]).toEqual([[], ['old-home']]);
    await change({ inverter: 'Symo, Solo', inverter_params: { family: 'sunspec, pi30', phases: 3 } });
    expect([await find('sunspec'), await find('PI30'), await find('symo')]).toEqual(
      Array.from({ length: 3 }, () => ['old-home']),
    );
    await change({ inverter_params: {} });
    expect(await find('sunspec')).toEqual([]);
    await cloud.db.deleteFrom('devices').where('uid', '=', next.uid).execute();
    await change({ site_id: next.id });
    expect(await find('solo')).toEqual(['new-home']);
    await cloud.db.deleteFrom('sites').where('id', '=', next.id).execute();
    expect(await find('solo')).toEqual([]);
    const { rows } = await sql`select from site_models where site_id in (${old.id}, ${next.id})`.execute(
      cloud.db,
    );
    expect(rows).toEqual([]);
  });

  it('a site is online while the proxy that holds its device announces itself', async () => {
    const { id, uid } = await cloud.make.site({ name: 'lively', ownerId: stranger.id });
    await cloud.announce('us-lively-1', { sessions: [{ uid, site_id: id }] });
    const [online, offline] = ['?q=lively+online:true', '?q=lively+online:false'];
    expect(await list(online, stranger.token)).toEqual(['lively']);
    expect(await list(offline, stranger.token)).toEqual([]);
    const shown = async () =>
      (await cloud.call('GET /api/v1/sites?q=lively', { token: stranger.token })).body;
    expect(await shown()).toMatchObject([{ online: true }]);
    cloud.clock.advance(21_000);
    await cloud.announce('us-htz-1');
    expect(await list(online, stranger.token)).toEqual([]);
    expect(await list(offline, stranger.token)).toEqual(['lively']);
    expect(await shown()).toMatchObject([{ online: false }]);
  });

  it('a query for user_id lists the sites of that account', async () => {
    expect(await list(`?q=${ids.meadow}`)).toContain('meadow');
    expect(await list(`?q=user_id:${stranger.id}`)).toEqual(['foreign']);
  });

  it('a page has twenty sites by default and 200 at most', async () => {
    const many = await cloud.make.user();
    for (let i = 0; i < 21; i++) await cloud.make.site({ ownerId: many.id });
    expect(await list('', many.token)).toHaveLength(20);
    expect(await list('?limit=21', many.token)).toHaveLength(21);
    await cloud.db
      .insertInto('sites')
      .values(
        Array.from({ length: 190 }, () => ({
          name: null,
          description: null,
          region: 'us',
          owner_id: many.id,
        })),
      )
      .execute();
    expect(await list('?limit=1000', many.token)).toHaveLength(200);
  });
});

describe('GET /sites/:id', () => {
  const show = (id: unknown, token = owner.token) => cloud.call(`GET /api/v1/sites/${id}`, { token });

  it('the answer has the organization and the members, the owner first', async () => {
    await cloud.make.member(ids.attic ?? 0, stranger.id, 'admin');
    const { status, body } = await show(ids.attic);
    expect(status).toBe(200);
    expect(body.organization).toEqual({ id: organization, name: expect.any(String), cloud_host: null });
    expect(body.users).toMatchObject([
      { id: owner.id, role: 'owner' },
      { id: stranger.id, role: 'admin' },
    ]);
  });

  it('a site is answered 404 to accounts without access', async () => {
    expect(await show(ids.hidden)).toMatchObject({ status: 404, body: { error: 'Not found' } });
    expect((await show(999_999)).status).toBe(404);
    expect((await show(ids.hidden, operator.token)).status).toBe(200);
    expect((await show(ids.hidden, stranger.token)).status).toBe(200);
    const ofOrganization = await cloud.make.token(owner.id, { organizationId: organization });
    expect((await show(ids.meadow, ofOrganization)).status).toBe(404);
  });

  it('a token of one site shows that site alone', async () => {
    const single = await cloud.make.token(owner.id, {
      scopes: ['openid', 'sites:read_single'],
      siteId: ids.meadow ?? null,
    });
    expect((await show(ids.meadow, single)).status).toBe(200);
    expect((await show(ids.Barn, single)).status).toBe(404);
    const none = await cloud.make.token(owner.id, { scopes: ['sites:read_single'] });
    expect((await show(ids.meadow, none)).status).toBe(404);
  });
});
