import { moneyText } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type Actor, type AuditEvent, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { ActivationCodeService } from '../../devices/activation/service.ts';
import type { DeviceService } from '../../devices/devices/service.ts';
import type { ProductRepository } from '../products/service.ts';
import type { ItemRecord, OrderRecord, PaymentRecord } from './records.ts';
import type { NewPayment, NewShipment, OrderRepository } from './repository.ts';

export interface LifecycleOptions {
  readonly orders: OrderRepository;
  readonly products: ProductRepository;
  readonly devices: DeviceService;
  readonly codes: ActivationCodeService;
  readonly mail: MailService;
  readonly clock: Clock;
}

/** The steps of an order. Each is part of a transaction that has locked the order. */
export class OrderLifecycle {
  readonly #options: LifecycleOptions;

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Records the payment of all that is outstanding, and delivers what needs no parcel. */
  async pay(
    tx: Database,
    actor: Actor,
    order: OrderRecord,
    payment: Omit<NewPayment, 'amount' | 'currency' | 'excess'>,
  ): Promise<void> {
    const { orders } = this.#options;
    const money = { amount: order.total - order.paid, currency: order.currency };
    const at = this.#now();
    await orders.addPayment(tx, order, { ...payment, ...money, excess: false }, at);
    await orders.change(
      tx,
      order.id,
      { paid: order.total, payment_state: 'paid', paid_at: payment.paidAt },
      at,
    );
    const { method, provider, reference } = payment;
    const details = { amount: moneyText(money), method, provider, reference };
    await this.#record(tx, actor, order, 'order.paid', details);
    await this.#mailBuyer(tx, order, 'paid');
    await this.#activateDevices(tx, actor, order);
  }

  /** Keeps money that pays nothing, and mails the seller. */
  async keepExcess(
    tx: Database,
    actor: Actor,
    order: OrderRecord,
    payment: Omit<NewPayment, 'excess'>,
  ): Promise<void> {
    const { orders } = this.#options;
    const at = this.#now();
    await orders.addPayment(tx, order, { ...payment, excess: true }, at);
    await orders.change(tx, order.id, {}, at);
    const { method, provider, reference } = payment;
    const details = { amount: moneyText(payment), method, provider, reference };
    await this.#record(tx, actor, order, 'order.payment_excess', details);
    await this.#mailSeller(tx, order, 'excess', moneyText(payment));
  }

  /**
   * Records how much of a payment was paid back in all; less than before changes nothing. When all of an order is paid
   * back, its activation code ends, and an open one is cancelled.
   */
  async refund(
    tx: Database,
    actor: Actor,
    order: OrderRecord,
    payment: PaymentRecord,
    refundedInAll: number,
  ): Promise<void> {
    const { orders } = this.#options;
    const added = Math.min(refundedInAll, payment.amount) - payment.refunded;
    if (added <= 0) return;
    const at = this.#now();
    await orders.changePayment(tx, payment.id, payment.refunded + added);
    const amount = moneyText({ amount: added, currency: payment.currency });
    if (payment.excess) {
      await orders.change(tx, order.id, {}, at);
      await this.#record(tx, actor, order, 'order.refunded', { amount, excess: true });
      return;
    }
    const refunded = order.refunded + added;
    const isAll = refunded === order.paid;
    await orders.change(
      tx,
      order.id,
      { refunded, payment_state: isAll ? 'refunded' : 'partially_refunded' },
      at,
    );
    await this.#record(tx, actor, order, 'order.refunded', { amount });
    await this.#mailBuyer(tx, order, 'refunded', amount);
    if (!isAll) return;
    const { activationCodeId } = order;
    const organizationId = await openOrganization(tx, order.organizationId);
    if (activationCodeId !== null)
      await this.#options.codes.revokeIn(tx, actor, organizationId, activationCodeId);
    if (order.state === 'open') await this.cancel(tx, actor, order);
  }

  /** Gives the stock back. */
  async cancel(tx: Database, actor: Actor, order: OrderRecord): Promise<void> {
    const { orders, products } = this.#options;
    const at = this.#now();
    await orders.change(tx, order.id, { state: 'cancelled', cancelled_at: at }, at);
    for (const item of order.items) {
      if (item.fulfilled_at === null) await products.returnToStock(tx, item.product_id, item.quantity);
    }
    await this.#record(tx, actor, order, 'order.cancelled');
    await this.#mailBuyer(tx, order, 'cancelled');
    if (actor.userId !== null && actor.userId === order.userId)
      await this.#mailSeller(tx, order, 'withdrawn');
  }

