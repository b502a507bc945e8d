import type { OrderCheckout } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { findOwnOrder, lockOrder } from '../orders/records.ts';
import { WrongOrderState } from '../orders/states.ts';
import { addCheckout, checkoutsOf } from './checkouts.ts';
import { closeCheckoutsOf, dueOf, isPayableOnline, isSame, isUnpaid, type PayingPlatform } from './online.ts';

/** Each is a request to the provider. */
const CHECKOUTS: RateRule = { name: 'checkouts', points: 30, durationS: 60 * 60 };

/** A checkout with less time left is not offered again, in milliseconds. */
const MIN_TIME_MS = 10 * 60_000;

const CANNOT_BE_PAID = 'it cannot be paid';

/**
 * The page on which the buyer pays: the former one while it is valid.
 *
 * @throws NotFound; Unprocessable for an order that is not to be paid online; TooManyRequests; Unavailable
 */
export async function payOrder(
  platform: PayingPlatform,
  caller: Caller,
  { params }: InputOf<'payOrder'>,
): Promise<OrderCheckout> {
  const { db, limits, clock, paymentProvider: provider } = platform;
  const order = orNotFound(await findOwnOrder(db, caller, params.id));
  if (!isUnpaid(order)) throw new WrongOrderState(order, CANNOT_BE_PAID);
  if (provider === undefined || !isPayableOnline(provider, order))
    throw new Unprocessable('This order is not paid online: pay it as its seller asks');
  const due = dueOf(order);
  const at = new Date(clock.now());
  const before = await checkoutsOf(db, provider.name, order.id);
  const open = before.find(
    (one) => one.isOpen && isSame(one, due) && one.expiresAt.getTime() > at.getTime() + MIN_TIME_MS,
  );
  if (open !== undefined) return { url: open.url };
  await limits.consume(CHECKOUTS, String(caller.userId));
  const { id, number, createdAt, email } = order;
  const checkout = await provider.begin({ id, number, createdAt, email, due, attempt: before.length + 1 });
  const now = await db.transaction().execute(async (tx) => {
    await addCheckout(tx, provider.name, id, due, checkout, at);
    return lockOrder(tx, id);
  });
  // It may have been paid or cancelled meanwhile.
  if (isUnpaid(now)) return { url: checkout.url };
  await closeCheckoutsOf(platform, id);
  throw new WrongOrderState(now, CANNOT_BE_PAID);
}
