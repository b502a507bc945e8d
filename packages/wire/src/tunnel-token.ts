import { errors, jwtVerify, SignJWT } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { type KeySource, keyFor } from './jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';

/**
 * How long a device may dial with its tunnel token, in seconds. Long enough that devices come back by themselves after a proxy
 * restarted or a region was without power, instead of asking the cloud all at once; a device that is revoked meanwhile is sent
 * away by the cloud's answer to the proxy's next announcement.
 */
export const TUNNEL_TOKEN_LIFETIME_S = 3 * 24 * 60 * 60;

/** A good tunnel token, but for another proxy: the device must ask the cloud again where to dial. */
export class WrongProxy extends InvalidToken {}

/** Which device may open the tunnel of which site, on which proxy. */
export interface TunnelTokenClaims {
  readonly uid: string;
  readonly siteId: number;
  /** The proxy's name; a token for one proxy opens nothing on another. */
  readonly proxy: string;
}

/** A tunnel token that was verified. */
export interface TunnelTicket extends TunnelTokenClaims {
  /** Milliseconds since the epoch. Of two tokens the cloud made the one later that expires later. */
  readonly expiresAt: number;
  /** The key that signed the token (`kid`). */
  readonly signedBy: string;
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
): Promise<TunnelTicket> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyFor(keys, kid), {
      algorithms: [SIGNATURE_ALGORITHM],
      audience: 'tunnel',
      currentDate: new Date(nowMs),
      clockTolerance: 60,
    });
    const { sub, site, exp } = payload;
    if (typeof sub !== 'string' || typeof site !== 'number' || exp === undefined)
      throw new InvalidToken('not a tunnel token');
    if (payload.proxy !== proxy) throw new WrongProxy(`tunnel token is for proxy ${String(payload.proxy)}`);
    return { uid: sub, siteId: site, proxy, expiresAt: exp * 1000, signedBy: protectedHeader.kid ?? '' };
  } catch (error) {
    throw error instanceof InvalidToken ? error : new InvalidToken(faultOf(error), { cause: error });
  }
}

/** A message for the proxy's log. */
function faultOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) {
    const expired = new Date((error.payload.exp ?? 0) * 1000).toISOString();
    return `tunnel token of ${String(error.payload.sub)} expired at ${expired}`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'tunnel token was changed: its signature is wrong';
  return 'not a valid tunnel token';
}
