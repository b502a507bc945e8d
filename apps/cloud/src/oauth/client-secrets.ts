import { timingSafeEqual } from 'node:crypto';
import type { Provider } from 'oidc-provider';
import { tokenHash } from '../secrets/opaque-token.ts';

/** Holds what a client shows against the digest that is kept of its secret. */
export function compareSecretDigests({ Client }: Provider): void {
  Client.prototype.compareClientSecret = function (shown: string): boolean {
    const kept = Buffer.from(this.clientSecret ?? '', 'hex');
    const given = tokenHash(shown);
    return kept.length === given.length && timingSafeEqual(kept, given);
  };
}
