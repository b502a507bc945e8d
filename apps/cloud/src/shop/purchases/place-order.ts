import {
  type Address,
  type BuyerOrder,
  countryOf,
  currencyOf,
  MAX_AMOUNT,
  type NewAddress,
  type PlaceOrderBody,
  uidOf,
} from '@heliograph/contracts';
import { normalizeTyped } from '@heliograph/contracts/typed-text';
import { vatNumberOn } from '@heliograph/contracts/vat-numbers';
import { Unprocessable, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { activationOf } from '../../devices/devices/lifecycle.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { isGoods, recordPayment, recordPlacement } from '../orders/lifecycle.ts';
import { lockOrder } from '../orders/records.ts';
import { addOrder, type NewItem } from '../orders/rows.ts';
import type { PayingPlatform } from '../payments/online.ts';
import { offeredProducts, type ProductRecord, takeFromStock, termsOf } from '../products/rows.ts';
import { present } from './own-orders.ts';
import { type LineTotals, type OrderedProduct, totalsOf } from './totals.ts';

const ORDERS_PER_DAY: RateRule = { name: 'orders', points: 50, durationS: 24 * 60 * 60 };

/** A line of a new order. */
type Line = Omit<NewItem, keyof LineTotals> & OrderedProduct;

/**
 * @param key of idempotency
 * @throws ValidationError; Unprocessable; TooManyRequests
 */
export async function placeOrder(
  platform: PayingPlatform,
  caller: Caller,
  { body }: InputOf<'placeOrder'>,
  key: string | undefined,
): Promise<BuyerOrder> {
  const { db, limits, clock } = platform;
  await limits.consume(ORDERS_PER_DAY, String(caller.userId));
  const at = new Date(clock.now());
  const request = { userId: caller.userId, path: 'POST /api/v1/user/orders', key, body };
  return db
    .transaction()
    .execute((tx) => doOnce(tx, request, at, async () => place(platform, tx, caller, body, at)));
}

async function place(
  platform: PayingPlatform,
  tx: Database,
  caller: Caller,
  body: PlaceOrderBody,
  at: Date,
): Promise<BuyerOrder> {
  const organizationId = body.organization_id ?? null;
  const currency = currencyOf(body.currency);
  if (currency === undefined) throw new ValidationError({ currency: ['is no currency of ISO 4217'] });
  const billingAddress = addressOf('billing_address', body.billing_address);
  const shippingAddress = addressOf('shipping_address', body.shipping_address);
  // Before its products, whose state a closing of the seller changes.
  await openOrganization(tx, organizationId);
  const lines = await linesOf(tx, caller, organizationId, currency, body);
  const hasGoods = lines.some(isGoods);
  if (hasGoods && shippingAddress === null)
    throw new ValidationError({ shipping_address: ["can't be blank: the order has goods to send"] });
  const terms = await termsOf(tx, organizationId);
  const delivery = hasGoods ? terms.shipping.find((price) => price.currency === currency) : undefined;
  const addressee = shippingAddress ?? billingAddress;
  const totals = totalsOf(
    lines,
    delivery?.amount ?? 0,
    terms,
    addressee && withVat(addressee, billingAddress),
  );
  if (totals.total > MAX_AMOUNT) throw new Unprocessable('The order is too large');
  await takeLines(tx, lines);
  const id = await addOrder(
    tx,
    {
      organizationId,
      buyer: await buyerOf(tx, caller.userId),
      currency,
      subtotal: totals.subtotal,
      shipping: totals.shipping,
      tax: totals.tax,
      total: totals.total,
      pricesIncludeTax: terms.prices_include_tax,
      taxLines: totals.taxLines,
      billingAddress,
      shippingAddress,
      note: body.note?.trim() || null,
      items: totals.lines,
    },
    at,
  );
  const actor = actorOf(caller);
  const order = await lockOrder(tx, id);
  await recordPlacement(platform, tx, actor, order);
  if (order.total === 0) {
    const payment = {
      method: 'other',
      provider: null,
      reference: null,
      paidAt: at,
      recordedBy: null,
    } as const;
    await recordPayment(platform, tx, actor, order, payment);
  }
  return present(platform, await lockOrder(tx, id));
}

function buyerOf(tx: Database, userId: number) {
  return tx
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** @throws ValidationError that names each field */
async function linesOf(
  tx: Database,
  caller: Caller,
  organizationId: number | null,
  currency: string,
  { items }: PlaceOrderBody,
): Promise<Line[]> {
  const skus = items.map(({ sku }) => sku.toLowerCase());
  const offered = await offeredProducts(tx, caller, organizationId, skus);
  const errors: Record<string, string[]> = {};
  const lines: Line[] = [];
  for (const [index, { sku, quantity = 1, device_uid: uid }] of items.entries()) {
    const product = offered.find((one) => one.sku === sku.toLowerCase());
    const price = product?.prices.find((one) => one.currency === currency);
    const deviceUid = typeof uid === 'string' && uid.trim() !== '' ? uidOf(uid) : null;
    if (product === undefined) errors[`items.${index}.sku`] = ['is not for sale here'];
    else if (price === undefined) errors[`items.${index}.sku`] = [`is not sold in ${currency}`];
    else {
      const problem =
        deviceUid === null ? undefined : await problemOfDevice(tx, product, quantity, deviceUid);
      if (problem !== undefined) errors[`items.${index}.device_uid`] = [problem];
      const { id: productId, name, kind, licence, tax_category: taxCategory } = product;
      const unitPrice = price.amount;
      lines.push({
        productId,
        sku: product.sku,
        name,
        kind,
        licence,
        quantity,
        deviceUid,
        unitPrice,
        taxCategory,
      });
    }
  }
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return lines;
}

async function problemOfDevice(
  tx: Database,
  product: ProductRecord,
  quantity: number,
  uid: string,
): Promise<string | undefined> {
  if (product.kind !== 'licence') return 'is for licences alone';
  if (quantity !== 1 || product.licence?.devices !== 1)
    return 'is for one licence of one device: leave it out to get a code';
  const state = await activationOf(tx, uid);
  return state === undefined || state === 'revoked' ? 'is no device that can be activated' : undefined;
}

/** @throws Unprocessable when there are fewer than ordered */
async function takeLines(tx: Database, lines: readonly Line[]): Promise<void> {
  // In the order of ids, so that two orders at once do not wait for each other.
  for (const { productId, sku, quantity } of lines.toSorted(
    (one, other) => one.productId - other.productId,
  )) {
    if (!(await takeFromStock(tx, productId, quantity)))
      throw new Unprocessable(`There are not enough of ${sku} in stock`);
  }
}

/** A parcel's tax depends on the buyer's number, which is on the bill. */
function withVat(address: Address, billing: Address | null): Address {
  return { ...address, vat_number: address.vat_number ?? billing?.vat_number ?? null };
}

/** @throws ValidationError for a country that does not exist, or a VAT number that is none of it */
function addressOf(field: string, given: NewAddress | null | undefined): Address | null {
  if (given === null || given === undefined) return null;
  const country = countryOf(given.country);
  if (country === undefined)
    throw new ValidationError({ [`${field}.country`]: ['is no country of ISO 3166-1'] });
  const typed = normalizeTyped(given.vat_number ?? '');
  const vatNumber = typed === '' ? null : vatNumberOn(country, typed);
  if (vatNumber === undefined)
    throw new ValidationError({ [`${field}.vat_number`]: [`is not a VAT number of ${country}`] });
  const text = (value: string | null | undefined) => value?.trim() || null;
  return {
    name: given.name.trim(),
    company: text(given.company),
    line1: given.line1.trim(),
    line2: text(given.line2),
    city: given.city.trim(),
    region: text(given.region),
    postal_code: text(given.postal_code),
    country,
    phone: text(given.phone),
    vat_number: vatNumber,
  };
}
