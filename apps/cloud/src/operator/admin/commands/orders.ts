import { type Money, moneyOf, moneyText, type Order, PAYMENT_METHODS } from '@heliograph/contracts';
import { parseArguments, UsageError } from '@heliograph/kit/terminal';
import { consoleCaller } from '../../../access/caller.ts';
import {
  cancelOrder,
  completeOrder,
  getOrder,
  listOrders,
  markOrderPaid,
  refundOrder,
  shipOrder,
} from '../../../shop/orders/orders.ts';
import { idOf, oneOf, onlyId, PAGE_HELP, searchOf } from '../arguments.ts';
import type { AdminCommand, CommandResult } from '../command.ts';
import { type Columns, listing, minuteOf, personCell, record } from '../layout.ts';

const list: AdminCommand = {
  name: 'orders list',
  usage: '[QUERY...] [--organization ID]',
  summary: 'list orders, the newest first',
  help: `QUERY is words, and filters such as payment_state:unpaid, sku:licence_year or created_after:2026-01-31.

  --organization ID  only an organization's
${PAGE_HELP}`,
  async run(args, context) {
    const { query } = searchOf(args);
    const platform = await context.openPlatform();
    return listing(await listOrders(platform, consoleCaller(), { query }), COLUMNS, 'orders');
  },
};

const show: AdminCommand = {
  name: 'orders show',
  usage: 'ID',
  summary: 'show an order with its items and payments',
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    return shown(await getOrder(platform, consoleCaller(), { params: { id } }));
  },
};

const markPaid: AdminCommand = {
  name: 'orders mark-paid',
  usage: 'ID [--reference TEXT] [--method METHOD] [--paid-at TIME]',
  summary: 'record that all that is still to be paid was paid',
  help: `  --reference TEXT  the bank's or the bookkeeping's; the same one again changes nothing
  --method METHOD   ${PAYMENT_METHODS.join(', ')} (default bank_transfer)
  --paid-at TIME    when the money came, ISO 8601 (default now)`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      reference: { type: 'string' },
      method: { type: 'string', default: 'bank_transfer' },
      'paid-at': { type: 'string' },
    });
    const id = onlyId(positionals);
    const paidAt = values['paid-at'];
    if (paidAt !== undefined && Number.isNaN(Date.parse(paidAt)))
      throw new UsageError('--paid-at must be a date and time, such as 2026-01-31T12:00:00Z');
    const body = {
      reference: values.reference ?? null,
      method: oneOf('--method', values.method, PAYMENT_METHODS),
      ...(paidAt !== undefined && { paid_at: paidAt }),
    };
    const platform = await context.openPlatform();
    return shown(await markOrderPaid(platform, consoleCaller(), { params: { id }, body }));
  },
};

const ship: AdminCommand = {
  name: 'orders ship',
  usage: 'ID --carrier NAME [--tracking NUMBER] [--url ADDRESS]',
  summary: 'record that the goods of an order were sent',
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      carrier: { type: 'string' },
      tracking: { type: 'string' },
      url: { type: 'string' },
    });
    const id = onlyId(positionals);
    const carrier = values.carrier?.trim() ?? '';
    if (carrier === '') throw new UsageError('--carrier must name who carries the parcel');
    if (values.url !== undefined && !/^https?:\/\/\S+$/.test(values.url))
      throw new UsageError('--url must be the address of a page');
    const shipment = { carrier, trackingNumber: values.tracking ?? null, trackingUrl: values.url ?? null };
    const platform = await context.openPlatform();
    return shown(await shipOrder(platform, consoleCaller(), id, shipment));
  },
};

const complete: AdminCommand = {
  name: 'orders complete',
  usage: 'ID',
  summary: 'record that everything in a paid order was delivered',
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    return shown(await completeOrder(platform, consoleCaller(), id));
  },
};

const cancel: AdminCommand = {
  name: 'orders cancel',
  usage: 'ID',
  summary: 'cancel an order that is not paid',
  async run(args, context) {
    const id = onlyId(parseArguments(args, {}).positionals);
    const platform = await context.openPlatform();
    return shown(await cancelOrder(platform, consoleCaller(), id));
  },
};

