import type { IdTokenAnswer, IdTokenBody } from '@heliograph/contracts';
import { type Clock, Unauthorized, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { KeyService } from '../keys/service.ts';
import { type IdentityClaims, identityClaims } from './claims.ts';
import { canReceiveIdentity, type IdentityClient } from './policy.ts';
import type { IdentityRepository } from './repository.ts';

export { type IdentityClaims, type IdentityRecord, identityClaims } from './claims.ts';

/** Long enough to be handed to a server, in seconds; existing clients expect it. */
const ID_TOKEN_LIFETIME_S = 300;

/** The programs that ask for access. */
export interface Clients {
  client(clientId: string): Promise<IdentityClient | undefined>;
}

export interface IdentityOptions {
  readonly identities: IdentityRepository;
  readonly clients: Clients;
  readonly keys: Pick<KeyService, 'signIdentity'>;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
}

/** Who somebody is, told to applications. */
export class IdentityService {
  readonly #options: IdentityOptions;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  /** The claims about an account; undefined when there is none. */
  async claimsOf(userId: number): Promise<IdentityClaims | undefined> {
    const account = await this.#options.identities.account(userId);
    return account && identityClaims(account);
  }

  /** When the session of the caller was opened. @throws Unauthorized when it is gone */
  async signedInAt(caller: Caller): Promise<Date> {
    return (await this.#accountOf(caller)).openedAt;
  }

  /**
   * Exchanges a session for an id_token that an application's server, or its database, verifies by itself.
   *
   * @throws Unauthorized; ValidationError for a client that is not to be told
   */
  async idToken(caller: Caller, { client_id, nonce }: IdTokenBody): Promise<IdTokenAnswer> {
    const { clients, keys, cloudUrl, clock } = this.#options;
    const client = await clients.client(client_id);
    if (client === undefined || !canReceiveIdentity(caller, client)) {
      throw new ValidationError({ client_id: ['is not an application that may ask who you are'] });
    }
    const account = await this.#accountOf(caller);
    const issuedAt = Math.floor(clock.now() / 1000);
    const token = await keys.signIdentity({
      ...identityClaims(account),
      iss: cloudUrl(),
      aud: client_id,
      nonce,
      iat: issuedAt,
      exp: issuedAt + ID_TOKEN_LIFETIME_S,
      auth_time: Math.floor(account.openedAt.getTime() / 1000),
    });
    return { id_token: token, expires_in: ID_TOKEN_LIFETIME_S };
  }
  async #accountOf({ tokenId }: Caller) {
    const account = await this.#options.identities.accountOfSession(tokenId);
    if (account === undefined) throw new Unauthorized('The account no longer exists');
    return account;
  }
}
