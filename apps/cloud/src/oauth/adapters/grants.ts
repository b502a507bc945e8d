import type { Adapter } from 'oidc-provider';
import type { ServerPlatform } from '../../platform.ts';
import type { CodeExchanges } from '../code-exchanges.ts';
import { endGrant, setGrantPayload } from '../grants/grants.ts';
import { UNUSED } from './unused.ts';

/** Grants: the consent page has written down what the user allowed before the OAuth server writes what follows from it. */
export function grantAdapter(platform: ServerPlatform, exchanges: CodeExchanges): Adapter {
  return {
    ...UNUSED,
    upsert: (id, payload) => setGrantPayload(platform.db, id, { ...payload }),
    find: (id) => exchanges.grant(id),
    destroy: (id) => endGrant(platform, id),
  };
}
