import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/**
 * The key that accompanies a site token. It is derived, so the cloud stores none, and it changes for all
 * when the site's key version is raised.
 */
export function deriveSiteKey(secret: Uint8Array, siteId: number, version: number): string {
  return createHmac('sha256', secret).update(`site-key:${siteId}:${version}`).digest('base64url');
}

/** The digest of a site key that the token carries, so that a verifier needs no secret. */
export function siteKeyDigest(siteKey: string): string {
  return hash('sha256', siteKey, 'base64url');
}

/** Whether a site key is the one whose digest the token carries; takes the same time for any key. */
export function siteKeyMatches(siteKey: string, digest: string): boolean {
  const actual = Buffer.from(siteKeyDigest(siteKey));
  const expected = Buffer.from(digest);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
