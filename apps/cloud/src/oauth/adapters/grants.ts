import type { Adapter } from 'oidc-provider';
import type { GrantService } from '../../features/grants/service.ts';
import type { GrantEnder } from './records.ts';
import { UNUSED } from './unused.ts';

/** Grants: the consent page has written down what the user allowed before the OAuth server writes what follows from it. */
export function grantAdapter(grants: GrantService, ender: GrantEnder): Adapter {
  return {
    ...UNUSED,
    upsert: (id, payload) => grants.setPayload(id, { ...payload }),
    find: (id) => grants.payload(id),
    destroy: (id) => ender.endGrant(id),
  };
}
