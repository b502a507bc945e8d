import { createHash } from 'node:crypto';
import { type CloudSecret, deriveKeys } from '../../common/secrets/derive-key.ts';
import { seal, unseal } from '../../common/secrets/seal.ts';

/** Digest of a record's id. Ids have at least 128 random bits, so a plain digest is enough. */
export function recordHash(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

function sealingKeys(secret: CloudSecret) {
  return deriveKeys(secret, 'authorizations at rest');
}

export function sealContent(secret: CloudSecret, payload: Readonly<Record<string, unknown>>): Buffer {
  return seal(sealingKeys(secret), Buffer.from(JSON.stringify(payload)));
}

/** @throws Error when the secret is another or the bytes were changed */
export function openContent(secret: CloudSecret, sealed: Buffer): Record<string, unknown> {
  return JSON.parse(unseal(sealingKeys(secret), sealed).toString());
}
