import { createHash } from 'node:crypto';
import type { DerivedKeys } from '../../common/secrets/derive-key.ts';
import { seal, unseal } from '../../common/secrets/seal.ts';

/** Digest of a record's id. Ids have at least 128 random bits, so a plain digest is enough. */
export function recordHash(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

export function sealContent(keys: DerivedKeys, payload: Readonly<Record<string, unknown>>): Buffer {
  return seal(keys, Buffer.from(JSON.stringify(payload)));
}

/** @throws Error when the keys are others or the bytes were changed */
export function openContent(keys: DerivedKeys, sealed: Buffer): Record<string, unknown> {
  return JSON.parse(unseal(keys, sealed).toString());
}
