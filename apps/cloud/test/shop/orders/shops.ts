import type { BuyerOrder, Order } from '@heliograph/contracts';
import { OPERATOR } from '../../../src/access/caller.ts';
import { type AdminPlatform, openAdminPlatform } from '../../../src/operator/admin/platform.ts';
import { importCatalogueFile } from '../../../src/shop/products/catalogues.ts';
import type { TestUser } from '../../factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../test-cloud.ts';

export const CATALOGUE = `
taxes:
  included: true
  country: DE
  reverse_charge: true
  rates:
    - { country: DE, category: standard, name: VAT, rate: 0.19 }
    - { country: FR, category: standard, name: TVA, rate: 0.2 }
shipping: { EUR: 5.90 }
products:
  - { sku: box, name: Monitoring box, kind: device, prices: { EUR: 119 }, stock: 5 }
  - { sku: licence, name: Licence, kind: licence, licence: { devices: 1 }, prices: { EUR: 60 } }
  - { sku: duo, name: Licence of two, kind: licence, licence: { devices: 2 }, prices: { EUR: 100 } }
  - { sku: cable, name: Cable, kind: accessory, prices: { USD: 10 } }
  - { sku: dear, name: Farm, kind: service, prices: { EUR: 9999999999.99 } }
  - { sku: free, name: Advice, kind: service, prices: { EUR: 0 } }
  - { sku: planned, name: Planned, kind: service, prices: { EUR: 1 }, state: draft }
`;

export const ADDRESS = { name: 'Ada Lovelace', line1: 'Main street 1', city: 'Berlin', country: 'de' };

/** A seller with the catalogue, its owner, and a customer. */
export interface Shop {
  readonly seller: number;
  readonly boss: TestUser;
  readonly buyer: TestUser;
}

type Headers = Record<string, string>;

/** A cloud with shops. */
export class TestShops implements AsyncDisposable {
  readonly cloud: TestCloud;
  /** Those of the command line, with the clock of the cloud. */
  readonly platform: AdminPlatform;
  readonly #operator: TestUser;

  private constructor(cloud: TestCloud, platform: AdminPlatform, operator: TestUser) {
    this.cloud = cloud;
    this.platform = platform;
    this.#operator = operator;
  }

  static async start(overrides: Parameters<typeof startTestCloud>[0] = {}): Promise<TestShops> {
    const cloud = await startTestCloud(overrides);
    const config = { databaseUrl: cloud.databaseUrl, cloudUrl: cloud.url };
    const platform = await openAdminPlatform(config, () => undefined, cloud.clock);
    return new TestShops(cloud, platform, await cloud.make.user({ staff: true }));
  }

  async open(): Promise<Shop> {
    const { make } = this.cloud;
    const seller = await make.organization();
    const boss = await make.employee(seller, 'owner');
    const buyer = await make.user({ customerOf: seller, firstName: 'Ada', lastName: 'Lovelace' });
    await importCatalogueFile(this.platform, OPERATOR, seller, CATALOGUE);
    return { seller, boss, buyer };
  }

  place({ seller, buyer }: Shop, body: object, headers: Headers = {}): Promise<Answer<BuyerOrder>> {
    return this.cloud.call('POST /api/v1/user/orders', {
      token: buyer.token,
      headers,
      body: { organization_id: seller, currency: 'eur', ...body },
    });
  }

  markPaid(id: number, { boss }: Shop, body?: object, token = boss.token): Promise<Answer<Order>> {
    return this.cloud.call(`POST /api/v1/orders/${id}/mark_paid`, { token, body });
  }

  makeCode({ buyer }: Shop, id: number): Promise<Answer<{ code: string; uses_left: number }>> {
    return this.cloud.call(`POST /api/v1/user/orders/${id}/activation_code`, { token: buyer.token });
  }

  /** Activates a new device with a code. */
  async redeem({ buyer }: Shop, code: string): Promise<Answer> {
    const uid = await this.cloud.make.device({ activated: false });
    return this.cloud.call('POST /api/v1/sites/request_activation', {
      token: buyer.token,
      body: { uid, code },
    });
  }

  async show(id: number): Promise<Order> {
    return (await this.cloud.call<Order>(`GET /api/v1/orders/${id}`, { token: this.#operator.token })).body;
  }

  async device(uid: string): Promise<Record<string, unknown>> {
    return (await this.cloud.call(`GET /api/v1/devices/${uid}`, { token: this.#operator.token })).body;
  }

  /** The actions in the audit log about an order. */
  async actionsOf(id: number): Promise<string[]> {
    const events = await this.cloud.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .orderBy('id')
      .execute();
    return events
      .filter(({ details }) => (details as { order_id?: number }).order_id === id)
      .map(({ action }) => action);
  }

  async stockOf(seller: number, sku: string): Promise<number | null> {
    const { stock } = await this.cloud.db
      .selectFrom('products')
      .select('stock')
      .where('organization_id', '=', seller)
      .where('sku', '=', sku)
      .executeTakeFirstOrThrow();
    return stock;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.platform[Symbol.asyncDispose]();
    await this.cloud[Symbol.asyncDispose]();
  }
}
