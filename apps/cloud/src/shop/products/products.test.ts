import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { consoleCaller, OPERATOR } from '../../access/caller.ts';
import { InvalidCatalogue, readCatalogue } from './catalogue.ts';
import { CatalogueFiles } from './catalogue-files.ts';
import { exportCatalogue, importCatalogueFile } from './catalogues.ts';
import { offeredProducts } from './rows.ts';

let cloud: TestCloud;
let ground: Parameters<typeof importCatalogueFile>[0];
let operator: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  ground = { db: cloud.db, clock: cloud.clock, catalogueFiles: new CatalogueFiles() };
  operator = await cloud.make.user({ staff: true });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const CATALOGUE = `
products:
  - sku: device_rpi5
    name: Monitoring device
    description: Reads and writes inverters
    kind: device
    prices: { USD: 229.00, eur: "219.90" }
    stock: 12
    url: https://example.org/device
  - sku: licence_year
    name: Licence for a year
    kind: licence
    prices: { USD: 60 }
    licence: { devices: 1, months: 12 }
    state: draft
`;

interface ListedProduct {
  readonly id: number;
  readonly sku: string;
  readonly state: string;
  readonly prices: readonly object[];
}

async function listed(token: string, query = ''): Promise<ListedProduct[]> {
  return (await cloud.call<ListedProduct[]>(`GET /api/v1/products${query}`, { token })).body;
}

const skusOf = async (token: string, query = '') => (await listed(token, query)).map(({ sku }) => sku);

async function events(organizationId: number | null): Promise<unknown[]> {
  const rows = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('action', 'in', ['product.created', 'product.changed', 'product.archived'])
    .where('organization_id', organizationId === null ? 'is' : '=', organizationId)
    .orderBy('id')
    .execute();
  return rows.map(({ action, details }) => [action, details]);
}

/** 20,000 lines. */
function namesOf(line: (at: number) => string): string {
  return Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n');
}

