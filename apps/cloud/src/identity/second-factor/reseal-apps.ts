import type { CloudSecret } from '../../common/secrets/derive-key.ts';
import { reseal } from '../../common/secrets/seal.ts';
import type { Database } from '../../db/open.ts';
import { totpKeys } from './factor-secrets.ts';

/** Apps that are read at once to seal them again. */
const BATCH_SIZE = 1_000;

/** Seals with the cloud's secret in use what its accepted one sealed. @returns the number of authenticator apps */
export async function resealAuthenticatorApps(db: Database, secret: CloudSecret): Promise<number> {
  const keys = totpKeys(secret);
  let count = 0;
  let after = 0;
  for (;;) {
    const apps = await db
      .selectFrom('authenticator_apps')
      .select(['user_id as userId', 'sealed'])
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { userId, sealed } of apps) {
      after = userId;
      const resealed = reseal(keys, sealed);
      if (resealed === undefined) continue;
      // An app that was replaced meanwhile has another secret.
      await db
        .updateTable('authenticator_apps')
        .set({ sealed: resealed })
        .where('user_id', '=', userId)
        .where('sealed', '=', sealed)
        .execute();
      count++;
    }
    if (apps.length < BATCH_SIZE) return count;
  }
}
