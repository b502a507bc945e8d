import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** The cloud's secret, and another value that is accepted while one takes the place of the other. */
export interface CloudSecret {
  readonly used: string;
  readonly accepted: string | undefined;
}

/** Keys of one purpose: the first one seals and signs, all of them open and verify. */
export type DerivedKeys = readonly [used: Buffer, ...accepted: Buffer[]];

/** Keys for one purpose, derived from the cloud's secret (HKDF with SHA-256, RFC 5869). */
export function deriveKeys({ used, accepted }: CloudSecret, purpose: string): DerivedKeys {
  const derive = (secret: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `heliograph ${purpose}`, KEY_BYTES));
  return accepted === undefined ? [derive(used)] : [derive(used), derive(accepted)];
}
