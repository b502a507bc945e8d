import {
  type Address,
  type BuyerOrder,
  countryOf,
  currencyOf,
  MAX_AMOUNT,
  type NewAddress,
  type OrderActivationCode,
  type PageQuery,
  type PlaceOrderBody,
  uidOf,
} from '@heliograph/contracts';
import { normalizeTyped } from '@heliograph/contracts/typed-text';
import { vatNumberOn } from '@heliograph/contracts/vat-numbers';
import { type Clock, Unprocessable, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import { doOnce } from '../../db/idempotent-requests.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import type { ActivationCodeService } from '../../devices/activation/service.ts';
import type { DeviceService } from '../../devices/devices/service.ts';
import type { ProductRecord, ProductRepository } from '../products/service.ts';
import { isGoods, type OrderLifecycle } from './lifecycle.ts';
import type { OnlinePayments } from './online-payments.ts';
import { presentBuyerOrder } from './present.ts';
import type { ItemRecord, OrderRecord } from './records.ts';
import type { NewItem, OrderRepository } from './repository.ts';
import { requireCancellable } from './service.ts';
import { WrongOrderState } from './states.ts';
import { type LineTotals, type OrderedProduct, totalsOf } from './totals.ts';

const ORDERS_PER_DAY: RateRule = { name: 'orders', points: 50, durationS: 24 * 60 * 60 };

export interface PurchaseOptions {
  readonly db: Database;
  readonly orders: OrderRepository;
  readonly products: ProductRepository;
  readonly lifecycle: OrderLifecycle;
  readonly devices: DeviceService;
  readonly codes: ActivationCodeService;
  readonly payments: OnlinePayments;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** A line of a new order. */
type Line = Omit<NewItem, keyof LineTotals> & OrderedProduct;

/** Orders as their buyers see them. */
export class PurchaseService {
  readonly #options: PurchaseOptions;

  constructor(options: PurchaseOptions) {
    this.#options = options;
  }

  async list(caller: Caller, query: PageQuery): Promise<BuyerOrder[]> {
    return (await this.#options.orders.ofBuyer(caller, query)).map((order) => this.#present(order));
  }

  /** @throws NotFound */
  async show(caller: Caller, id: number): Promise<BuyerOrder> {
    return this.#present(orNotFound(await this.#options.orders.findOwn(caller, id)));
  }

  /**
   * @param key of idempotency
   * @throws ValidationError; Unprocessable; TooManyRequests
   */
  async place(caller: Caller, body: PlaceOrderBody, key: string | undefined): Promise<BuyerOrder> {
    const { db, limits, clock } = this.#options;
    await limits.consume(ORDERS_PER_DAY, String(caller.userId));
    const at = new Date(clock.now());
    const request = { userId: caller.userId, path: 'POST /api/v1/user/orders', key, body };
    return db
      .transaction()
      .execute((tx) => doOnce(tx, request, at, async () => this.#place(tx, caller, body, at)));
  }

  async #place(tx: Database, caller: Caller, body: PlaceOrderBody, at: Date): Promise<BuyerOrder> {
    const { orders, products, lifecycle } = this.#options;
    const organizationId = body.organization_id ?? null;
    const currency = currencyOf(body.currency);
    if (currency === undefined) throw new ValidationError({ currency: ['is no currency of ISO 4217'] });
    const billingAddress = addressOf('billing_address', body.billing_address);
    const shippingAddress = addressOf('shipping_address', body.shipping_address);
    // Before its products, whose state a closing of the seller changes.
    await openOrganization(tx, organizationId);
    const lines = await this.#linesOf(tx, caller, organizationId, currency, body);
    const hasGoods = lines.some(isGoods);
    if (hasGoods && shippingAddress === null)
      throw new ValidationError({ shipping_address: ["can't be blank: the order has goods to send"] });
    const terms = await products.termsOf(organizationId, tx);
    const delivery = hasGoods ? terms.shipping.find((price) => price.currency === currency) : undefined;
    const addressee = shippingAddress ?? billingAddress;
    const totals = totalsOf(
      lines,
      delivery?.amount ?? 0,
      terms,
      addressee && withVat(addressee, billingAddress),
    );
    if (totals.total > MAX_AMOUNT) throw new Unprocessable('The order is too large');
    await this.#takeFromStock(tx, lines);
    const id = await orders.add(
      tx,
      {
        organizationId,
        buyer: await orders.buyer(tx, caller.userId),
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
    const order = await orders.lock(tx, id);
    await lifecycle.placed(tx, actor, order);
    if (order.total === 0) {
      const payment = {
        method: 'other',
        provider: null,
        reference: null,
        paidAt: at,
        recordedBy: null,
      } as const;
      await lifecycle.pay(tx, actor, order, payment);
    }
    return this.#present(await orders.lock(tx, id));
  }

  /** @throws NotFound; Unprocessable unless the order is open and unpaid */
  async cancel(caller: Caller, id: number): Promise<BuyerOrder> {
    const { db, orders, lifecycle, payments } = this.#options;
    orNotFound(await orders.findOwn(caller, id));
    const cancelled = await db.transaction().execute(async (tx) => {
      const order = await orders.lock(tx, id);
      // A second click finds what the first did.
      if (order.state === 'cancelled') return this.#present(order);
      requireCancellable(order);
      await lifecycle.cancel(tx, actorOf(caller), order);
      return this.#present(await orders.lock(tx, id));
    });
    await payments.close(id);
    return cancelled;
  }

  /**
   * Makes the code of the paid licences that name no device; the one before ends.
   *
   * @throws NotFound; Unprocessable when there are none, or the order is not paid, or nothing is left
   */
  async makeActivationCode(caller: Caller, id: number): Promise<OrderActivationCode> {
    const { db, orders, codes, lifecycle, clock } = this.#options;
    orNotFound(await orders.findOwn(caller, id));
    const actor = actorOf(caller);
    return db.transaction().execute(async (tx) => {
      const order = await orders.lock(tx, id);
      const licences = order.items.filter(isWithoutDevice);
      const uses = await this.#usesOf(tx, order, licences);
      const { activationCodeId } = order;
      const organizationId = await openOrganization(tx, order.organizationId);
      if (activationCodeId !== null) await codes.revokeIn(tx, actor, organizationId, activationCodeId);
      const made = await codes.createIn(tx, actor, { organizationId, uses, expiresAt: null });
      const at = new Date(clock.now());
      await orders.change(tx, id, { activation_code_id: made.id, activation_code_at: at }, at);
      await lifecycle.activationCodeMade(tx, actor, order, made.id);
      const undelivered = licences.filter(({ fulfilled_at: done }) => done === null);
      if (undelivered.length > 0) await lifecycle.fulfil(tx, actor, order, undelivered);
      return { code: made.code, uses_left: made.uses_left };
    });
  }

  /** @returns how many devices a new code activates. @throws Unprocessable */
  async #usesOf(tx: Database, order: OrderRecord, licences: readonly ItemRecord[]): Promise<number> {
    if (licences.length === 0)
      throw new Unprocessable('The order has no licence that is delivered as a code');
    if (order.state === 'cancelled') throw new WrongOrderState(order, 'it has no code');
    if (order.paymentState === 'unpaid' || order.paymentState === 'refunded')
      throw new WrongOrderState(order, 'it has no code yet');
    if (order.activationCodeAt === null) return codeUsesOf(licences);
    const left =
      order.activationCodeId === null
        ? undefined
        : await this.#options.codes.usesLeft(tx, order.activationCodeId);
    if (left === undefined) throw new Unprocessable('The seller has revoked the code of this order');
    if (left === 0) throw new Unprocessable('The code of this order has activated all its devices');
    return left;
  }

  #present(order: OrderRecord): BuyerOrder {
    return presentBuyerOrder(order, this.#options.payments.takes(order));
  }

  /** @throws ValidationError that names each field */
  async #linesOf(
    tx: Database,
    caller: Caller,
    organizationId: number | null,
    currency: string,
    { items }: PlaceOrderBody,
  ): Promise<Line[]> {
    const { products } = this.#options;
    const skus = items.map(({ sku }) => sku.toLowerCase());
    const offered = await products.offered(tx, caller, organizationId, skus);
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
          deviceUid === null ? undefined : await this.#problemOfDevice(product, quantity, deviceUid);
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

  async #problemOfDevice(product: ProductRecord, quantity: number, uid: string): Promise<string | undefined> {
    if (product.kind !== 'licence') return 'is for licences alone';
    if (quantity !== 1 || product.licence?.devices !== 1)
      return 'is for one licence of one device: leave it out to get a code';
    const state = await this.#options.devices.stateOf(uid);
    return state === undefined || state === 'revoked' ? 'is no device that can be activated' : undefined;
  }

  /** @throws Unprocessable when there are fewer than ordered */
  async #takeFromStock(tx: Database, lines: readonly Line[]): Promise<void> {
    // In the order of ids, so that two orders at once do not wait for each other.
    for (const { productId, sku, quantity } of lines.toSorted(
      (one, other) => one.productId - other.productId,
    )) {
      if (!(await this.#options.products.takeFromStock(tx, productId, quantity)))
        throw new Unprocessable(`There are not enough of ${sku} in stock`);
    }
  }
}

function isWithoutDevice({ kind, device_uid: uid }: ItemRecord): boolean {
  return kind === 'licence' && uid === null;
}

/** How many devices the code of licences activates. */
function codeUsesOf(licences: readonly Pick<ItemRecord, 'licence' | 'quantity'>[]): number {
  return licences.reduce((sum, { licence, quantity }) => sum + (licence?.devices ?? 0) * quantity, 0);
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
