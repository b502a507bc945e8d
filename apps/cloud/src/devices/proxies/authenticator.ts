import { type Clock, Forbidden, Unauthorized } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import { TOKEN_PREFIXES, tokenHash } from '../../common/secrets/opaque-token.ts';
import type { ProxyCredentialRecord, ProxyCredentialRepository } from './credential-repository.ts';
import { WRONG_PROXY_CREDENTIALS } from './limits.ts';

/** Precision of the stored date of last use, in milliseconds. */
const USE_PRECISION_MS = 5 * 60 * 1000;

/** Authenticates proxies by their credentials. */
export class ProxyAuthenticator {
  readonly #credentials: ProxyCredentialRepository;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(credentials: ProxyCredentialRepository, limits: RateLimits, clock: Clock) {
    this.#credentials = credentials;
    this.#limits = limits;
    this.#clock = clock;
  }

  /**
   * @param name the proxy that the request is about
   * @throws Unauthorized for an unknown or revoked credential; Forbidden for that of another proxy; TooManyRequests
   */
  async authenticate(credential: string, name: string, clientAddress: ClientAddress): Promise<void> {
    const isCredential = credential.startsWith(TOKEN_PREFIXES.proxy);
    const found = isCredential ? await this.#credentials.find(tokenHash(credential)) : undefined;
    if (found === undefined) {
      await this.#limits.consume(WRONG_PROXY_CREDENTIALS, clientAddress.network);
      throw new Unauthorized('The credential of the proxy is unknown or was revoked');
    }
    if (found.proxyName !== name) {
      throw new Forbidden(`The credential is for the proxy ${found.proxyName}, and for no other`);
    }
    await this.#noteUse(found, clientAddress);
  }

  async #noteUse(
    { id, lastUsedAt, lastUsedFrom }: ProxyCredentialRecord,
    { address }: ClientAddress,
  ): Promise<void> {
    const nowMs = this.#clock.now();
    const isKnown = lastUsedAt !== null && nowMs - lastUsedAt.getTime() <= USE_PRECISION_MS;
    if (isKnown && lastUsedFrom === address) return;
    await this.#credentials.markUsed(id, new Date(nowMs), address);
  }
}
