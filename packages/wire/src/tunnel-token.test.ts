import { beforeAll, describe, expect, it } from 'vitest';
import { keySourceOf } from '../test/keys.ts';
import { InvalidToken } from './invalid-token.ts';
import { generateSigningKey, type SigningKey } from './signing-key.ts';
import { signSiteToken } from './site-token.ts';
import { signTunnelToken, TUNNEL_TOKEN_LIFETIME_S, verifyTunnelToken, WrongProxy } from './tunnel-token.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLAIMS = { uid: 'abcdefghij2345671234', siteId: 7, proxy: 'local-1' };

/** Clocks of clouds and proxies may differ by this much. */
const TOLERANCE_MS = 60_000;

describe('a tunnel token', () => {
  let key: SigningKey;
  let token: string;
  beforeAll(async () => {
    key = await generateSigningKey();
    token = await signTunnelToken(key, CLAIMS, NOW);
  });
  const verify = async (text: string, proxy = 'local-1', at = NOW) =>
    verifyTunnelToken(text, await keySourceOf(key), proxy, at);

  it('a tunnel token names its device and its site', async () => {
    const expiresAt = NOW + TUNNEL_TOKEN_LIFETIME_S * 1000;
    expect(await verify(token)).toEqual({ ...CLAIMS, expiresAt, signedBy: key.kid });
  });

  it('a tunnel token expires after three days, with a tolerance for clock differences', async () => {
    const endMs = NOW + TUNNEL_TOKEN_LIFETIME_S * 1000;
    expect(await verify(token, 'local-1', endMs + TOLERANCE_MS - 1_000)).toMatchObject(CLAIMS);
    await expect(verify(token, 'local-1', endMs + TOLERANCE_MS)).rejects.toBeInstanceOf(InvalidToken);
  });

  it('a tunnel token for another proxy raises WrongProxy', async () => {
    await expect(verify(token, 'local-2')).rejects.toBeInstanceOf(WrongProxy);
  });

  it.each<[string, () => string | Promise<string>]>([
    ['nothing', () => ''],
    ['a tampered one', () => token.replace(/^[^.]*\./, (head) => `${head}x`)],
    ['one of another house', async () => signTunnelToken(await generateSigningKey(), CLAIMS, NOW)],
    [
      'a site token of the same house',
      () => signSiteToken(key, { siteId: 7, userId: 1, access: 'write', keyDigest: 'd' }, NOW),
    ],
  ])('a tunnel token is not %s', async (_what, make) => {
    const error = await verify(await make()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidToken);
    expect(error).not.toBeInstanceOf(WrongProxy);
  });
});
