import type { Clock } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { deriveKey } from '../../secrets/derive-key.ts';
import { AccessTokenRepository } from './access-token-repository.ts';
import { AuthorizationCodeRepository } from './authorization-code-repository.ts';
import { GrantRepository } from './grant-repository.ts';
import { RecordRepository } from './record-repository.ts';
import type {
  AccessTokenRecord,
  AuthorizationRecord,
  CodeExchangeOutcome,
  FoundCode,
  NewAccessToken,
  NewAuthorizationRecord,
  NewGrant,
} from './records.ts';

export { CODE_MODEL } from './authorization-code-repository.ts';
export type {
  AccessTokenRecord,
  AuthorizationRecord,
  CodeExchangeOutcome,
  FoundCode,
  NewGrant,
} from './records.ts';

/** Third parties get an access token for this long, in milliseconds, and then ask their user again. */
export const ACCESS_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A code is exchanged at once, and the token that it becomes is the last that a grant gives. */
const GRANT_LIFETIME_MS = ACCESS_TOKEN_LIFETIME_MS + 60 * 60 * 1000;

export interface GrantServiceOptions {
  readonly db: Database;
  /** The cloud's secret, from which the key follows that seals records. */
  readonly secret: string;
  readonly clock: Clock;
}

/** What users allowed programs, and what the OAuth server issues from it. */
export class GrantService {
  readonly #grants: GrantRepository;
  readonly #tokens: AccessTokenRepository;
  readonly #codes: AuthorizationCodeRepository;
  readonly #records: RecordRepository;
  readonly #clock: Clock;

  constructor({ db, secret, clock }: GrantServiceOptions) {
    this.#grants = new GrantRepository(db);
    this.#tokens = new AccessTokenRepository(db);
    const sealingKey = deriveKey(secret, 'authorizations at rest');
    this.#codes = new AuthorizationCodeRepository(db, sealingKey);
    this.#records = new RecordRepository(db, sealingKey);
    this.#clock = clock;
  }

  /** Writes down what a user consented to. @param caller the user's own session */
  async add(caller: Caller, grant: NewGrant): Promise<void> {
    const at = this.#now();
    await this.#grants.add(grant, actorOf(caller), at, new Date(at.getTime() + GRANT_LIFETIME_MS));
  }

  setPayload(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    return this.#grants.setPayload(id, payload);
  }

  /** @returns undefined for a grant that was ended or has expired */
  payload(id: string): Promise<Record<string, unknown> | undefined> {
    return this.#grants.payload(id, this.#now());
  }

  /** The site that the user chose the last time they consented to the same program. */
  siteChosenBefore(userId: number, clientId: string): Promise<number | null> {
    return this.#grants.siteChosenBefore(userId, clientId);
  }

  /** A code together with its grant. */
  findCode(code: string): Promise<FoundCode | undefined> {
    return this.#codes.find(code, this.#now());
  }

  /** Issues a token for a code, which is good for nothing afterwards. */
  exchangeCode(code: string, token: Omit<NewAccessToken, 'lifetimeMs'>): Promise<CodeExchangeOutcome> {
    return this.#codes.exchange(code, { ...token, lifetimeMs: ACCESS_TOKEN_LIFETIME_MS }, this.#now());
  }

  /** A live access token of a third party. */
  findToken(value: string): Promise<AccessTokenRecord | undefined> {
    return this.#tokens.find(value, this.#now());
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
