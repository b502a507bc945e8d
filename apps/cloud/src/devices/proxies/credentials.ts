import type { AuditAction } from '@heliograph/contracts';
import { type Clock, ConfigError, NotFound, Unprocessable, ValidationError } from '@heliograph/kit';
import { newToken, TOKEN_PREFIXES, tokenHash } from '../../common/secrets/opaque-token.ts';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { type ProxyCredentialRecord, ProxyCredentialRepository } from './credential-repository.ts';

export type { ProxyCredentialRecord };

/** A new credential; its secret is shown only once. */
export interface NewProxyCredential {
  readonly id: number;
  readonly proxyName: string;
  readonly credential: string;
}

/** Credentials of one proxy at a time: the one in use, and the one that will replace it. */
const MAX_CREDENTIALS = 2;

/** A label of a host name, as PROXY_NAME of the proxy. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const CREDENTIAL = new RegExp(`^${TOKEN_PREFIXES.proxy}[\\w-]{43}$`);

/** Creates and revokes the credentials of proxies. */
export class ProxyCredentialService {
  readonly #db: Database;
  readonly #credentials: ProxyCredentialRepository;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#credentials = new ProxyCredentialRepository(db);
    this.#clock = clock;
  }

  /** By proxy, the oldest first. @param proxyName all proxies when left out */
  list(proxyName?: string): Promise<ProxyCredentialRecord[]> {
    return this.#credentials.list(proxyName);
  }

  /**
   * Creates the first credential of a proxy.
   *
   * @throws ValidationError for an invalid name; Unprocessable for a proxy that has a credential
   */
  add(actor: Actor, proxyName: string): Promise<NewProxyCredential> {
    if (!NAME.test(proxyName)) {
      throw new ValidationError({ name: ['must be lower-case letters, digits and hyphens'] });
    }
    return this.#create(actor, proxyName, ({ length }) => {
      if (length > 0) throw new Unprocessable(`${proxyName} has a credential: rotate it`);
    });
  }

  /**
   * Creates the credential that will replace the one in use, which stays valid until it is revoked.
   *
   * @throws NotFound for a proxy without one; Unprocessable for one that has two
   */
  rotate(actor: Actor, proxyName: string): Promise<NewProxyCredential> {
    return this.#create(actor, proxyName, ({ length }) => {
      if (length === 0) throw new NotFound();
      if (length >= MAX_CREDENTIALS) {
        throw new Unprocessable(`${proxyName} has ${length} credentials: revoke one of them first`);
      }
    });
  }

  /**
   * Makes a given credential the only one of a proxy; no change when it is stored already.
   *
   * @throws ConfigError when it is not of the form of a credential
   */
  async provide(actor: Actor, proxyName: string, credential: string): Promise<void> {
    if (!CREDENTIAL.test(credential)) {
      throw new ConfigError(`The credential of a proxy must be ${TOKEN_PREFIXES.proxy} and 43 characters`);
    }
    const hash = tokenHash(credential);
    await this.#db.transaction().execute(async (tx) => {
      await this.#credentials.lock(tx);
      const id = await this.#credentials.add(tx, proxyName, hash, this.#now());
      if (id === undefined) return;
      const others = (await this.#credentials.list(proxyName, tx)).filter((other) => other.id !== id);
      for (const other of others) await this.#delete(tx, actor, proxyName, other.id);
      await this.#record(tx, actor, 'proxy.credential_created', proxyName, id);
    });
  }

  /**
   * Revokes a credential, or all of a proxy: the next request with it is refused.
   *
   * @returns the ids of the revoked ones @throws NotFound when there is none
   */
  async revoke(actor: Actor, proxyName: string, id?: number): Promise<number[]> {
    return this.#db.transaction().execute((tx) => this.revokeIn(tx, actor, proxyName, id));
  }

  /** The same as part of a transaction. */
  async revokeIn(tx: Database, actor: Actor, proxyName: string, id?: number): Promise<number[]> {
    const revoked = await this.#delete(tx, actor, proxyName, id);
    if (revoked.length === 0) throw new NotFound();
    return revoked;
  }

  async #create(
    actor: Actor,
    proxyName: string,
    requireAllowed: (present: readonly ProxyCredentialRecord[]) => void,
  ): Promise<NewProxyCredential> {
    const credential = newToken('proxy');
    return this.#db.transaction().execute(async (tx) => {
      await this.#credentials.lock(tx);
      requireAllowed(await this.#credentials.list(proxyName, tx));
      const id = await this.#credentials.add(tx, proxyName, tokenHash(credential), this.#now());
      if (id === undefined) throw new Error('A new credential is not new');
      await this.#record(tx, actor, 'proxy.credential_created', proxyName, id);
      return { id, proxyName, credential };
    });
  }

  async #delete(tx: Database, actor: Actor, proxyName: string, id?: number): Promise<number[]> {
    const deleted = await this.#credentials.delete(tx, proxyName, id);
    for (const each of deleted) await this.#record(tx, actor, 'proxy.credential_revoked', proxyName, each);
    return deleted;
  }

  #record(tx: Database, actor: Actor, action: AuditAction, name: string, id: number): Promise<void> {
    return recordAudit(tx, actor, this.#now(), { action, details: { name, credential_id: id } });
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}
