import { createHmac, randomBytes } from 'node:crypto';
import { type CloudSecret, type DerivedKeys, deriveKeys } from '../../common/secrets/derive-key.ts';
import { reseal, seal, unseal } from '../../common/secrets/seal.ts';
import type { Database } from '../../db/open.ts';

/** By which people and secret scanners recognise one (Standard Webhooks, "Signature scheme"). */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Secrets of webhooks: stored sealed, as they must sign. */
export class WebhookSecrets {
  readonly #keys: DerivedKeys;

  constructor(secret: CloudSecret) {
    this.#keys = deriveKeys(secret, 'webhooks');
  }

  /** @returns the secret as its owner is shown it, and as it is stored */
  make(): { readonly shown: string; readonly sealed: Buffer } {
    const bytes = randomBytes(SECRET_BYTES);
    return { shown: PREFIX + bytes.toString('base64'), sealed: seal(this.#keys, bytes) };
  }

  /** Seals with the secret in use what the accepted one sealed. @returns the number of changed webhooks */
  async reseal(db: Database): Promise<number> {
    const rows = await db
      .selectFrom('webhooks')
      .select(['id', 'sealed_secret', 'sealed_former_secret'])
      .execute();
    let count = 0;
    for (const { id, sealed_secret: sealed, sealed_former_secret: former } of rows) {
      const resealed = reseal(this.#keys, sealed);
      const resealedFormer = former === null ? undefined : reseal(this.#keys, former);
      if (resealed === undefined && resealedFormer === undefined) continue;
      // A secret that was replaced meanwhile stays as it is.
      await db
        .updateTable('webhooks')
        .set({ sealed_secret: resealed ?? sealed, sealed_former_secret: resealedFormer ?? former })
        .where('id', '=', id)
        .where('sealed_secret', '=', sealed)
        .execute();
      count++;
    }
    return count;
  }

  /**
   * The header `webhook-signature`: a signature with each secret that is valid and can be read.
   *
   * @param timestamp in seconds since the Unix epoch
   * @returns undefined where none can be read: this cloud has another CLOUD_SECRET than the one that sealed them
   */
  signature(sealed: readonly Buffer[], id: string, timestamp: number, body: string): string | undefined {
    const signed = `${id}.${timestamp}.${body}`;
    const signatures = sealed
      .flatMap((one) => this.#read(one) ?? [])
      .map((secret) => `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`);
    return signatures.length === 0 ? undefined : signatures.join(' ');
  }

  #read(sealed: Buffer): Buffer | undefined {
    try {
      return unseal(this.#keys, sealed);
    } catch {
      return undefined;
    }
  }
}
