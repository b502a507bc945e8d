import type { BuyerOrder, OrderActivationCode } from '@heliograph/contracts';
import { Unprocessable } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Database } from '../../db/open.ts';
import { openOrganization } from '../../db/open-organization.ts';
import { pageFrom } from '../../db/page.ts';
import { codeUsesLeft, createCodeIn, revokeCodeIn } from '../../devices/activation/codes.ts';
import type { InputOf } from '../../http/use-cases.ts';
import { recordActivationCode, recordCancellation, recordDelivery } from '../orders/lifecycle.ts';
import { presentBuyerOrder } from '../orders/present.ts';
import {
  findOwnOrder,
  type ItemRecord,
  isOwn,
  lockOrder,
  type OrderRecord,
  readOrders,
} from '../orders/records.ts';
import { changeOrder } from '../orders/rows.ts';
import { requireCancellable, WrongOrderState } from '../orders/states.ts';
import { closeCheckoutsOf, isPayableOnline, type PayingPlatform } from '../payments/online.ts';

export async function listOwnOrders(
  platform: PayingPlatform,
  caller: Caller,
  { query }: InputOf<'listOwnOrders'>,
): Promise<BuyerOrder[]> {
  const found = await readOrders(platform.db, [isOwn(caller)], pageFrom(query));
  return found.map((order) => present(platform, order));
}

/** @throws NotFound */
export async function getOwnOrder(
  platform: PayingPlatform,
  caller: Caller,
  { params }: InputOf<'getOwnOrder'>,
): Promise<BuyerOrder> {
  return present(platform, orNotFound(await findOwnOrder(platform.db, caller, params.id)));
}

/** @throws NotFound; Unprocessable unless the order is open and unpaid */
export async function cancelOwnOrder(
  platform: PayingPlatform,
  caller: Caller,
  { params: { id } }: InputOf<'cancelOwnOrder'>,
): Promise<BuyerOrder> {
  orNotFound(await findOwnOrder(platform.db, caller, id));
  const cancelled = await platform.db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, id);
    // A second click finds what the first did.
    if (order.state === 'cancelled') return present(platform, order);
    requireCancellable(order);
    await recordCancellation(platform, tx, actorOf(caller), order);
    return present(platform, await lockOrder(tx, id));
  });
  await closeCheckoutsOf(platform, id);
  return cancelled;
}

/**
 * Makes the code of the paid licences that name no device; the one before ends.
 *
 * @throws NotFound; Unprocessable when there are none, or the order is not paid, or nothing is left
 */
export async function createOrderActivationCode(
  platform: PayingPlatform,
  caller: Caller,
  { params: { id } }: InputOf<'createOrderActivationCode'>,
): Promise<OrderActivationCode> {
  const { db, clock } = platform;
  orNotFound(await findOwnOrder(db, caller, id));
  const actor = actorOf(caller);
  return db.transaction().execute(async (tx) => {
    const order = await lockOrder(tx, id);
    const licences = order.items.filter(isWithoutDevice);
    const uses = await usesOf(tx, order, licences);
    const { activationCodeId } = order;
    const organizationId = await openOrganization(tx, order.organizationId);
    if (activationCodeId !== null) await revokeCodeIn(platform, tx, actor, organizationId, activationCodeId);
    const made = await createCodeIn(platform, tx, actor, { organizationId, uses, expiresAt: null });
    const at = new Date(clock.now());
    await changeOrder(tx, id, { activation_code_id: made.id, activation_code_at: at }, at);
    await recordActivationCode(platform, tx, actor, order, made.id);
    const undelivered = licences.filter(({ fulfilled_at: done }) => done === null);
    if (undelivered.length > 0) await recordDelivery(platform, tx, actor, order, undelivered);
    return { code: made.code, uses_left: made.uses_left };
  });
}

export function present({ paymentProvider }: PayingPlatform, order: OrderRecord): BuyerOrder {
  return presentBuyerOrder(order, isPayableOnline(paymentProvider, order));
}

/** @returns how many devices a new code activates. @throws Unprocessable */
async function usesOf(tx: Database, order: OrderRecord, licences: readonly ItemRecord[]): Promise<number> {
  if (licences.length === 0) throw new Unprocessable('The order has no licence that is delivered as a code');
  if (order.state === 'cancelled') throw new WrongOrderState(order, 'it has no code');
  if (order.paymentState === 'unpaid' || order.paymentState === 'refunded')
    throw new WrongOrderState(order, 'it has no code yet');
  if (order.activationCodeAt === null) return codeUsesOf(licences);
  const left = order.activationCodeId === null ? undefined : await codeUsesLeft(tx, order.activationCodeId);
  if (left === undefined) throw new Unprocessable('The seller has revoked the code of this order');
  if (left === 0) throw new Unprocessable('The code of this order has activated all its devices');
  return left;
}

function isWithoutDevice({ kind, device_uid: uid }: ItemRecord): boolean {
  return kind === 'licence' && uid === null;
}

/** How many devices the code of licences activates. */
function codeUsesOf(licences: readonly Pick<ItemRecord, 'licence' | 'quantity'>[]): number {
  return licences.reduce((sum, { licence, quantity }) => sum + (licence?.devices ?? 0) * quantity, 0);
}
