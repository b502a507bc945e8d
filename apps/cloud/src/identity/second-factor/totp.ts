import { codeCharacters } from '@heliograph/contracts/typed-text';
import { generateSecret, generateURI, verify } from 'otplib';

/** Lifetime of a code, in seconds (X of RFC 6238). */
export const TOTP_STEP_S = 30;

/** A new secret of 160 bits, in Base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** Content of the QR code for authenticator apps (https://github.com/google/google-authenticator/wiki/Key-Uri-Format). */
export function totpUri(secret: string, issuer: string, email: string): string {
  return generateURI({ issuer, label: email, secret, period: TOTP_STEP_S });
}

/**
 * The time step of a code: the present one, or one step of drift to either side.
 *
 * @param code as typed
 * @returns undefined for a code of no such step
 */
export async function totpStepOf(secret: string, code: string, nowMs: number): Promise<number | undefined> {
  const token = codeCharacters(code);
  if (!/^\d{6}$/.test(token)) return undefined;
  const epoch = Math.floor(nowMs / 1000);
  const result = await verify({ secret, token, epoch, period: TOTP_STEP_S, epochTolerance: TOTP_STEP_S });
  return result.valid && 'timeStep' in result ? result.timeStep : undefined;
}
