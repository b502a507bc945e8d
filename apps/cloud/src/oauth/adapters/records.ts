import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ServerPlatform } from '../../platform.ts';
import { findRecord, findRecordByUid, removeRecord, saveRecord } from '../grants/authorization-records.ts';
import { UNUSED } from './unused.ts';

/**
 * Codes, interactions and browser sessions, as the OAuth server reads and writes them.
 *
 * @param model what the OAuth server calls the kind of record
 */
export function recordAdapter(model: string, platform: ServerPlatform): Adapter {
  return {
    ...UNUSED,
    async upsert(id, payload, lifetimeS) {
      if (lifetimeS === undefined) throw new Error(`A ${model} without an end would be kept for ever`);
      const { grantId, uid } = payload;
      const kept = model === 'Session' ? withoutAccount(payload) : payload;
      await saveRecord(platform, { model, id, uid, grantId, payload: { ...kept }, lifetimeS });
    },
    async find(id) {
      const record = await findRecord(platform, model, id);
      return record && { ...record.payload, ...(record.consumedAt !== null && { consumed: true }) };
    },
    async findByUid(uid) {
      return (await findRecordByUid(platform, model, uid))?.payload;
    },
    destroy: (id) => removeRecord(platform, model, id),
  };
}

/**
 * Drops the account from the OAuth server's own browser session, so that it asks each time: the session cookie of the
 * service decides who is signed in, and ends when the person signs out everywhere or changes the password.
 */
function withoutAccount({ iat, exp, jti, kind, uid }: AdapterPayload): AdapterPayload {
  return { iat, exp, jti, kind, uid };
}