const refund: AdminCommand = {
  name: 'orders refund',
  usage: 'ID --payment ID [--amount PRICE]',
  summary: 'record that money of a payment was paid back',
  help: `It moves no money: pay it back at the bank or the provider first. An order of which all is paid back is cancelled.

  --payment ID    as "orders show" lists it
  --amount PRICE  such as 12.50 (default all that is left of the payment)`,
  async run(args, context) {
    const { values, positionals } = parseArguments(args, {
      payment: { type: 'string' },
      amount: { type: 'string' },
    });
    const id = onlyId(positionals);
    if (values.payment === undefined) throw new UsageError('--payment is missing');
    const paymentId = idOf('--payment', values.payment);
    const platform = await context.openPlatform();
    const caller = consoleCaller();
    const { payments } = await getOrder(platform, caller, { params: { id } });
    const currency = payments.find((payment) => payment.id === paymentId)?.currency ?? '';
    const amount = values.amount === undefined ? null : priceOf(values.amount, currency).amount;
    return shown(await refundOrder(platform, caller, id, paymentId, amount));
  },
};

/** @throws UsageError */
function priceOf(text: string, currency: string): Money {
  const money = moneyOf(text, currency);
  if (money === undefined) throw new UsageError(`--amount must be an amount in ${currency}, such as 12.50`);
  return money;
}

function shown(order: Order): CommandResult {
  const money = (amount: number) => moneyText({ amount, currency: order.currency });
  const { lines } = record(order, {
    order: order.id,
    number: order.number,
    customer: personCell(order.customer),
    seller: order.organization?.name ?? null,
    state: order.state,
    'payment state': order.payment_state,
    total: money(order.total),
    tax: money(order.tax),
    paid: money(order.paid),
    refunded: money(order.refunded),
    placed: minuteOf(order.created_at),
    note: order.note,
  });
  const items = listing(order.items, itemColumns(money), 'items');
  const payments = listing(order.payments, PAYMENT_COLUMNS, 'payments');
  const parts = [items, payments].flatMap((part) => (part.lines.length === 0 ? [] : ['', ...part.lines]));
  return { value: order, lines: [...lines, ...parts] };
}

const COLUMNS: Columns<Order> = [
  ['ID', ({ id }) => id, 'right'],
  ['NUMBER', ({ number }) => number],
  ['CUSTOMER', ({ customer }) => personCell(customer)],
  ['STATE', ({ state }) => state],
  ['PAYMENT', ({ payment_state }) => payment_state],
  ['TOTAL', ({ total: amount, currency }) => moneyText({ amount, currency }), 'right'],
  ['PLACED', ({ created_at }) => minuteOf(created_at)],
  ['SELLER', ({ organization }) => organization?.name ?? null],
];

const itemColumns = (money: (amount: number) => string): Columns<Order['items'][number]> => [
  ['QUANTITY', ({ quantity }) => quantity, 'right'],
  ['SKU', ({ sku }) => sku],
  ['NAME', ({ name }) => name],
  ['DEVICE', ({ device_uid }) => device_uid],
  ['TOTAL', ({ total }) => money(total), 'right'],
  ['DELIVERED', ({ fulfilled }) => fulfilled],
];

const PAYMENT_COLUMNS: Columns<Order['payments'][number]> = [
  ['PAYMENT', ({ id }) => id, 'right'],
  ['AMOUNT', moneyText, 'right'],
  ['REFUNDED', ({ refunded: amount, currency }) => moneyText({ amount, currency }), 'right'],
  ['METHOD', ({ method, provider }) => provider ?? method],
  ['REFERENCE', ({ reference }) => reference],
  ['PAID', ({ paid_at }) => minuteOf(paid_at)],
  ['EXCESS', ({ excess }) => excess],
];

export const orderCommands: readonly AdminCommand[] = [list, show, markPaid, ship, complete, cancel, refund];
