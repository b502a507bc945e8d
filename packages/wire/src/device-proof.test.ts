import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { ProofOfOtherTime, signDeviceProof, verifyDeviceProof } from './device-proof.ts';
import { InvalidToken } from './invalid-token.ts';
import { generateSigningKey, type SigningKey, uidOf } from './signing-key.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLOUD = 'https://cloud.example';
const MINUTE_MS = 60_000;

describe('the proof of a device', () => {
  let key: SigningKey;
  let uid: string;
  let proof: string;
  beforeAll(async () => {
    key = await generateSigningKey();
    uid = uidOf(key.publicJwk);
    proof = await signDeviceProof(key, uid, CLOUD, NOW);
  });

  it('a proof verifies with the public key of its device', async () => {
    await expect(verifyDeviceProof(proof, key.publicJwk, uid, CLOUD, NOW)).resolves.toBeUndefined();
  });

  it('two proofs of the same device have different digests', async () => {
    const again = await signDeviceProof(key, uid, CLOUD, NOW);
    expect(decodeJwt(again).jti).not.toBe(decodeJwt(proof).jti);
  });

  it.each([
    [5 * MINUTE_MS, true],
    [-4 * MINUTE_MS, true],
    [7 * MINUTE_MS, false],
    [-7 * MINUTE_MS, false],
  ])('%i ms after it was made is accepted: %j', async (passedMs, accepted) => {
    const verified = verifyDeviceProof(proof, key.publicJwk, uid, CLOUD, NOW + passedMs).then(
      () => true,
      (error: unknown) => !(error instanceof ProofOfOtherTime),
    );
    expect(await verified).toBe(accepted);
  });

  it('a proof that is wrong in another way as well is not one of another time', async () => {
    const later = NOW + 60 * MINUTE_MS;
    const { publicJwk } = await generateSigningKey();
    for (const verify of [
      () => verifyDeviceProof(proof, publicJwk, uid, CLOUD, later),
      () => verifyDeviceProof(proof, key.publicJwk, 'other', CLOUD, later),
      () => verifyDeviceProof(proof, key.publicJwk, uid, 'https://other.example', later),
    ])
      await expect(verify()).rejects.not.toBeInstanceOf(ProofOfOtherTime);
  });

  it.each<[string, () => Promise<void>]>([
    ['another cloud', () => verifyDeviceProof(proof, key.publicJwk, uid, 'https://other.example', NOW)],
    ['another device', () => verifyDeviceProof(proof, key.publicJwk, 'other', CLOUD, NOW)],
    [
      'another key',
      async () => verifyDeviceProof(proof, (await generateSigningKey()).publicJwk, uid, CLOUD, NOW),
    ],
    ['nothing', () => verifyDeviceProof('', key.publicJwk, uid, CLOUD, NOW)],
    ['no key', () => verifyDeviceProof(proof, { kty: 'OKP', crv: 'Ed25519', x: '!' }, uid, CLOUD, NOW)],
  ])('the proof is rejected for %s', async (_what, verify) => {
    await expect(verify()).rejects.toBeInstanceOf(InvalidToken);
  });
});
