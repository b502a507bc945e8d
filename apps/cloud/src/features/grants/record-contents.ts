import { createHash } from 'node:crypto';
import { seal, unseal } from '../../secrets/seal.ts';

/** Digest of a record's id. Ids have at least 128 random bits, so a plain digest is enough. */
export function recordHash(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

export function sealContent(key: Buffer, payload: Readonly<Record<string, unknown>>): Buffer {
  return seal(key, Buffer.from(JSON.stringify(payload)));
}

/** @throws Error when the key is another one or the bytes were changed */
export function openContent(key: Buffer, sealed: Buffer): Record<string, unknown> {
  return JSON.parse(unseal(key, sealed).toString());
}