describe('a catalogue that is imported', () => {
  it('products of a catalogue are listed by name, with prices in the smallest unit', async () => {
    const seller = await cloud.make.organization();
    const boss = await cloud.make.employee(seller, 'owner');
    expect(await importCatalogueFile(ground, OPERATOR, seller, CATALOGUE)).toEqual({
      created: ['device_rpi5', 'licence_year'],
      changed: [],
      archived: [],
      unchanged: [],
      terms_changed: false,
    });
    const query = `?organization_id=${seller}`;
    expect(await skusOf(boss.token, query)).toEqual(['licence_year', 'device_rpi5']);
    const [, device] = await listed(boss.token, query);
    const shown = await cloud.call(`GET /api/v1/products/${device?.id}`, { token: boss.token });
    expect(shown).toMatchObject({
      status: 200,
      body: {
        sku: 'device_rpi5',
        kind: 'device',
        state: 'active',
        prices: [
          { amount: 21_990, currency: 'EUR' },
          { amount: 22_900, currency: 'USD' },
        ],
        tax_category: 'standard',
        licence: null,
        stock: 12,
        url: 'https://example.org/device',
        image_url: null,
        organization: { id: seller },
      },
    });
    expect(await events(seller)).toEqual([
      ['product.created', { sku: 'device_rpi5', name: 'Monitoring device' }],
      ['product.created', { sku: 'licence_year', name: 'Licence for a year' }],
    ]);
  });

  it('a second import changes what differs and archives what is missing, and a third nothing', async () => {
    const seller = await cloud.make.organization();
    await importCatalogueFile(ground, OPERATOR, seller, CATALOGUE);
    const [before] = await listed(operator.token, `?organization_id=${seller}&q=sku:device_rpi5`);
    const cheaper = CATALOGUE.replace('229.00', '199.50').replace(/ {2}- sku: licence_year[\s\S]*/, '');
    expect(await importCatalogueFile(ground, OPERATOR, seller, cheaper)).toMatchObject({
      changed: ['device_rpi5'],
      archived: ['licence_year'],
    });
    const after = await listed(operator.token, `?organization_id=${seller}`);
    expect(after).toMatchObject([
      { sku: 'licence_year', state: 'archived' },
      { id: before?.id, sku: 'device_rpi5', prices: [{ amount: 21_990 }, { amount: 19_950 }] },
    ]);
    expect((await events(seller)).slice(2)).toEqual([
      [
        'product.changed',
        { sku: 'device_rpi5', prices: { from: 'EUR 219.90, USD 229.00', to: 'EUR 219.90, USD 199.50' } },
      ],
      ['product.archived', { sku: 'licence_year', name: 'Licence for a year' }],
    ]);
    const again = await importCatalogueFile(ground, OPERATOR, seller, await exportCatalogue(ground, seller));
    expect(again).toEqual({
      created: [],
      changed: [],
      archived: [],
      unchanged: ['device_rpi5', 'licence_year'],
      terms_changed: false,
    });
    expect(await events(seller)).toHaveLength(4);
  });

  it('two imports at once are as if one came after the other', async () => {
    const seller = await cloud.make.organization();
    const import_ = () => importCatalogueFile(ground, OPERATOR, seller, CATALOGUE);
    const [one, other] = await Promise.all([import_(), import_()]);
    expect([
      one.created.length + other.created.length,
      one.unchanged.length + other.unchanged.length,
    ]).toEqual([2, 2]);
  });

  it.each([
    ['no YAML', 'products: [', /flow sequence|sequence in flow|Flow/i],
    ['aliases', 'products: &a [*a]', /must not have aliases/],
    // Composed, each of these takes seconds.
    ['a name after the other', namesOf((at) => `k${at}: x`), /500 names in one place \(line 50[12]\)/],
    ['anchors of names', namesOf((at) => `k${at}: &a${at} x`), /must not have aliases, anchors or tags/],
    ['values in a row', namesOf(() => '- 1'), /more than 2000 values in one place/],
    ['documents in a row', namesOf(() => '---'), /./],
    [
      'names without a value',
      `products: { ${namesOf((at) => `k${at},`).replaceAll('\n', ' ')} }`,
      /500 names in one place/,
    ],
    [
      'names below names',
      `products:\n - ${namesOf((at) => `k${at}: x`).replaceAll('\n', '\n   ')}`,
      /500 names/,
    ],
    ['many levels', `products: ${'['.repeat(5_000)}`, /more than 20 levels \(line 1\)/],
    ['another form', '- sku: x', /must be a list of at most 2000 products/],
    ['an unknown field', CATALOGUE.replace('stock: 12', 'stok: 12'), /^products\[0\]/],
    ['a SKU with spaces', CATALOGUE.replace('device_rpi5', 'device rpi5'), /^products\[0\]\.sku/],
    ['a SKU twice', CATALOGUE.replace('licence_year', 'device_rpi5'), /sku device_rpi5 stands twice/],
    ['a price with too many digits', CATALOGUE.replace('229.00', '229.001'), /229\.001 is no price in USD/],
    ['an unknown currency', CATALOGUE.replace('USD: 60', 'XXY: 60'), /XXY is no currency/],
    [
      'a rate of no country',
      `${CATALOGUE}taxes: { included: true, country: UK, rates: [{ country: UK, category: standard, name: VAT, rate: 0.2 }] }\n`,
      /UK is no country/,
    ],
    ['no price', CATALOGUE.replace('{ USD: 60 }', '{}'), /prices must have one at least/],
    ['a licence without devices', CATALOGUE.replace(/ {4}licence:.*\n/, ''), /a licence needs its devices/],
    [
      'an address that runs a script',
      CATALOGUE.replace('https://example.org', 'javascript:x'),
      /^products\[0\]\.url/,
    ],
    ['a name that is not seen', CATALOGUE.replace('Monitoring device', '"\\u200b"'), /must not have control/],
  ])('a catalogue with %s is refused as a whole', (_what, text, message) => {
    expect(() => readCatalogue(text)).toThrow(InvalidCatalogue);
    expect(() => readCatalogue(text)).toThrow(message);
  });
});

