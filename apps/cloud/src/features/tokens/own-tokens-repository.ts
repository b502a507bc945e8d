import type { Scope } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import { recordAudit } from '../../db/audit.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import type { Schema } from '../../db/schema.ts';
import type { MailService } from '../mail/service.ts';
import { addToken, isLive, lockToken, type NewToken } from './repository.ts';

/** The kinds of tokens that a user looks after. */
export type OwnTokenKind = 'api' | 'session';

/** An account has as many live API tokens as it may have. */
export class TooManyTokens extends Error {
  override readonly name = 'TooManyTokens';
}

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

/** The tokens of the account that asks. */
export class OwnTokenRepository {
  readonly #db: Database;
  readonly #mail: MailService;

  constructor(db: Database, mail: MailService) {
    this.#db = db;
    this.#mail = mail;
  }

  /** Those that are neither revoked nor expired, the newest first. */
  list(caller: Caller, kind: OwnTokenKind, now: Date): Promise<OwnTokenRecord[]> {
    return this.#db
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
      .where(isLive(now))
      .orderBy('tokens.id', 'desc')
      .execute();
  }

  /** An organization's name, if there is one that the account may hold tokens of. */
  async organizationFor(userId: number, organizationId: number): Promise<string | undefined> {
    const found = await this.#db
      .selectFrom('organizations')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select('organizations.name')
      .where('organizations.id', '=', organizationId)
      .where(hasOrganizationAccess(organizationId))
      .executeTakeFirst();
    return found?.name;
  }

  /** Whose an API token is that was not revoked. */
  async ownerOf(id: number): Promise<number | undefined> {
    const token = await this.#db
      .selectFrom('tokens')
      .select('user_id as userId')
      .where('id', '=', id)
      .where('kind', '=', 'api')
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return token?.userId;
  }

  /**
   * @param max how many live API tokens an account may have
   * @returns the token's id; undefined when the session of the caller has ended meanwhile
   * @throws TooManyTokens
   */
  create(caller: Caller, token: NewToken, max: number): Promise<number | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      // Two requests at once must not both find room for the last one.
      await tx
        .selectFrom('users')
        .select('id')
        .where('id', '=', caller.userId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      const mayStill = caller.kind === 'console' || (await lockToken(tx, caller.tokenId, token.createdAt));
      if (!mayStill) return undefined;
      const { count } = await tx
        .selectFrom('tokens')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', caller.userId)
        .where('kind', '=', 'api')
        .where(isLive(token.createdAt))
        .executeTakeFirstOrThrow();
      if (count >= max) throw new TooManyTokens();
      const id = await addToken(tx, token);
      const { name, scopes, kind } = token;
      await recordAudit(tx, actorOf(caller), token.createdAt, {
        action: 'token.created',
        userId: caller.userId,
        organizationId: token.organizationId,
        details: { id, kind, name, scopes },
      });
      await this.#mail.enqueue(tx, {
        kind: 'tokenCreated',
        userId: caller.userId,
        organizationId: token.organizationId,
        at: token.createdAt.toISOString(),
        address: caller.address,
        name: name ?? '',
        scopes,
      });
      return id;
    });
  }

  /**
   * Also one that has expired: site tokens that it got before can be alive.
   *
   * @returns whether there was such a token to revoke
   */
  revoke(caller: Caller, kind: OwnTokenKind, id: number, clock: Clock): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const at = new Date(clock.now());
      const which = expressionBuilder<Schema, 'tokens'>();
      const [revoked] = await revokeTokens(
        tx,
        which.and([which('tokens.id', '=', id), isOwn(caller, kind)(which)]),
        clock,
      );
      if (revoked === undefined) return false;
      // Else a session that is being handed over would open another one after its end.
      if (kind === 'session') await spendTokensOf(tx, caller.userId, ['session'], at.getTime());
      await recordAudit(tx, actorOf(caller), at, {
        action: 'token.revoked',
        userId: caller.userId,
        organizationId: revoked.organizationId,
        details: { id, kind, name: revoked.name },
      });
      return true;
    });
  }
}

/** Through a session of an organization nothing outside of it exists, tokens included. */
function isOwn({ userId, organizationId }: Caller, kind: OwnTokenKind) {
  return (eb: ExpressionBuilder<Schema, 'tokens'>): Expression<SqlBool> =>
    eb.and([
      eb('tokens.user_id', '=', userId),
      eb('tokens.kind', '=', kind),
      ...(organizationId === null ? [] : [eb('tokens.organization_id', '=', organizationId)]),
    ]);
}
