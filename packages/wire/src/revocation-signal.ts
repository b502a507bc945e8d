import { createHash } from 'node:crypto';

/** A subject whose site tokens are no longer good (`user:<id>`, `token:<id>`, `grant:<id>`), and since when. */
export interface RevokedSubject {
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly revokedAt: number;
}

const PREFIX = 'rvk';
const DIGEST_BYTES = 5;

/**
 * Payload of an HTTP/2 ping by which a proxy notifies a device of the revocations of its site: three letters, and five bytes
 * of a digest of all revocations that a living token can be older than. A device whose own revocations have another
 * digest asks the cloud, so that a proxy can hold a revocation back but forge none, and a device that is up to date
 * makes no request.
 */
export function revocationSignal(revoked: Iterable<RevokedSubject>): Buffer {
  const lines = Array.from(revoked, ({ subject, revokedAt }) => `${subject} ${revokedAt}`).toSorted();
  const digest = createHash('sha256').update(lines.join('\n')).digest();
  return Buffer.concat([Buffer.from(PREFIX), digest.subarray(0, DIGEST_BYTES)]);
}

/** Whether the payload of a ping is one of those. */
export function isRevocationSignal(payload: Uint8Array): boolean {
  return Buffer.from(payload).toString('latin1', 0, PREFIX.length) === PREFIX;
}
