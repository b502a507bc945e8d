import { createHmac } from 'node:crypto';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { keySourceOf } from '../test/keys.ts';
import { InvalidToken } from './invalid-token.ts';
import type { KeySource } from './jwks.ts';
import { generateSigningKey, type SigningKey } from './signing-key.ts';
import { SITE_TOKEN_LIFETIME_MS, SiteTokenExpired, SiteTokenVerifier, signSiteToken } from './site-token.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLAIMS = { siteId: 19489, userId: 12, access: 'write', keyDigest: 'digest' } as const;

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a site token', () => {
  let key: SigningKey;
  let keys: KeySource & { lookups: number };
  let token: string;
  let parts: string[];

  beforeAll(async () => {
    key = await generateSigningKey();
    token = await signSiteToken(key, CLAIMS, NOW);
    parts = token.split('.');
  });

  const verifierAt = async (now: () => number): Promise<SiteTokenVerifier> => {
    keys = await keySourceOf(key);
    return new SiteTokenVerifier(keys, now);
  };

  it('a site token carries its claims for seven days', async () => {
    const verifier = await verifierAt(() => NOW);
    expect(await verifier.verify(token)).toEqual({
      ...CLAIMS,
      mayConfigure: false,
      isPerson: false,
      source: null,
      recovery: null,
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      issuedAt: NOW,
      expiresAt: NOW + SITE_TOKEN_LIFETIME_MS,
      signedBy: key.kid,
    });
  });

  it('a site token carries its source, whether a person holds it, and the right to configure', async () => {
    const verifier = await verifierAt(() => NOW);
    const claims = { ...CLAIMS, mayConfigure: true, isPerson: true, source: 'token:7' };
    expect(await verifier.verify(await signSiteToken(key, claims, NOW))).toMatchObject(claims);
  });

  it('a site token is a JWT whose expiry is ISO 8601 text, as existing clients decode it', () => {
    expect(decodeJwt(token)).toMatchObject({ exp: '2026-06-08T12:00:00.000Z', sub: '12' });
  });

  it('two tokens for the same site differ', async () => {
    expect(await signSiteToken(key, CLAIMS, NOW)).not.toBe(token);
  });

  const forged = (header: unknown, payload: unknown, signature: string): string =>
    `${base64url(header)}.${base64url(payload)}.${signature}`;
  const payload = (): Record<string, unknown> => decodeJwt(token);

  it.each<[string, () => string | Promise<string>]>([
    ['no token at all', () => ''],
    ['no JWT', () => 'abc'],
    ['another site in its payload', () => `${parts[0]}.${base64url({ ...payload(), site: 1 })}.${parts[2]}`],
    ['a cut signature', () => token.slice(0, -4)],
    ['no signature and "none"', () => forged({ alg: 'none', kid: key.kid }, payload(), '')],
    [
      'a HMAC made with the public key',
      () => {
        const head = `${base64url({ alg: 'HS256', kid: key.kid })}.${base64url(payload())}`;
        return `${head}.${createHmac('sha256', key.publicJwk.x ?? '')
          .update(head)
          .digest('base64url')}`;
      },
    ],
    ['a key of another house', async () => signSiteToken(await generateSigningKey(), CLAIMS, NOW)],
    [
      'another key under the right name',
      async () => signSiteToken({ ...(await generateSigningKey()), kid: key.kid }, CLAIMS, NOW),
    ],
    ['no key name', () => forged({ alg: 'EdDSA' }, payload(), parts[2] ?? '')],
    ['an end seven days ago', () => signSiteToken(key, CLAIMS, NOW - SITE_TOKEN_LIFETIME_MS)],
    ['a site that is no number', () => signSiteToken(key, { ...CLAIMS, siteId: Number.NaN }, NOW)],
    ['a user that is no number', () => signSiteToken(key, { ...CLAIMS, userId: 1.5 }, NOW)],
  ])('a site token is rejected with %s', async (_what, make) => {
    const verifier = await verifierAt(() => NOW);
    await expect(verifier.verify(await make())).rejects.toBeInstanceOf(InvalidToken);
    expect(verifier.cached(await make())).toBeUndefined();
  });

  it('a verified token is cached until it expires', async () => {
    let now = NOW;
    const verifier = await verifierAt(() => now);
    expect(verifier.cached(token)).toBeUndefined();
    await verifier.verify(token);
    await verifier.verify(token);
    expect(keys.lookups).toBe(1);

    now = NOW + SITE_TOKEN_LIFETIME_MS - 1;
    expect(verifier.cached(token)).toMatchObject(CLAIMS);
    now = NOW + SITE_TOKEN_LIFETIME_MS;
    expect(verifier.cached(token)).toBeUndefined();
    await expect(verifier.verify(token)).rejects.toBeInstanceOf(SiteTokenExpired);
  });

  it('a cached token becomes invalid when its key is withdrawn', async () => {
    const published = new Set([key.kid]);
    const known = await keySourceOf(key);
    const verifier = new SiteTokenVerifier(
      {
        find: async (kid) => (published.has(kid) ? known.find(kid) : undefined),
        has: (kid) => published.has(kid),
      },
      () => NOW,
    );
    const claims = await verifier.verify(token);
    expect([verifier.cached(token), verifier.isValid(claims)]).toEqual([claims, true]);
    published.clear();
    expect([verifier.cached(token), verifier.isValid(claims)]).toEqual([undefined, false]);
    await expect(verifier.verify(token)).rejects.toThrow('unknown signing key');
  });
});
