import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** A key for one purpose, derived from the cloud's secret (HKDF with SHA-256, RFC 5869). */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `heliograph ${purpose}`, KEY_BYTES));
}