describe('the products that an account sees', () => {
  it('an account sees and is offered exactly the products of its shops', async () => {
    const { make, db } = cloud;
    const [a, b] = [await make.organization(), await make.organization()];
    await db.deleteFrom('products').where('organization_id', 'is', null).execute();
    const made: Record<string, number> = {};
    for (const [seller, name] of [
      [null, 'house'],
      [a, 'a'],
      [b, 'b'],
    ] as const)
      for (const state of ['active', 'draft', 'archived'] as const)
        made[`${name} ${state}`] = await make.product(seller, { sku: `${name}_${state}`, state });
    const allOf = (name: string) => ['active', 'draft', 'archived'].map((state) => `${name} ${state}`);
    const customer = await make.user({ customerOf: a });
    const clerk = await make.employee(a, 'member');
    const admin = await make.employee(a, 'admin');
    const boss = await make.employee(a, 'owner', { customerOf: b });
    /** Account, organization of its token, products that it sees, and shops of which it is offered the active ones. */
    const table: [string, { id: number }, number | null, string[], string[]][] = [
      ['stranger', await make.user(), null, ['house active'], ['house']],
      ['customer', customer, null, ['house active', 'a active'], ['house', 'a']],
      ['customer with a token of the seller', customer, a, ['a active'], ['a']],
      ['customer with a token of another seller', customer, b, [], []],
      ['employee', clerk, null, ['house active', 'a active'], ['house', 'a']],
      ['admin', admin, null, ['house active', ...allOf('a')], ['house', 'a']],
      ['admin with a token of another seller', admin, b, [], []],
      [
        'owner, and customer of another seller',
        boss,
        null,
        ['house active', ...allOf('a'), 'b active'],
        ['house', 'a', 'b'],
      ],
      ['the same with a token of the other seller', boss, b, ['b active'], ['b']],
      ['operator', operator, null, Object.keys(made), ['house', 'a', 'b']],
      ['operator with a token of a seller', operator, a, allOf('a'), ['a']],
    ];
    const namesOf = (found: readonly { readonly id: number }[]) =>
      Object.keys(made).filter((name) => found.some(({ id }) => id === made[name]));
    const skus = Object.keys(made).map((name) => name.replace(' ', '_'));
    for (const [who, { id: userId }, organizationId, seen, shops] of table) {
      const token = await make.token(userId, { organizationId });
      expect(namesOf(await listed(token, '?limit=200')), who).toEqual(seen);
      const shown: string[] = [];
      for (const [name, id] of Object.entries(made))
        if ((await cloud.call(`GET /api/v1/products/${id}`, { token })).status === 200) shown.push(name);
      expect(shown, who).toEqual(seen);
      const caller = { ...consoleCaller(userId), organizationId, staff: userId === operator.id };
      for (const [shop, seller] of [
        ['house', null],
        ['a', a],
        ['b', b],
      ] as const) {
        const offered = namesOf(await offeredProducts(db, caller, seller, skus));
        expect(offered, `${who} in the shop ${shop}`).toEqual(shops.includes(shop) ? [`${shop} active`] : []);
      }
    }
  });

  it.each([
    ['q=kind:device', ['alpha', 'beta']],
    ['q=currency:eur', ['beta']],
    ['q=state:archived', ['beta']],
    ['q=sku:ALPHA', ['alpha']],
    ['q=cab', ['alpha']],
    ['q=cab+nothing', []],
    ['q=kind:nothing', []],
    ['q=constructor:x', []],
    ['limit=1', ['alpha']],
    ['offset=1', ['beta']],
  ])('a list with %s finds %j', async (query, expected) => {
    const seller = await cloud.make.organization();
    await cloud.make.product(seller, { sku: 'alpha', name: 'A cable' });
    const prices = [{ amount: 1, currency: 'EUR' }];
    await cloud.make.product(seller, { sku: 'beta', name: 'B plug', state: 'archived', prices });
    expect(await skusOf(operator.token, `?organization_id=${seller}&${query}`)).toEqual(expected);
  });
});
