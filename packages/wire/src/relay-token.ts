import { jwtVerify, SignJWT } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { type KeySource, keyFor } from './jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';

/** How long a proxy may dial another one with a relay token, in seconds. */
export const RELAY_TOKEN_LIFETIME_S = 5 * 60;

const CLOCK_TOLERANCE_S = 60;

/** Which proxy may pass requests on to which other. */
export interface RelayTokenClaims {
  /** Name of the proxy that dials. */
  readonly from: string;
  /** Name of the proxy that is dialled; a token for one proxy opens nothing on another. */
  readonly to: string;
}

export function signRelayToken(key: SigningKey, claims: RelayTokenClaims, nowMs: number): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({ proxy: claims.to })
    .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: key.kid })
    .setAudience('relay')
    .setSubject(claims.from)
    .setIssuedAt(now)
    .setExpirationTime(now + RELAY_TOKEN_LIFETIME_S)
    .sign(key.privateKey);
}

/** @throws InvalidToken with the reason, for the log */
export async function verifyRelayToken(
  token: string,
  keys: KeySource,
  proxy: string,
  nowMs: number,
): Promise<RelayTokenClaims> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyFor(keys, kid), {
      algorithms: [SIGNATURE_ALGORITHM],
      audience: 'relay',
      currentDate: new Date(nowMs),
      clockTolerance: CLOCK_TOLERANCE_S,
      requiredClaims: ['sub', 'exp'],
    });
    const { sub } = payload;
    if (sub === undefined || payload.proxy !== proxy)
      throw new InvalidToken('relay token is for another proxy');
    return { from: sub, to: proxy };
  } catch (error) {
    throw error instanceof InvalidToken
      ? error
      : new InvalidToken('not a valid relay token', { cause: error });
  }
}
