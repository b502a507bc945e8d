import type { Adapter } from 'oidc-provider';

/** Methods that the OAuth server never calls, unless an adapter overrides them. */
export const UNUSED: Adapter = {
  upsert: () => Promise.reject(new Error('Nothing of this kind is kept')),
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  // A grant takes its codes and tokens with it when it ends.
  revokeByGrantId: async () => undefined,
};
