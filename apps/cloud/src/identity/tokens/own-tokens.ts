import type { ApiToken, Scope, SessionSummary } from '@heliograph/contracts';
import { NotFound } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import type { Schema } from '../../db/schema.ts';
import type { Platform } from '../../platform.ts';
import { presentApiToken, presentSessionSummary } from './present.ts';
import { isLive } from './records.ts';

/** The kinds of tokens that users manage themselves. */
export type OwnTokenKind = 'api' | 'session';

export interface OwnTokenRecord {
  readonly id: number;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

export async function listTokens(platform: Platform, caller: Caller): Promise<ApiToken[]> {
  const tokens = await selectOwn(platform, caller, 'api');
  return tokens.map(presentApiToken);
}

export async function listSessions(platform: Platform, caller: Caller): Promise<SessionSummary[]> {
  const sessions = await selectOwn(platform, caller, 'session');
  return sessions.map((session) => presentSessionSummary(session, caller.tokenId));
}

/**
 * Revokes an expired token, too: site tokens issued from it may be live. Suspends delegations that an API token made;
 * those of a session go on, as a person made them.
 *
 * @param mails whether those who decide about it are mailed
 * @throws NotFound unless it is one of the account that was not revoked
 */
export async function revokeOwnToken(
  { db, clock }: Platform,
  caller: Caller,
  kind: OwnTokenKind,
  id: number,
  mails = true,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const at = new Date(clock.now());
    const which = expressionBuilder<Schema, 'tokens'>();
    const own = which.and([which('tokens.id', '=', id), isOwn(caller, kind)(which)]);
    const [revoked] = await revokeTokens(tx, own, clock);
    if (revoked === undefined) throw new NotFound();
    // Otherwise a handover of the session could open another one after its end.
    if (kind === 'session') await spendTokensOf(tx, caller.userId, ['session'], at.getTime());
    if (kind === 'api') await suspendLapsed(tx, [caller.userId], { clock, mails });
    await recordAudit(tx, actorOf(caller), at, {
      action: 'token.revoked',
      userId: caller.userId,
      organizationId: revoked.organizationId,
      details: { id, kind, name: revoked.name },
    });
  });
}

/** The owner of an API token that is not revoked, for operators. */
export async function ownerOfApiToken({ db }: Pick<Platform, 'db'>, id: number): Promise<number | undefined> {
  const token = await db
    .selectFrom('tokens')
    .select('user_id as userId')
    .where('id', '=', id)
    .where('kind', '=', 'api')
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return token?.userId;
}

/** Tokens of the caller's account that are neither revoked nor expired, the newest first. */
function selectOwn({ db, clock }: Platform, caller: Caller, kind: OwnTokenKind): Promise<OwnTokenRecord[]> {
  return db
    .selectFrom('tokens')
    .leftJoin('organizations', 'organizations.id', 'tokens.organization_id')
    .select([
      'tokens.id',
      'tokens.name',
      'tokens.scopes',
      'organizations.id as organizationId',
      'organizations.name as organizationName',
      'tokens.created_at as createdAt',
      'tokens.expires_at as expiresAt',
      'tokens.last_used_at as lastUsedAt',
      'tokens.last_used_address as lastUsedAddress',
    ])
    .where(isOwn(caller, kind))
    .where(isLive(new Date(clock.now())))
    .orderBy('tokens.id', 'desc')
    .execute();
}

/** In a session of an organization nothing outside of it exists, tokens included. */
function isOwn({ userId, organizationId }: Caller, kind: OwnTokenKind) {
  return (eb: ExpressionBuilder<Schema, 'tokens'>): Expression<SqlBool> =>
    eb.and([
      eb('tokens.user_id', '=', userId),
      eb('tokens.kind', '=', kind),
      ...(organizationId === null ? [] : [eb('tokens.organization_id', '=', organizationId)]),
    ]);
}
