import type { CatalogueChanges, Shop } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PortalBrowser } from '../../../test/portal/browser.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const CATALOGUE = `
taxes: { included: true, country: DE, rates: [{ country: DE, category: standard, name: VAT, rate: 0.19 }] }
shipping: { EUR: 5.90 }
products:
  - { sku: box, name: Box, kind: device, prices: { EUR: 119, USD: 130 } }
  - { sku: advice, name: Advice, kind: service, prices: { EUR: 10 } }
`;

const yaml = (text: string | Uint8Array<ArrayBuffer>) => ({
  raw: text,
  headers: { 'content-type': 'application/yaml' },
});

async function openShop() {
  const seller = await cloud.make.organization();
  const admin = await PortalBrowser.of(cloud, await cloud.make.employee(seller, 'admin'));
  const at = (path: string) => `${path}?organization_id=${seller}`;
  return { seller, admin, at };
}

describe('the catalogue on the pages of a seller', () => {
  it('an admin sees what a file would change, imports it, and saves it again', async () => {
    const { seller, admin, at } = await openShop();
    const preview = (text: string) =>
      admin.call<CatalogueChanges>(`POST ${at('/portal/api/catalogue/preview')}`, yaml(text));
    const first = {
      created: ['box', 'advice'],
      changed: [],
      archived: [],
      unchanged: [],
      terms_changed: true,
    };
    expect(await preview(CATALOGUE)).toMatchObject({ status: 200, body: first });
    const list = () => admin.call<unknown[]>(`GET /portal/api/v1/products?organization_id=${seller}`);
    expect((await list()).body).toEqual([]);
    const imported = await admin.call(`PUT ${at('/portal/api/catalogue')}`, yaml(CATALOGUE));
    expect(imported).toMatchObject({ status: 200, body: first });
    expect((await list()).body).toHaveLength(2);
    const saved = await admin.call<{ text: string }>(`GET ${at('/portal/api/catalogue')}`);
    expect((await preview(saved.body.text)).body).toMatchObject({
      unchanged: ['advice', 'box'],
      terms_changed: false,
    });
    const fewer = CATALOGUE.replace(/.*sku: advice.*\n/, '').replace('119', '99');
    expect((await preview(fewer)).body).toEqual({
      created: [],
      changed: ['box'],
      archived: ['advice'],
      unchanged: [],
      terms_changed: false,
    });
    const events = await cloud.db
      .selectFrom('audit_events')
      .select('action')
      .where('organization_id', '=', seller)
      .orderBy('id')
      .execute();
    const actions = events.map(({ action }) => action);
    expect(actions).toEqual(['product.created', 'product.created', 'shop.changed']);
  });

  it('every mistake of a file is reported with its line, and changes nothing', async () => {
    const { admin, at } = await openShop();
    const wrong = CATALOGUE.replace('kind: device', 'kind: gadget').replace('EUR: 10 ', 'XXY: 10 ');
    for (const route of ['POST /portal/api/catalogue/preview', 'PUT /portal/api/catalogue']) {
      const { status, body } = await admin.call<{ errors: { file: string[] } }>(at(route), yaml(wrong));
      expect(status).toBe(422);
      expect(body.errors.file).toEqual([
        expect.stringMatching(/^products\[0\]\.kind .*\(line 5\)$/),
        expect.stringMatching(/^products\[1\] \(advice, line 6\): XXY is no currency/),
      ]);
    }
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, number]>([
    ['that is not UTF-8', new Uint8Array([0xff, 0xfe]), 422],
    ['without text', '', 422],
    ['of more than 1 MiB', ' '.repeat(1024 * 1024 + 1), 413],
    [
      'with a NUL character in a description',
      CATALOGUE.replace('kind: service', 'kind: service, description: "a\\0b"'),
      422,
    ],
  ])('a file %s is refused', async (_what, file, status) => {
    const { admin, at } = await openShop();
    expect(await admin.call(at('PUT /portal/api/catalogue'), yaml(file))).toMatchObject({ status });
  });

  it('others than owners and admins of the seller and operators have no catalogue', async () => {
    const { seller, at } = await openShop();
    const browserOf = async (staff: boolean) => PortalBrowser.of(cloud, await cloud.make.user({ staff }));
    const clerk = await PortalBrowser.of(cloud, await cloud.make.employee(seller, 'member'));
    const customer = await PortalBrowser.of(cloud, await cloud.make.user({ customerOf: seller }));
    const [stranger, operator] = [await browserOf(false), await browserOf(true)];
    for (const browser of [clerk, customer, stranger]) {
      for (const route of [
        'GET /portal/api/catalogue',
        'PUT /portal/api/catalogue',
        'POST /portal/api/catalogue/preview',
      ])
        expect(await browser.call(at(route), route.startsWith('GET') ? {} : yaml(CATALOGUE))).toMatchObject({
          status: 403,
        });
      expect(await browser.call('GET /portal/api/catalogue')).toMatchObject({ status: 403 });
    }
    expect(await operator.call(at('GET /portal/api/catalogue'))).toMatchObject({ status: 200 });
    expect(await operator.call('GET /portal/api/catalogue')).toMatchObject({ status: 200 });
    const nowhere = '/portal/api/catalogue?organization_id=2147483647';
    expect(await operator.call(`GET ${nowhere}`)).toMatchObject({ status: 404 });
  });

  it('tokens reach the catalogue at no address, and the cookie not from other pages', async () => {
    const { admin, at } = await openShop();
    const boss = await cloud.make.user({ staff: true });
    for (const token of [boss.token, admin.session])
      expect(await cloud.call('GET /portal/api/catalogue', { token })).toMatchObject({ status: 401 });
    const headers = { origin: 'https://evil.example', 'content-type': 'application/yaml' };
    const put = await admin.call(at('PUT /portal/api/catalogue'), { raw: CATALOGUE, headers });
    expect(put).toMatchObject({ status: 403 });
  });
});

describe('the shop of a visitor', () => {
  const shopFor = async (options: { customerOf?: number }) => {
    const browser = await PortalBrowser.of(cloud, await cloud.make.user(options));
    return (await browser.call<Shop>('GET /portal/api/shop')).body;
  };

  it('customers of an organization that sells buy there, and others from the operator', async () => {
    const { seller, admin, at } = await openShop();
    expect((await shopFor({ customerOf: seller })).organization).toBe(null);
    await admin.call(at('PUT /portal/api/catalogue'), yaml(CATALOGUE));
    expect(await shopFor({ customerOf: seller })).toEqual({
      organization: { id: seller, name: expect.any(String) },
      currencies: ['EUR', 'USD'],
      prices_include_tax: true,
      devices: [],
      delivery: [{ amount: 590, currency: 'EUR' }],
    });
    expect((await shopFor({})).organization).toBe(null);
    const customer = await PortalBrowser.of(cloud, await cloud.make.user({ customerOf: seller }));
    expect((await customer.call('GET /portal/session')).body).toMatchObject({ has_shop: true });
  });

  it('products, orders and tickets are searched by their organization or the operator', async () => {
    const { seller } = await openShop();
    const operator = await cloud.make.user({ staff: true });
    const own = await cloud.make.product(null, { sku: 'own_shop' });
    const theirs = await cloud.make.product(seller, { sku: 'their_shop' });
    const idsOf = async (q: string) => {
      const path = `GET /api/v1/products?limit=200&q=${q}`;
      return (await cloud.call<{ id: number }[]>(path, { token: operator.token })).body.map(({ id }) => id);
    };
    expect(await idsOf('organization_id:none')).toContain(own);
    expect(await idsOf('organization_id:none')).not.toContain(theirs);
    expect(await idsOf(`organization_id:${seller}`)).toEqual([theirs]);
    for (const noun of ['orders', 'tickets'])
      expect(
        await cloud.call(`GET /api/v1/${noun}?q=organization_id:none`, { token: operator.token }),
      ).toMatchObject({ status: 200 });
  });
});
