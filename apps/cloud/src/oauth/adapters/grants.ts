import type { Adapter } from 'oidc-provider';
import type { CodeExchanges } from '../code-exchanges.ts';
import type { GrantService } from '../grants/service.ts';
import { UNUSED } from './unused.ts';

/** Ends a grant with all that was issued from it. */
export interface GrantEnder {
  revokeGrant(grantId: string): Promise<void>;
}

/** Grants: the consent page has written down what the user allowed before the OAuth server writes what follows from it. */
export function grantAdapter(grants: GrantService, exchanges: CodeExchanges, ender: GrantEnder): Adapter {
  return {
    ...UNUSED,
    upsert: (id, payload) => grants.setPayload(id, { ...payload }),
    find: (id) => exchanges.grant(id),
    destroy: (id) => ender.revokeGrant(id),
  };
}
