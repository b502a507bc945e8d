import { Forbidden, Unauthorized } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import { TOKEN_PREFIXES, tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Platform } from '../../platform.ts';
import { CREDENTIAL_COLUMNS, type ProxyCredentialRecord } from './credentials.ts';
import { WRONG_PROXY_CREDENTIALS } from './limits.ts';

/** Precision of the stored date of last use, in milliseconds. */
const USE_PRECISION_MS = 5 * 60 * 1000;

/**
 * Authenticates a proxy by its credential; a look-up by digest has no timing that depends on it.
 *
 * @param name the proxy that the request is about
 * @throws Unauthorized for an unknown or revoked credential; Forbidden for that of another proxy; TooManyRequests
 */
export async function authenticateProxy(
  platform: Platform,
  credential: string,
  name: string,
  clientAddress: ClientAddress,
): Promise<void> {
  const { db, limits } = platform;
  const isCredential = credential.startsWith(TOKEN_PREFIXES.proxy);
  const found = isCredential
    ? await db
        .selectFrom('proxy_credentials')
        .select(CREDENTIAL_COLUMNS)
        .where('hash', '=', tokenHash(credential))
        .executeTakeFirst()
    : undefined;
  if (found === undefined) {
    await limits.consume(WRONG_PROXY_CREDENTIALS, clientAddress.network);
    throw new Unauthorized('The credential of the proxy is unknown or was revoked');
  }
  if (found.proxyName !== name) {
    throw new Forbidden(`The credential is for the proxy ${found.proxyName}, and for no other`);
  }
  await noteUse(platform, found, clientAddress);
}

async function noteUse(
  { db, clock }: Platform,
  { id, lastUsedAt, lastUsedFrom }: ProxyCredentialRecord,
  { address }: ClientAddress,
): Promise<void> {
  const nowMs = clock.now();
  const isKnown = lastUsedAt !== null && nowMs - lastUsedAt.getTime() <= USE_PRECISION_MS;
  if (isKnown && lastUsedFrom === address) return;
  await db
    .updateTable('proxy_credentials')
    .set({ last_used_at: new Date(nowMs), last_used_from: address })
    .where('id', '=', id)
    .execute();
}
