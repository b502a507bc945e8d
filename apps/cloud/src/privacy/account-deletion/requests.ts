import type { AccountDeletion, DeletionObstacle } from '@heliograph/contracts';
import { NotFound, Unauthorized, Unprocessable } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import { resumeDelegations, suspendLapsed } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { endAccess } from './end-access.ts';
import { obstaclesOf } from './obstacles.ts';

/** Time to change one's mind, in milliseconds: as long as site tokens live, so that none outlives its account. */
export const DELETION_DELAY_MS = 7 * 24 * 60 * 60 * 1000;

export function getAccountDeletion({ db }: Platform, { userId }: Caller): Promise<AccountDeletion> {
  return describe(db, userId);
}

/**
 * Ends every other session, API token and connection at once, and deletes the account after a week. A repetition changes
 * nothing.
 *
 * @throws Unprocessable while the account has what it must give away first
 */
export function requestAccountDeletion(
  { db, mail, clock }: Platform,
  caller: Caller,
): Promise<AccountDeletion> {
  const { userId, organizationId, address } = caller;
  return db.transaction().execute(async (tx) => {
    const home = await lockAccount(tx, userId);
    const obstacles = await obstaclesOf(tx, userId);
    if (obstacles.length > 0) throw new Unprocessable(sentenceOf(obstacles));
    const at = new Date(clock.now());
    const dueAt = new Date(at.getTime() + DELETION_DELAY_MS);
    const added = await tx
      .insertInto('account_deletions')
      .values({ user_id: userId, requested_at: at, due_at: dueAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (added !== undefined) {
      const others = sql<SqlBool>`user_id = ${userId} and id <> ${caller.tokenId}`;
      await endAccess(tx, actorOf(caller), userId, others, clock);
      await suspendLapsed(tx, [userId], { clock });
      await recordAudit(tx, actorOf(caller), at, { action: 'account.deletion_requested', userId });
      const notice = { at: at.toISOString(), address, dueAt: dueAt.toISOString() };
      const reader = { userId, organizationId: organizationId ?? home };
      await mail.enqueue(tx, { kind: 'deletionRequested', ...reader, ...notice });
    }
    return describe(tx, userId);
  });
}

/** @throws NotFound when none was requested */
export function cancelAccountDeletion({ db, mail, clock }: Platform, caller: Caller): Promise<void> {
  const { userId, organizationId, address } = caller;
  return db.transaction().execute(async (tx) => {
    const home = await lockAccount(tx, userId);
    const removed = await tx
      .deleteFrom('account_deletions')
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst();
    if (removed === undefined) throw new NotFound();
    const at = new Date(clock.now());
    const own = sql<SqlBool>`delegations.user_id = ${userId} and delegations.suspended_for = 'account'`;
    await resumeDelegations(tx, null, own, at);
    await recordAudit(tx, actorOf(caller), at, { action: 'account.deletion_cancelled', userId });
    const notice = { at: at.toISOString(), address };
    const reader = { userId, organizationId: organizationId ?? home };
    await mail.enqueue(tx, { kind: 'deletionCancelled', ...reader, ...notice });
  });
}

/**
 * Requests, cancellations and the deletion itself happen one after the other.
 *
 * @returns the organization whose customer the account is
 */
async function lockAccount(tx: Database, userId: number): Promise<number | null> {
  const account = await tx
    .selectFrom('users')
    .select('organization_id as organizationId')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
  return account.organizationId;
}

async function describe(db: Database, userId: number): Promise<AccountDeletion> {
  const pending = await db
    .selectFrom('account_deletions')
    .select(['requested_at', 'due_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return {
    due_at: pending?.due_at.toISOString() ?? null,
    requested_at: pending?.requested_at.toISOString() ?? null,
    obstacles: await obstaclesOf(db, userId),
  };
}

function sentenceOf(obstacles: readonly DeletionObstacle[]): string {
  const { kind, id, name } = obstacles[0] as DeletionObstacle;
  const first = kind === 'operator' ? 'being the only operator' : `${kind} ${name ?? id}`;
  const more = obstacles.length > 1 ? ` and ${obstacles.length - 1} more` : '';
  return `The account cannot be deleted because of ${first}${more}: give these away first`;
}
