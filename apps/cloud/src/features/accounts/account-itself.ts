import type { ClientAddress } from '../../common/client-address.ts';

/** An account that does something before it has a token, as audit records name it. */
export function accountItself(userId: number, { address }: ClientAddress) {
  return { userId, tokenId: null, via: 'api', address } as const;
}
