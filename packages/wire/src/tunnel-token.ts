import { jwtVerify, SignJWT } from 'jose';
import type { KeySource } from './jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';
import { InvalidToken } from './site-token.ts';

/** How long a device has to dial with its tunnel token, in seconds. */
export const TUNNEL_TOKEN_LIFETIME_S = 5 * 60;

/** A good tunnel token, but for another proxy: the device must ask the cloud again where to dial. */
export class WrongProxy extends InvalidToken {}

/** Which device may open the tunnel of which site, on which proxy. */
export interface TunnelTokenClaims {
  readonly uid: string;
  readonly siteId: number;
  /** The proxy's name; a token for one proxy opens nothing on another. */
  readonly proxy: string;
}

export async function signTunnelToken(
  key: SigningKey,
  claims: TunnelTokenClaims,
  nowMs: number,
): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({ site: claims.siteId, proxy: claims.proxy })
    .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: key.kid })
    .setAudience('tunnel')
    .setSubject(claims.uid)
    .setIssuedAt(now)
    .setExpirationTime(now + TUNNEL_TOKEN_LIFETIME_S)
    .sign(key.privateKey);
}

/** @throws InvalidToken with the reason, for the log; WrongProxy when that is all that is wrong with it */
export async function verifyTunnelToken(
  token: string,
  keys: KeySource,
  proxy: string,
  nowMs: number,
): Promise<TunnelTokenClaims> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = kid === undefined ? undefined : await keys.find(kid);
        if (key === undefined) throw new InvalidToken('unknown signing key');
        return key;
      },
      {
        algorithms: [SIGNATURE_ALGORITHM],
        audience: 'tunnel',
        currentDate: new Date(nowMs),
        clockTolerance: 60,
      },
    );
    const { sub, site } = payload;
    if (typeof sub !== 'string' || typeof site !== 'number') throw new InvalidToken('not a tunnel token');
    if (payload.proxy !== proxy) throw new WrongProxy('tunnel token is for another proxy');
    return { uid: sub, siteId: site, proxy };
  } catch (error) {
    throw error instanceof InvalidToken
      ? error
      : new InvalidToken('not a valid tunnel token', { cause: error });
  }
}
