import type { Clock } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import { type CloudSecret, type DerivedKeys, deriveKeys } from '../../common/secrets/derive-key.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import { AuthorizationCodeRepository } from './authorization-code-repository.ts';
import { GrantRepository } from './grant-repository.ts';
import { openContent, recordHash, sealContent } from './record-contents.ts';
import type {
  AccessTokenRecord,
  AuthorizationRecord,
  CodeExchangeOutcome,
  FoundCode,
  NewAccessToken,
  NewAuthorizationRecord,
  NewGrant,
} from './records.ts';

/**
 * Codes, interactions and browser sessions of the OAuth server. Their ids are secrets and their contents may be: ids are
 * stored as digests, contents sealed.
 */
class RecordRepository {
  readonly #db: Database;
  readonly #sealingKeys: DerivedKeys;

  constructor(db: Database, sealingKeys: DerivedKeys) {
    this.#db = db;
    this.#sealingKeys = sealingKeys;
  }

  async save(
    { model, id, uid, grantId, payload, lifetimeS }: NewAuthorizationRecord,
    at: Date,
  ): Promise<void> {
    const content = {
      sealed: sealContent(this.#sealingKeys, payload),
      uid_hash: uid === undefined ? null : recordHash(uid),
      grant_id: grantId ?? null,
      expires_at: new Date(at.getTime() + lifetimeS * 1000),
    };
    await this.#db
      .insertInto('oauth_records')
      .values({ model, hash: recordHash(id), ...content })
      .onConflict((conflict) => conflict.columns(['model', 'hash']).doUpdateSet(content))
      .execute();
  }

  find(model: string, id: string, now: Date): Promise<AuthorizationRecord | undefined> {
    return this.#find(model, 'hash', id, now);
  }

  findByUid(model: string, uid: string, now: Date): Promise<AuthorizationRecord | undefined> {
    return this.#find(model, 'uid_hash', uid, now);
  }

  /** @returns false for an unknown or consumed record; of concurrent callers one gets true */
  async consume(model: string, id: string, at: Date): Promise<boolean> {
    const consumed = await this.#db
      .updateTable('oauth_records')
      .set({ consumed_at: at })
      .where('model', '=', model)
      .where('hash', '=', recordHash(id))
      .where('consumed_at', 'is', null)
      .returning('model')
      .executeTakeFirst();
    return consumed !== undefined;
  }

  async remove(model: string, id: string): Promise<void> {
    await this.#db
      .deleteFrom('oauth_records')
      .where('model', '=', model)
      .where('hash', '=', recordHash(id))
      .execute();
  }

  async #find(
    model: string,
    column: 'hash' | 'uid_hash',
    id: string,
    now: Date,
  ): Promise<AuthorizationRecord | undefined> {
    const record = await this.#db
      .selectFrom('oauth_records')
      .select(['sealed', 'consumed_at'])
      .where('model', '=', model)
      .where(column, '=', recordHash(id))
      .where('expires_at', '>', now)
      .executeTakeFirst();
    if (record === undefined) return undefined;
    return { payload: openContent(this.#sealingKeys, record.sealed), consumedAt: record.consumed_at };
  }
}

export { CODE_MODEL } from './authorization-code-repository.ts';
export type {
  AccessTokenRecord,
  AuthorizationRecord,
  CodeExchangeOutcome,
  FoundCode,
  NewGrant,
} from './records.ts';

/** Lifetime of third parties' access tokens, in milliseconds; there are no refresh tokens. */
export const ACCESS_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A code is exchanged at once, and its token is the last one of a grant. */
const GRANT_LIFETIME_MS = ACCESS_TOKEN_LIFETIME_MS + 60 * 60 * 1000;

export interface GrantServiceOptions {
  readonly db: Database;
  /** The cloud's secret, from which the sealing key is derived. */
  readonly secret: CloudSecret;
  readonly clock: Clock;
}

/** Users' grants to programs, and the codes, tokens and records that the OAuth server issues. */
export class GrantService {
  readonly #db: Database;
  readonly #grants: GrantRepository;
  readonly #codes: AuthorizationCodeRepository;
  readonly #records: RecordRepository;
  readonly #clock: Clock;

  constructor({ db, secret, clock }: GrantServiceOptions) {
    this.#db = db;
    this.#grants = new GrantRepository(db);
    const sealingKeys = deriveKeys(secret, 'authorizations at rest');
    this.#codes = new AuthorizationCodeRepository(db, sealingKeys);
    this.#records = new RecordRepository(db, sealingKeys);
    this.#clock = clock;
  }

  /** @param caller the user's own session */
  async add(caller: Caller, grant: NewGrant): Promise<void> {
    const at = this.#now();
    const { clientId, clientName, organizationId, siteId, userId, scopes } = grant;
    await this.#db.transaction().execute(async (tx) => {
      await this.#grants.add(tx, grant, at, new Date(at.getTime() + GRANT_LIFETIME_MS));
      await this.#grants.markClientUsed(tx, clientId, at);
      const made = { kind: 'connection', grantId: grant.id, userId, siteId } as const;
      await addDelegation(tx, actorOf(caller), made, at);
      const details = { client_id: clientId, name: clientName, scopes };
      const event = { action: 'grant.created', organizationId, siteId, userId, details } as const;
      await recordAudit(tx, actorOf(caller), at, event);
    });
  }

  setPayload(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#grants.setPayload(id, payload);
  }

  /** @returns undefined for a grant that is revoked or expired */
  payload(id: string): Promise<Record<string, unknown> | undefined> {
    return this.#grants.payload(id, this.#now());
  }

  /** The site of the user's last grant to the same program. */
  siteChosenBefore(userId: number, clientId: string): Promise<number | null> {
    return this.#grants.siteChosenBefore(userId, clientId);
  }

  /** A code together with its grant. */
  findCode(code: string): Promise<FoundCode | undefined> {
    return this.#codes.find(code, this.#now());
  }

  /** Exchanges a code for a token; the code is consumed. */
  exchangeCode(code: string, token: Omit<NewAccessToken, 'lifetimeMs'>): Promise<CodeExchangeOutcome> {
    return this.#codes.exchange(code, { ...token, lifetimeMs: ACCESS_TOKEN_LIFETIME_MS }, this.#now());
  }

  /** A live access token of a third party. */
  findToken(value: string): Promise<AccessTokenRecord | undefined> {
    return this.#grants.findToken(value, this.#now());
  }

  saveRecord(record: NewAuthorizationRecord): Promise<void> {
    return this.#records.save(record, this.#now());
  }

  findRecord(model: string, id: string): Promise<AuthorizationRecord | undefined> {
    return this.#records.find(model, id, this.#now());
  }

  findRecordByUid(model: string, uid: string): Promise<AuthorizationRecord | undefined> {
    return this.#records.findByUid(model, uid, this.#now());
  }

  /** @returns whether this call was the first to consume it */
  consumeRecord(model: string, id: string): Promise<boolean> {
    return this.#records.consume(model, id, this.#now());
  }

  removeRecord(model: string, id: string): Promise<void> {
    return this.#records.remove(model, id);
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}
