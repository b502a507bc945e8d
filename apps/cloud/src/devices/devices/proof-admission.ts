import { Forbidden, Unauthorized } from '@heliograph/kit';
import {
  DEVICE_PROOF_REPLAY_MS,
  deviceProofDigest,
  InvalidToken,
  ProofOfOtherTime,
  verifyDeviceProof,
} from '@heliograph/wire';
import type { FastifyRequest } from 'fastify';
import type { ClientAddress } from '../../common/client-address.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { runPrepared } from '../../db/prepared-statements.ts';
import type { Platform } from '../../platform.ts';

/** Calls without a valid proof. */
const MISSES_PER_ADDRESS: RateRule = { name: 'proof-address', points: 60, durationS: 10 * 60 };

interface ProvenDevice {
  readonly key: { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string } | null;
  readonly revokedAt: Date | null;
  readonly siteId: number | null;
}

/**
 * Admits a device of a site by the proof of its key, to operations that send data.
 *
 * @returns the site of the device
 * @throws Unauthorized; Forbidden for a revoked device, and one without a site; TooManyRequests
 */
export async function admitDevice(
  { db, limits, clock, cloudUrl }: Platform,
  uid: string,
  proof: string,
  { network }: ClientAddress,
): Promise<number> {
  const [device] = await runPrepared<ProvenDevice>(
    db,
    'select public_key as key, revoked_at as "revokedAt", site_id as "siteId" from devices where uid = $1',
    [uid],
  );
  if (device === undefined || device.key === null) {
    await limits.consume(MISSES_PER_ADDRESS, network);
    throw new Unauthorized('This device is not known yet');
  }
  try {
    await verifyDeviceProof(proof, device.key, uid, cloudUrl(), clock.now());
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    await limits.consume(MISSES_PER_ADDRESS, network);
    throw refusedProof(error);
  }
  const [used] = await runPrepared(
    db,
    'insert into device_proofs (hash, expires_at) values ($1, $2) on conflict do nothing returning hash',
    [deviceProofDigest(proof), new Date(clock.now() + DEVICE_PROOF_REPLAY_MS)],
  );
  if (used === undefined) throw new Unauthorized('The proof was used before');
  if (device.revokedAt !== null) throw new Forbidden('The device was revoked');
  if (device.siteId === null) throw new Forbidden('The device is not registered to an account');
  return device.siteId;
}

/** The refusal of a proof, with the reason where it is a clock, which its owner can set. */
export function refusedProof(error: InvalidToken): Unauthorized {
  const isOfOtherTime = error instanceof ProofOfOtherTime;
  return new Unauthorized(
    isOfOtherTime ? 'The proof was made at another time: is the clock right?' : 'The proof is not valid',
    error,
  );
}

/** The proof that a device sends. @throws Unauthorized */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const token = /^Bearer ([\w.-]{1,4096})$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) throw new Unauthorized();
  return token;
}