  /** Sends goods; every parcel of an order goes at once. */
  async ship(tx: Database, actor: Actor, order: OrderRecord, shipment: NewShipment): Promise<void> {
    const at = this.#now();
    await this.#options.orders.addShipment(tx, order.id, shipment, at);
    await this.#record(tx, actor, order, 'order.shipped', {
      carrier: shipment.carrier,
      tracking_number: shipment.trackingNumber,
    });
    await this.#mailBuyer(tx, order, 'shipped');
    await this.fulfil(tx, actor, order, order.items.filter(isGoods));
  }

  /** Marks items as delivered; the last one completes a paid order. */
  async fulfil(tx: Database, actor: Actor, order: OrderRecord, items: readonly ItemRecord[]): Promise<void> {
    const { orders } = this.#options;
    const at = this.#now();
    const ids = new Set(items.map(({ id }) => id));
    await orders.fulfil(tx, [...ids], at);
    if (!order.items.every(({ id, fulfilled_at: done }) => done !== null || ids.has(id))) return;
    await orders.change(tx, order.id, { state: 'completed', completed_at: at }, at);
    await this.#record(tx, actor, order, 'order.completed');
    await this.#mailBuyer(tx, order, 'completed');
  }

  async placed(tx: Database, actor: Actor, order: OrderRecord): Promise<void> {
    const { total: amount, currency } = order;
    const details = { total: moneyText({ amount, currency }) };
    await this.#record(tx, actor, order, 'order.created', details);
    await this.#mailBuyer(tx, order, 'placed');
    await this.#mailSeller(tx, order, 'sold');
  }

  async activationCodeMade(tx: Database, actor: Actor, order: OrderRecord, codeId: number): Promise<void> {
    await this.#record(tx, actor, order, 'order.activation_code_made', { code_id: codeId });
  }

  /** Activates the devices that licences name. A device that is gone leaves its item to the seller. */
  async #activateDevices(tx: Database, actor: Actor, order: OrderRecord): Promise<void> {
    const { devices } = this.#options;
    const activated: ItemRecord[] = [];
    for (const item of order.items) {
      if (item.device_uid === null || item.fulfilled_at !== null) continue;
      const device = await devices.lock(tx, item.device_uid);
      if (device === undefined || device.revokedAt !== null) continue;
      const { organizationId } = order;
      await devices.activateIn(tx, actor, item.device_uid, { by: 'licence', organizationId });
      activated.push(item);
    }
    if (activated.length > 0) await this.fulfil(tx, actor, order, activated);
  }

  async #mailBuyer(
    tx: Database,
    { userId, organizationId, id: orderId }: OrderRecord,
    event: 'placed' | 'paid' | 'shipped' | 'completed' | 'cancelled' | 'refunded',
    amount: string | null = null,
  ): Promise<void> {
    if (userId === null) return;
    await this.#options.mail.enqueue(tx, { kind: 'order', event, userId, organizationId, orderId, amount });
  }

  /** Mails the operators where the seller was closed. */
  async #mailSeller(
    tx: Database,
    { organizationId: sellerId, id: orderId }: OrderRecord,
    event: 'sold' | 'withdrawn' | 'excess',
    amount: string | null = null,
  ): Promise<void> {
    const organizationId = await openOrganization(tx, sellerId);
    for (const userId of await this.#options.orders.sellers(tx, organizationId)) {
      await this.#options.mail.enqueue(tx, { kind: 'order', event, userId, organizationId, orderId, amount });
    }
  }

  #record(
    tx: Database,
    actor: Actor,
    { id, number, organizationId, userId }: OrderRecord,
    action: AuditEvent['action'],
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const about = { organizationId, userId, details: { order_id: id, number, ...details } };
    return recordAudit(tx, actor, this.#now(), { action, ...about });
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
  }
}

/** Whether an item is sent in a parcel. */
export function isGoods({ kind }: Pick<ItemRecord, 'kind'>): boolean {
  return kind === 'device' || kind === 'accessory';
}
