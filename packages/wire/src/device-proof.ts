import { createHash, randomUUID } from 'node:crypto';
import { errors, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';

/** How long a proof is good for, in seconds. */
const LIFETIME_S = 60;

/** Clocks of devices drift, and a Pi has none until NTP answers, in seconds. */
const CLOCK_TOLERANCE_S = 5 * 60;

/**
 * How long after it was first accepted a proof could be accepted again, in milliseconds: it may be dated ahead by
 * the tolerance, and is good for its lifetime and the tolerance from then on; one second more, for both ends are
 * compared in whole seconds.
 */
export const DEVICE_PROOF_REPLAY_MS = (LIFETIME_S + 2 * CLOCK_TOLERANCE_S + 1) * 1000;

/** A device's proof to the cloud that it holds its key: a short-lived JWT signed with it. */
export async function signDeviceProof(
  key: SigningKey,
  uid: string,
  cloudUrl: string,
  nowMs: number,
): Promise<string> {
  const now = Math.floor(nowMs / 1000);
  return new SignJWT({})
    .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: key.kid })
    .setAudience(cloudUrl)
    .setSubject(uid)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_S)
    .sign(key.privateKey);
}

/** A proof by the right key, made at another time than now: a clock is wrong. */
export class ProofOfOtherTime extends InvalidToken {}

/** @throws ProofOfOtherTime; InvalidToken with the reason, for the log */
export async function verifyDeviceProof(
  proof: string,
  publicJwk: JWK,
  uid: string,
  cloudUrl: string,
  nowMs: number,
): Promise<void> {
  try {
    const key = await importJWK(publicJwk, SIGNATURE_ALGORITHM);
    await jwtVerify(proof, key, {
      algorithms: [SIGNATURE_ALGORITHM],
      audience: cloudUrl,
      subject: uid,
      currentDate: new Date(nowMs),
      clockTolerance: CLOCK_TOLERANCE_S,
      // Also refuses a proof from the future: it would stay good until then.
      maxTokenAge: LIFETIME_S,
      requiredClaims: ['exp', 'jti'],
    });
  } catch (error) {
    if (isAboutTime(error)) throw new ProofOfOtherTime('a device proof of another time', { cause: error });
    throw new InvalidToken('not a valid device proof', { cause: error });
  }
}

/** Claims are compared once the signature is right, and times after the others. */
function isAboutTime(error: unknown): boolean {
  if (error instanceof errors.JWTExpired) return true;
  return (
    error instanceof errors.JWTClaimValidationFailed &&
    error.claim === 'iat' &&
    error.reason === 'check_failed'
  );
}

/**
 * Identifies a proof for replay protection: SHA-256 of the signed part. Not of the whole text, whose signature can be
 * written in several ways: the last character of its base64url has unused bits.
 */
export function deviceProofDigest(proof: string): Buffer {
  return createHash('sha256')
    .update(proof.slice(0, proof.lastIndexOf('.')))
    .digest();
}
