import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { GrantService } from '../../features/grants/service.ts';
import { UNUSED } from './unused.ts';

/** Ends a grant with all that was issued from it. */
export interface GrantEnder {
  endGrant(grantId: string): Promise<void>;
}

/**
 * Codes, interactions and browser sessions, as the OAuth server reads and writes them.
 *
 * @param model what the OAuth server calls the kind of record
 */
export function recordAdapter(model: string, grants: GrantService, ender: GrantEnder): Adapter {
  return {
    ...UNUSED,
    async upsert(id, payload, lifetimeS) {
      if (lifetimeS === undefined) throw new Error(`A ${model} without an end would be kept for ever`);
      const { grantId, uid } = payload;
      const kept = model === 'Session' ? forgetful(payload) : payload;
      await grants.saveRecord({ model, id, uid, grantId, payload: { ...kept }, lifetimeS });
    },
    async find(id) {
      const record = await grants.findRecord(model, id);
      return record && { ...record.payload, ...(record.consumedAt !== null && { consumed: true }) };
    },
    async findByUid(uid) {
      return (await grants.findRecordByUid(model, uid))?.payload;
    },
    async consume(id) {
      if (await grants.consumeRecord(model, id)) return;
      // Of two who show the same code at once nobody knows who stole it: what either got ends (RFC 6749, 4.1.2).
      const { grantId } = (await grants.findRecord(model, id))?.payload ?? {};
      if (typeof grantId === 'string') await ender.endGrant(grantId);
      throw new errors.InvalidGrant('already consumed');
    },
    destroy: (id) => grants.removeRecord(model, id),
  };
}

/**
 * The OAuth server's own browser session remembers nobody, so that it asks each time: who is signed in says the
 * session cookie of the service, which ends when the person signs out everywhere or changes the password.
 */
function forgetful({ iat, exp, jti, kind, uid }: AdapterPayload): AdapterPayload {
  return { iat, exp, jti, kind, uid };
}
