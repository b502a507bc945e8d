import type { Visitor } from '../../visitor.ts';

/** An account that does something before it has a token, as audit records name it. */
export function accountItself(userId: number, { address }: Visitor) {
  return { userId, tokenId: null, via: 'api', address } as const;
}
