import { generateSecret, generateURI, verify } from 'otplib';

/** How long a code is shown, in seconds (RFC 6238, X). */
export const TOTP_STEP_S = 30;

/** A new secret of 160 bits, in Base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What a QR code says to an authenticator app (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function totpUri(secret: string, issuer: string, email: string): string {
  return generateURI({ issuer, label: email, secret, period: TOTP_STEP_S });
}

/**
 * The time step that a code belongs to: the present one, or one step of drift to either side.
 *
 * @param code as typed, spaces included
 * @returns undefined when it is no code of these steps
 */
export async function totpStepOf(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = Math.floor(nowMs / 1000);
  const result = await verify({ secret, token, epoch, period: TOTP_STEP_S, epochTolerance: TOTP_STEP_S });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
