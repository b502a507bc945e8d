import type { BuyerOrder } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { TestAgent } from '../../test/mcp/agent.ts';
import { ADDRESS, type Shop, TestShops } from '../../test/shop/orders/shops.ts';
import { AGENT_SCOPES } from '../oauth/agents/challenge.ts';

let shops: TestShops;
let shop: Shop;
let order: BuyerOrder;
beforeAll(async () => {
  shops = await TestShops.start();
  shop = await shops.open();
  const goods = { billing_address: ADDRESS, shipping_address: { ...ADDRESS, phone: '+49 30 1234567' } };
  const items = [{ sku: 'box', quantity: 2 }, { sku: 'licence' }];
  order = (await shops.place(shop, { items, ...goods })).body;
});
afterAll(() => shops?.[Symbol.asyncDispose]());

const agentOf = async ({ id }: TestUser) =>
  new TestAgent(shops.cloud, await shops.cloud.make.token(id, { kind: 'mcp', scopes: AGENT_SCOPES }));

describe('find_orders and get_order', () => {
  it('find_orders answers the seller the orders that match, with money as text', async () => {
    const agent = await agentOf(shop.boss);
    const { orders } = await agent.output('find_orders', { state: 'open', payment_state: 'unpaid' });
    expect(orders).toEqual([
      {
        order_id: order.id,
        number: order.number,
        state: 'open',
        payment_state: 'unpaid',
        total: { amount: 30_390, currency: 'EUR', text: '303.90 EUR' },
        customer: 'Ada Lovelace',
        seller: expect.any(String),
        created_at: order.created_at,
        paid_at: null,
        items: '2 × Monitoring box, 1 × Licence',
      },
    ]);
    expect(await agent.output('find_orders', { payment_state: 'paid' })).toMatchObject({ orders: [] });
    expect(await agent.output('find_orders', { search: 'lovelace' })).toMatchObject({ orders: [{}] });
  });

  it('find_orders separates orders by the day on which they were placed, and pages through them', async () => {
    const own = await shops.open();
    for (let count = 0; count < 3; count += 1) await shops.place(own, { items: [{ sku: 'licence' }] });
    const agent = await agentOf(own.buyer);
    const day = 24 * 60 * 60 * 1000;
    const dayAfter = (days: number) =>
      new Date(shops.cloud.clock.now() + days * day).toISOString().slice(0, 10);
    const count = async (given: object) =>
      ((await agent.output('find_orders', given)).orders as unknown[]).length;
    expect(await count({ created_after: dayAfter(0) })).toBe(3);
    expect(await count({ created_after: dayAfter(1) })).toBe(0);
    expect(await count({ created_before: dayAfter(0) })).toBe(0);
    expect(await count({ created_before: dayAfter(1) })).toBe(3);
    expect(await agent.output('find_orders', { limit: 2 })).toMatchObject({ next_offset: 2 });
    expect(await agent.output('find_orders', { limit: 2, offset: 2 })).toMatchObject({ next_offset: null });
    expect(await agent.refusal('find_orders', { created_after: 'yesterday' })).toContain('created_after');
  });

  it('get_order answers items, taxes and payments, and no street, phone or VAT number', async () => {
    const agent = await agentOf(shop.buyer);
    const whole = await agent.output('get_order', { order_id: order.id });
    expect(whole).toMatchObject({
      order_id: order.id,
      items: [
        { sku: 'box', quantity: 2, unit_price: { text: '119.00 EUR' }, total: { text: '238.00 EUR' } },
        { sku: 'licence', quantity: 1 },
      ],
      shipping: { text: '5.90 EUR' },
      taxes: [{ name: 'VAT', rate: '0.19', amount: { text: '48.52 EUR' } }],
      country: 'DE',
      payments: [],
    });
    const text = JSON.stringify(whole);
    expect(text).not.toContain(ADDRESS.line1);
    expect(text).not.toContain('1234567');
  });

  it("another customer's order is not found, like one that does not exist", async () => {
    const stranger = await agentOf((await shops.open()).buyer);
    expect(await stranger.output('find_orders')).toMatchObject({ orders: [] });
    for (const id of [order.id, 2_000_000_000]) {
      const text = `There is no order ${id} that this token sees: find_orders lists those there are`;
      expect(await stranger.refusal('get_order', { order_id: id })).toBe(text);
    }
  });
});

describe('find_products', () => {
  it('find_products answers customers what is for sale, and sellers their drafts too', async () => {
    const customer = await agentOf(shop.buyer);
    const { products } = await customer.output('find_products', { kind: 'device', currency: 'eur' });
    expect(products).toMatchObject([
      { sku: 'box', state: 'active', prices: [{ amount: 11_900, currency: 'EUR', text: '119.00 EUR' }] },
    ]);
    expect(await customer.output('find_products', { currency: 'CHF' })).toMatchObject({ products: [] });
    expect(await customer.output('find_products', { search: 'planned' })).toMatchObject({ products: [] });
    const seller = await agentOf(shop.boss);
    expect(await seller.output('find_products', { search: 'planned' })).toMatchObject({
      products: [{ sku: 'planned', state: 'draft' }],
    });
  });
});
