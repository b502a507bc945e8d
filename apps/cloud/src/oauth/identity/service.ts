import type { IdTokenAnswer, IdTokenBody, Scope } from '@heliograph/contracts';
import { type Clock, Unauthorized, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { SigningKeys } from '../../signing-keys/signing-keys.ts';
import { type IdentityClaims, identityClaims } from './claims.ts';
import type { IdentityRepository } from './repository.ts';

export { type IdentityClaims, type IdentityRecord, identityClaims } from './claims.ts';

/** Long enough to reach a server; existing clients expect it. */
const ID_TOKEN_LIFETIME_S = 300;

/** A program that requests the identity of a user. */
interface IdentityClient {
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly organizationId: number | null;
  readonly scopes: readonly Scope[];
}

/** The registered programs. */
export interface Clients {
  client(clientId: string): Promise<IdentityClient | undefined>;
}

export interface IdentityOptions {
  readonly identities: IdentityRepository;
  readonly clients: Clients;
  readonly keys: Pick<SigningKeys, 'signIdentity'>;
  readonly cloudUrl: () => string;
  readonly clock: Clock;
}

/** Reveals the identity of a user to applications (OpenID Connect). */
export class IdentityService {
  readonly #options: IdentityOptions;

  constructor(options: IdentityOptions) {
    this.#options = options;
  }

  async claimsOf(userId: number): Promise<IdentityClaims | undefined> {
    const account = await this.#options.identities.account(userId);
    return account && identityClaims(account);
  }

  /** The start of the caller's session. @throws Unauthorized when the session has ended */
  async signedInAt(caller: Caller): Promise<Date> {
    return (await this.#accountOf(caller)).openedAt;
  }

  /**
   * Exchanges a session for an id_token that an application's server, or its database, verifies by itself.
   *
   * @throws Unauthorized; ValidationError for a client that may not learn the identity
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

/**
 * Allows an id_token for an organization's application that has the scope `openid`, unless the session is restricted to
 * another organization.
 */
function canReceiveIdentity(
  { organizationId }: Pick<Caller, 'organizationId'>,
  client: IdentityClient,
): boolean {
  if (client.kind === 'agent' || !client.scopes.includes('openid')) return false;
  return organizationId === null || organizationId === client.organizationId;
}
