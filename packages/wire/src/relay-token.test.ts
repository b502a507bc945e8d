import { beforeAll, describe, expect, it } from 'vitest';
import { keySourceOf } from '../test/keys.ts';
import { InvalidToken } from './invalid-token.ts';
import { RELAY_TOKEN_LIFETIME_S, signRelayToken, verifyRelayToken } from './relay-token.ts';
import { generateSigningKey, type SigningKey } from './signing-key.ts';
import { signTunnelToken } from './tunnel-token.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLAIMS = { from: 'eu-1', to: 'eu-2' };

/** Clocks of clouds and proxies may differ by this much. */
const TOLERANCE_MS = 60_000;

describe('a relay token', () => {
  let key: SigningKey;
  let token: string;
  beforeAll(async () => {
    key = await generateSigningKey();
    token = await signRelayToken(key, CLAIMS, NOW);
  });
  const verify = async (text: string, proxy = 'eu-2', at = NOW) =>
    verifyRelayToken(text, await keySourceOf(key), proxy, at);

  it('a relay token names its sender and its receiver', async () => {
    expect(await verify(token)).toEqual(CLAIMS);
  });

  it('a relay token expires after minutes, with a tolerance for clock differences', async () => {
    const endMs = NOW + RELAY_TOKEN_LIFETIME_S * 1000;
    expect(await verify(token, 'eu-2', endMs + TOLERANCE_MS - 1_000)).toEqual(CLAIMS);
    await expect(verify(token, 'eu-2', endMs + TOLERANCE_MS)).rejects.toBeInstanceOf(InvalidToken);
  });

  it.each<[string, () => string | Promise<string>, string?]>([
    ['for another proxy', () => token, 'eu-3'],
    ['nothing', () => ''],
    ['one of another house', async () => signRelayToken(await generateSigningKey(), CLAIMS, NOW)],
    ['a tunnel token', () => signTunnelToken(key, { uid: 'eu-1', siteId: 7, proxy: 'eu-2' }, NOW)],
  ])('a relay token is rejected when it is %s', async (_what, make, proxy) => {
    await expect(verify(await make(), proxy)).rejects.toBeInstanceOf(InvalidToken);
  });
});
